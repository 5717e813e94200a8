"""Which secrets does detect-secrets know, where it is installed?

Its plugins know more issuers than our own rules do, and are kept by others as shapes change. Only
their patterns are used: nothing is verified, which is what the library would ask the network for.
It is imported when a redaction is asked for and not before, as it brings a library for the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from forkpoint.redaction.ordinary import entropy_of, is_name, is_something_else
from forkpoint.redaction.searching import Found, lowered


class Plugin(NamedTuple):
    """A plugin of the library.

    Attributes:
        module: its name below `detect_secrets.plugins`.
        anchors: with blanks between; only what stands around one is given to it.
    """

    kind: str
    module: str
    detector: str
    anchors: str


_AP = " ".join(f"AP{letter}" for letter in "0123456789ABCDEF")
PLUGINS = (
    Plugin("artifactory-key", "artifactory", "ArtifactoryDetector", f"AKC {_AP}"),
    Plugin("aws-key", "aws", "AWSKeyDetector", "AKIA ASIA ABIA ACCA A3T aws"),
    Plugin("azure-storage-key", "azure_storage_key", "AzureStorageKeyDetector", "AccountKey="),
    Plugin("cloudant-key", "cloudant", "CloudantDetector", "cloudant"),
    Plugin("discord-token", "discord", "DiscordBotTokenDetector", "discord DISCORD Discord"),
    Plugin("github-token", "github_token", "GitHubTokenDetector", "ghp_ gho_ ghu_ ghs_ ghr_"),
    Plugin("gitlab-token", "gitlab_token", "GitLabTokenDetector",
           "glpat- gldt- glft- glsoat- glrt- GR1348941 glcbt- glimt- glptt- glagent- gloas-"),
    Plugin("ibm-key", "ibm_cloud_iam", "IbmCloudIamDetector", "ibm cloud_iam cloud-iam iam_"),
    Plugin("ibm-key", "ibm_cos_hmac", "IbmCosHmacDetector", "cos_ cos- hmac"),
    Plugin("mailchimp-key", "mailchimp", "MailchimpDetector", "-us"),
    Plugin("pypi-token", "pypi_token", "PypiTokenDetector", "pypi-Ag"),
    Plugin("sendgrid-key", "sendgrid", "SendGridDetector", "SG."),
    Plugin("slack-token", "slack", "SlackDetector", "xox hooks.slack.com"),
    Plugin("softlayer-key", "softlayer", "SoftlayerDetector", "softlayer"),
    Plugin("square-token", "square_oauth", "SquareOAuthDetector", "sq0csp-"),
    Plugin("stripe-key", "stripe", "StripeDetector", "k_live_"),
    Plugin("twilio-key", "twilio", "TwilioKeyDetector", "SK AC"),
)  # fmt: skip
"""Not used: high entropy, keywords and addresses (they find hashes, ids and prose), private keys
and users in addresses (ours take out the whole), npm, OpenAI and JWT (their time grows with the
square of a line), Telegram (takes a time before a hash for a token)."""

_BLANKS = re.compile(r"[ \t]{3,}")
"""Squeezed: some patterns take time that grows with the square of a run of blanks."""
_BEFORE, _BEHIND = 200, 1_400
"""Characters around an anchor that are looked at, within its line."""
_STEP = 700
"""The next anchor is looked for so far behind one: what lies between was looked at with it."""
_BORDERS = "\"'`=:;, \t\r\n"
_NAMED = re.compile(r"[A-Za-z]{3,20}=(?=.{16})")
_REST = re.compile(r"[A-Za-z0-9_-]*")
_LONG_ENOUGH = 16
_LEAST_ENTROPY = 2.5


class Detector(NamedTuple):
    """A plugin that is ready to search."""

    kind: str
    anchors: str
    patterns: Sequence[re.Pattern[str]]


@cache
def detectors() -> tuple[Detector, ...]:
    """Import the library; returns none where it is not installed, or is another than we know."""
    try:
        return tuple(map(_detector, PLUGINS))
    except (ImportError, AttributeError):
        return ()


def _detector(plugin: Plugin) -> Detector:
    module = import_module(f"detect_secrets.plugins.{plugin.module}")
    patterns = tuple(getattr(module, plugin.detector).denylist)
    return Detector(plugin.kind, plugin.anchors, patterns)


def known_to_library(text: str) -> Iterator[Found]:
    """Yield what the library's patterns find, whole, without what stands around it."""
    lower = lowered(text)
    for detector in detectors():
        for pattern in detector.patterns:
            looked_at = lower if pattern.flags & re.IGNORECASE else text
            for start, piece in _pieces(text, looked_at, detector.anchors):
                for match in pattern.finditer(piece):
                    value = _value(match)
                    if _is_meant(value):
                        yield Found(start, value, detector.kind)


def _pieces(text: str, looked_at: str, anchors: str) -> Iterator[tuple[int, str]]:
    for anchor in anchors.split():
        at = looked_at.find(anchor)
        while at >= 0:
            start = max(text.rfind("\n", max(at - _BEFORE, 0), at) + 1, at - _BEFORE, 0)
            end = text.find("\n", at, at + _BEHIND)
            yield start, _BLANKS.sub("  ", text[start : end if end >= 0 else at + _BEHIND])
            at = looked_at.find(anchor, at + _STEP if end < 0 else min(end, at + _STEP))


def _value(match: re.Match[str]) -> str:
    """The group that is long enough to be the secret, else all: some groups hold a beginning."""
    group = max(range(len(match.groups()) + 1), key=lambda n: (n > 0, len(match[n] or "")))
    if len(match[group] or "") < _LONG_ENOUGH:
        group = 0
    value = match[group].strip(_BORDERS)
    if value and match[group].endswith(value):
        # Some patterns have no end, and half a secret must not stay.
        rest = _REST.match(match.string, match.end(group))
        value += rest[0] if rest else ""
    return _NAMED.sub("", value, count=1)


def _is_meant(value: str) -> bool:
    if len(value) < _LONG_ENOUGH - 5 or entropy_of(value) <= _LEAST_ENTROPY:
        return False
    has_digit = any(map(str.isdigit, value))
    return has_digit and "\0" not in value and not (is_something_else(value) or is_name(value))
