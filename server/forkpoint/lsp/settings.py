"""Keeps the options in force: those of `initialize` with the client's settings laid over them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import cast

from lsprotocol import types as lsp
from pygls.protocol import LanguageServerProtocol

from forkpoint.lsp.options import SECTION, Options, options_with

logger = logging.getLogger(__name__)


class Settings:
    """Asks the client for its settings and says when the options became others.

    `changed` is called with those before and those in force.
    """

    def __init__(
        self, protocol: LanguageServerProtocol, changed: Callable[[Options, Options], None]
    ) -> None:
        self._protocol = protocol
        self._changed = changed
        self._initial = Options()
        self._task: asyncio.Task[None] | None = None
        self.options = Options()

    def begin(self, initialization_options: object) -> None:
        """Take what `initialize` carries."""
        self._initial = self._laid_over(Options(), initialization_options)
        self.options = self._initial

    def follow(self) -> None:
        """Ask for the settings now and, where the client can, to be told of changes."""
        workspace = self._protocol.client_capabilities.workspace
        changes = workspace and workspace.did_change_configuration
        if changes and changes.dynamic_registration:
            self._protocol.send_request(lsp.CLIENT_REGISTER_CAPABILITY, _REGISTRATION)
        self._ask()

    def take(self, pushed: object) -> None:
        """Take what `workspace/didChangeConfiguration` carries; many clients send nothing there."""
        if isinstance(pushed, dict) and SECTION in pushed:
            self._lay_over(cast("dict[str, object]", pushed)[SECTION])
        else:
            self._ask()

    def _ask(self) -> None:
        workspace = self._protocol.client_capabilities.workspace
        if workspace and workspace.configuration:
            self._task = asyncio.ensure_future(self._fetch())

    async def _fetch(self) -> None:
        asked = lsp.ConfigurationParams(items=[lsp.ConfigurationItem(section=SECTION)])
        try:
            answer = await self._protocol.send_request_async(lsp.WORKSPACE_CONFIGURATION, asked)
        except Exception:
            logger.warning("The client did not give its settings", exc_info=True)
            return
        self._lay_over(answer[0] if answer else None)

    def _lay_over(self, section: object) -> None:
        options = self._laid_over(self._initial, section)
        before, self.options = self.options, options
        if options != before:
            self._changed(before, options)

    def _laid_over(self, base: Options, given: object) -> Options:
        options, sentences = options_with(base, given)
        for sentence in sentences:
            message = lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=sentence)
            self._protocol.notify(lsp.WINDOW_SHOW_MESSAGE, message)
        return options


_REGISTRATION = lsp.RegistrationParams(
    registrations=[
        lsp.Registration(
            id="forkpoint-settings",
            method=lsp.WORKSPACE_DID_CHANGE_CONFIGURATION,
            register_options={"section": SECTION},
        )
    ]
)
