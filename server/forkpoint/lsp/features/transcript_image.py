"""`forkpoint/transcriptImage`: what does this picture of a transcript hold?"""

from __future__ import annotations

from base64 import b64encode

from forkpoint.catalog import Catalog
from forkpoint.protocol import transcript_uri, types
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.records.pictures import picture_in


def transcript_image(
    catalog: Catalog, params: types.TranscriptImageParams
) -> types.TranscriptImageResult:
    """Read a picture from the record that holds it."""
    named = transcript_uri.named_by(params.document)
    place = None if named is None else transcript_uri.image_at(named.image)
    if named is None or place is None:
        raise InvalidParams("document must be the address of a picture in a transcript")
    ordinal, number = place
    conversation = catalog.conversation(named.session_id, named.agent_id)
    file = catalog.transcript(named.session_id, named.agent_id)
    is_there = ordinal < len(conversation.index.nodes)
    picture = picture_in(file.bodies([ordinal])[0], number) if is_there else None
    if picture is None:
        raise RequestFailed("unknownRecord", "There is no such picture in this transcript.")
    return types.TranscriptImageResult(
        media_type=picture.media_type,
        base64=b64encode(picture.data).decode(),
        size_bytes=len(picture.data),
    )
