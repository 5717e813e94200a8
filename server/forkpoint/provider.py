"""Who would serve the next request: the maker, a cloud, or an address of one's own?

Of an address only the host is looked at, and it is not kept.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from forkpoint.configured import Configured, Fact


class _Service(NamedTuple):
    """A way to the models.

    Attributes:
        switch: the variable that chooses it; None = it needs none.
        address: the variable with another address for it.
        hosts: ends of the names that are its own.
    """

    name: str
    switch: str | None
    address: str
    hosts: tuple[str, ...]


_MAKER = _Service("anthropic", None, "ANTHROPIC_BASE_URL", ("api.anthropic.com",))
_CLOUDS = (
    _Service(
        "bedrock",
        "CLAUDE_CODE_USE_BEDROCK",
        "ANTHROPIC_BEDROCK_BASE_URL",
        (".amazonaws.com", ".amazonaws.com.cn", ".api.aws"),
    ),
    _Service("vertex", "CLAUDE_CODE_USE_VERTEX", "ANTHROPIC_VERTEX_BASE_URL", (".googleapis.com",)),
    _Service("foundry", "CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_FOUNDRY_BASE_URL", (".azure.com",)),
)
"""In the order in which the client asks for them."""


def provider_of(configured: Configured) -> Fact | None:
    """Return the service that is chosen, or `gateway` for a foreign address; None by default."""
    service = service_of(configured)
    address = configured.variable(service.address)
    if address is not None and not _is_own(address.value, service):
        return Fact("gateway", address.source)
    says = address if service.switch is None else configured.on(service.switch)
    return Fact(service.name, says.source) if says is not None else None


def service_of(configured: Configured) -> _Service:
    """Return the service that is chosen, wherever it is reached."""
    return next(
        (cloud for cloud in _CLOUDS if cloud.switch and configured.on(cloud.switch)), _MAKER
    )


def _is_own(address: str, service: _Service) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return any(host == own or (own.startswith(".") and host.endswith(own)) for own in service.hosts)
