"""JSON-RPC as Forkpoint speaks it: pygls' protocol, made faster and made to answer everything.

What differs from pygls 2.1, which is pinned below 3 because private methods are overridden here:

- Messages are decoded as a whole. pygls hands over each nested object alone, so that parameters
  with a key `jsonrpc` would pass for a message, and parameters that do not fit were never answered.
- Methods that LSP does not know get their parameters as plain dicts (pygls makes named tuples of
  them, renaming keys) and give dicts, which orjson writes without a walk over them.
- Errors carry a code and a sentence, never a traceback, and bodies are never logged.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
)

from forkpoint.languages import ENGLISH
from forkpoint.lsp.framing import framed
from forkpoint.protocol.encode import json_bytes
from forkpoint.protocol.errors import InvalidParams, RequestFailed

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import MsgId

logger = logging.getLogger(__name__)

REQUEST_FAILED = -32001
"""Code of every answer that says "what you ask for is not there"; its data carries the kind."""


class ForkpointProtocol(LanguageServerProtocol):
    """Answers every request, whatever it holds.

    Attributes:
        language: of the sentences in all that is sent.
    """

    language = ENGLISH

    @property
    def is_shut_down(self) -> bool:
        """Whether the client asked for the end."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leave each object of a message as it is: `handle_message` decodes the whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Act on one message, given as the value of its JSON."""
        if (refusal := self._refusal(message)) is not None:
            self._refuse(_id_of(message), refusal)
            return
        try:
            typed = self._typed(message)
        except Exception:
            logger.warning("A message did not have the form of its method", exc_info=True)
            if _is_request(message):
                self._refuse(message["id"], _misfit(message["method"]))
            return
        super().handle_message(typed)

    def take_over(self, initialize: dict[str, Any]) -> None:
        """Act on an `initialize` that was answered already, without an answer.

        If LSP's types do not take what the client says of itself, it counts as not said: it was
        told that it may go on.
        """
        self._answered = initialize["id"]
        self.handle_message(initialize)
        if self._workspace is None:
            logger.warning("What the client says of itself did not have the form of LSP")
            options = initialize["params"].get("initializationOptions")
            params = {**_unknown_client(initialize["params"]), "initializationOptions": options}
            self.handle_message({**initialize, "params": params})
        self._answered = None

    def refuse_unreadable(self) -> None:
        """Answer a body that is no JSON: nobody knows which request it was."""
        self._refuse(None, lsp.ResponseError(lsp.ErrorCodes.ParseError, "The body is not JSON."))

    def _refusal(self, message: Any) -> lsp.ResponseError | None:
        """Say why a message is not for its method to look at, or None when it is."""
        if not isinstance(message, dict) or cast("Any", message).get("jsonrpc") != self.VERSION:
            return _invalid('A message is an object with "jsonrpc": "2.0".')
        fields = cast("dict[str, Any]", message)
        if "method" not in fields and ("result" in fields or "error" in fields):
            return None
        if not isinstance(fields.get("method"), str):
            return _invalid("A message names its method.")
        if "id" in fields and _id_of(fields) is None:
            return _invalid("The id of a request is a string or an integer.")
        return self._refusal_by_state(fields) if _is_request(fields) else None

    def _refusal_by_state(self, request: dict[str, Any]) -> lsp.ResponseError | None:
        initialized = self._workspace is not None
        if self._shutdown:
            return _invalid("The server is shutting down.")
        if initialized and request["method"] == lsp.INITIALIZE:
            return _invalid("The server is initialized already.")
        if not initialized and request["method"] != lsp.INITIALIZE:
            code = lsp.ErrorCodes.ServerNotInitialized
            return lsp.ResponseError(code, "Send initialize first.")
        if self._is_notification(request["method"]):
            # pygls would do what it says and answer nothing.
            return _invalid(f"{request['method']} is a notification, which has no id.")
        return None

    def _is_notification(self, method: str) -> bool:
        message_type = self.get_message_type(method)
        return message_type is not None and "id" not in attrs.fields_dict(message_type)

    def _typed(self, message: dict[str, Any]) -> Any:
        if (method := message.get("method")) is None:
            return super().structure_message(message)
        if self.get_message_type(method) is not None:
            return super().structure_message(_without_answer(message))
        params = message.get("params")
        if "id" in message:
            return JsonRPCRequestMessage(message["id"], method, self.VERSION, params)
        return JsonRPCNotification(method, self.VERSION, params)

    def _handle_request(self, msg_id: MsgId, method_name: str, params: Any) -> None:
        try:
            handler = self._get_handler(method_name)
        except JsonRpcMethodNotFound:
            sentence = f"{method_name} is not a method of this server."
            self._refuse(msg_id, lsp.ResponseError(lsp.ErrorCodes.MethodNotFound, sentence))
            return
        self._ctx_msg_id.set(msg_id)
        answer = partial(self._send_handler_result, msg_id=msg_id)
        self._execute_handler(msg_id, handler, answer, args=(params,))

    _answered: MsgId | None = None
    """Id of the request under way whose answer the client has already."""

    content_schemes: Sequence[str] = ()
    """Schemes of documents whose content the server gives; pygls 2.1 announces none by itself."""

    def _send_handler_result(self, future: Future[Any], *, msg_id: MsgId) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            code = lsp.LSPErrorCodes.RequestCancelled
            self._refuse(msg_id, lsp.ResponseError(code, "The request was cancelled."))
        elif (error := future.exception()) is not None:
            self._refuse(msg_id, _error_of(error))
        elif msg_id != self._answered:
            self._answer(msg_id, self._announced(future.result()))

    def _answer(self, msg_id: MsgId, result: Any) -> None:
        if _is_plain(result):
            # JSON that is ready needs no type of LSP's, and no walk over it.
            self._result_types.pop(msg_id, None)
            self._send_data(JsonRPCResponseMessage(msg_id, self.VERSION, result))
        else:
            self._send_response(msg_id, result=result)

    def _announced(self, result: Any) -> Any:
        if isinstance(result, lsp.InitializeResult) and result.capabilities.workspace is not None:
            options = lsp.TextDocumentContentOptions(schemes=self.content_schemes)
            result.capabilities.workspace.text_document_content = options
        return result

    def _refuse(self, msg_id: MsgId | None, error: lsp.ResponseError) -> None:
        if msg_id is not None and msg_id == self._answered:
            return
        # lsprotocol's own message leaves out an id of null, which JSON-RPC asks for
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})

    def _send_data(self, data: Any) -> None:
        try:
            body = json_bytes(self.language.said(_plain(data)), default=self._written)
        except Exception as error:
            logger.exception("A message could not be written")
            if isinstance(data, JsonRPCResponseMessage):
                self._refuse(data.id, _error_of(error))
            return
        self._write(framed(body))

    def _written(self, value: Any) -> Any:
        return self.language.said(self._serialize_message(value))

    def _write(self, message: bytes) -> None:
        if self.writer is None:
            return
        try:
            self.writer.write(message)
        except (OSError, ValueError):
            logger.warning("The client reads no more")


