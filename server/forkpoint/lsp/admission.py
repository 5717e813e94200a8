"""Who may speak to a server that listens: the first message must be `initialize` with the token.

The token stands in `initializationOptions`, where every editor can put it; the server behind never
sees it.
"""

from __future__ import annotations

import hmac
import json
from typing import Any, cast

REFUSED = -32002
"""LSP's own code for what is asked before `initialize` was accepted."""
_SENTENCE = "Send initialize first, with the token of this server in initializationOptions.token."


def admitted(body: bytes, token: str) -> bytes | None:
    """Return the first message without the token; None where it does not let its sender in."""
    message = _object(_loaded(body))
    if message is None or message.get("method") != "initialize":
        return None
    params = _object(message.get("params"))
    options = _object(params.get("initializationOptions")) if params is not None else None
    given = options.pop("token", None) if options is not None else None
    if not isinstance(given, str) or not _are_equal(given, token):
        return None
    return json.dumps(message).encode()


def refusal(body: bytes) -> bytes:
    """Return the answer to a first message that does not let its sender in."""
    message = _object(_loaded(body)) or {}
    number = message.get("id")
    known = number if isinstance(number, str) or type(number) is int else None
    error = {"code": REFUSED, "message": _SENTENCE}
    return json.dumps({"jsonrpc": "2.0", "id": known, "error": error}).encode()


def _are_equal(given: str, token: str) -> bool:
    """Compare in a time that does not tell how much of the token was right."""
    return hmac.compare_digest(
        given.encode(errors="surrogatepass"), token.encode(errors="surrogatepass")
    )


def _loaded(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
