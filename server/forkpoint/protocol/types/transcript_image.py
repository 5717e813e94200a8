"""`forkpoint/transcriptImage`: what does this picture of a transcript hold?"""

from __future__ import annotations

from attrs import frozen


@frozen(kw_only=True)
class TranscriptImageParams:
    """Which picture to give."""

    document: str
    """The target of a link of kind `image`."""


@frozen(kw_only=True)
class TranscriptImageResult:
    """A picture."""

    media_type: str
    """As the record says: `image/png`, `image/jpeg`, `image/gif` or `image/webp`."""
    base64: str
    """Its bytes."""
    size_bytes: int
    """How many they are."""