def _is_plain(result: Any) -> bool:
    """Say whether a result is JSON already; of a list the first element tells."""
    first = next(iter(cast("list[Any]", result)), None) if isinstance(result, list) else result
    return isinstance(first, dict)


def _plain(data: Any) -> Any:
    """Open the envelopes of our own messages, so that what they carry is written as it stands."""
    match data:
        case JsonRPCResponseMessage():
            return {"jsonrpc": data.jsonrpc, "id": data.id, "result": data.result}
        case JsonRPCNotification():
            return {"jsonrpc": data.jsonrpc, "method": data.method, "params": data.params}
        case _:
            return data


def _error_of(error: BaseException) -> lsp.ResponseError:
    match error:
        case InvalidParams():
            return lsp.ResponseError(lsp.ErrorCodes.InvalidParams, error.sentence)
        case RequestFailed():
            return lsp.ResponseError(REQUEST_FAILED, error.sentence, data={"kind": error.kind})
        case JsonRpcException() if error.code != lsp.ErrorCodes.InternalError:
            return lsp.ResponseError(error.code, error.message)
        case _:
            logger.error("A request failed", exc_info=error)
            sentence = "Forkpoint failed to answer; its log has the details."
            return lsp.ResponseError(lsp.ErrorCodes.InternalError, sentence)


def _unknown_client(params: dict[str, Any]) -> dict[str, Any]:
    """A client of which only its language is known, and how it counts positions, as was agreed."""
    general: dict[str, Any] = params["capabilities"].get("general") or {}
    counts: dict[str, Any] = {"positionEncodings": general.get("positionEncodings")}
    locale = params.get("locale") if isinstance(params.get("locale"), str) else None
    known = {"general": counts}
    return {"processId": None, "rootUri": None, "locale": locale, "capabilities": known}


def _misfit(method: str) -> lsp.ResponseError:
    sentence = f"The parameters do not have the form that {method} asks for."
    return lsp.ResponseError(lsp.ErrorCodes.InvalidParams, sentence)


def _invalid(sentence: str) -> lsp.ResponseError:
    return lsp.ResponseError(lsp.ErrorCodes.InvalidRequest, sentence)


def _without_answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the keys by which pygls would take a request for the answer to one of its own."""
    return {key: value for key, value in message.items() if key not in ("result", "error")}


def _is_request(message: Mapping[str, Any]) -> bool:
    return "method" in message and "id" in message


def _id_of(message: Any) -> MsgId | None:
    """Give the id that an answer can carry, or None when the message has none that it could."""
    found = cast("Any", message).get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str) or type(found) is int else None
