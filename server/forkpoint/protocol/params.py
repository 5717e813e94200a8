"""From the JSON of a request to its parameters, or to a sentence that says what is wrong.

cattrs walks the types and collects what does not fit, each with the way to its field; the rules
here are stricter than its own, which would take "3" for 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal, cast, get_args, get_origin

import attrs
from cattrs import AttributeValidationNote, Converter, IterableValidationNote
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn, override

from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.names import camel_case


def decode_params(method: str, raw: object) -> Any:
    """Give the parameters of a request as an instance of its params type.

    Keys that the type does not know are ignored, null stands for left out, and no parameters at
    all stand for an empty object.

    Args:
        method: A key of `REQUESTS`.
        raw: What the request carries as `params`, as decoded from JSON.

    Raises:
        InvalidParams: With a sentence that names every parameter that does not fit.
    """
    if raw is None:
        raw = {}
    if not isinstance(raw, dict):
        raise InvalidParams("params must be an object")
    try:
        return _converter.structure(cast("dict[str, object]", raw), REQUESTS[method].params)
    except BaseValidationError as error:
        raise InvalidParams("; ".join(_sentences(error))) from error


class _Misfit(ValueError):
    """Says what the value must be, to follow "must be"."""


def _sentences(error: BaseException, field: str = "") -> Iterator[str]:
    if isinstance(error, BaseValidationError):
        for each in error.exceptions:
            yield from _sentences(each, _field_of(each, field))
    elif isinstance(error, KeyError):
        yield f"{field} is required"
    elif isinstance(error, InvalidParams):
        yield error.sentence
    elif isinstance(error, _Misfit):
        yield f"{field} must be {error}"
    else:
        raise error


def _field_of(error: BaseException, outer: str) -> str:
    for note in getattr(error, "__notes__", []):
        if isinstance(note, AttributeValidationNote):
            return f"{outer}.{camel_case(note.name)}" if outer else camel_case(note.name)
        if isinstance(note, IterableValidationNote):
            return f"{outer}[{note.index}]"
    return outer


def _exactly(wanted: type[Any], words: str) -> Callable[[object, Any], Any]:
    def structure(value: object, _: Any) -> Any:
        if type(value) is not wanted:
            raise _Misfit(words)
        return value

    return structure


def _one_of(literal: Any) -> Callable[[object, Any], Any]:
    allowed = get_args(literal)
    words = "one of " + ", ".join(f'"{each}"' for each in allowed)

    def structure(value: object, _: Any) -> Any:
        if not isinstance(value, str) or value not in allowed:
            raise _Misfit(words)
        return value

    return structure


def _by_rule(annotated: Any) -> Callable[[object, Any], Any]:
    base, rule = get_args(annotated)

    def structure(value: object, _: Any) -> Any:
        try:
            fitting = _converter.structure(value, base)
        except _Misfit as misfit:
            raise _Misfit(rule.words) from misfit
        if not rule.allows(fitting):
            raise _Misfit(rule.words)
        return fitting

    return structure


def _list_of(sequence: Any) -> Callable[[object, Any], Any]:
    (element,) = get_args(sequence)

    def structure(value: object, _: Any) -> Any:
        if not isinstance(value, list):
            raise _Misfit("a list")
        return _converter.structure(cast("list[Any]", value), list[element])

    return structure


def _by_wire_names(cls: type[Any]) -> Callable[[Any, Any], Any]:
    renamed: dict[str, Any] = {
        each.name: override(rename=camel_case(each.name)) for each in attrs.fields(cls)
    }
    structure = make_dict_structure_fn(cls, _converter, **renamed)

    def structured(value: Any, wanted: Any) -> Any:
        if not isinstance(value, dict):
            raise _Misfit("an object")
        present = {
            key: each for key, each in cast("dict[str, Any]", value).items() if each is not None
        }
        return structure(present, wanted)

    return structured


_converter = Converter()
_converter.register_structure_hook(int, _exactly(int, "an integer"))
_converter.register_structure_hook(str, _exactly(str, "a string"))
_converter.register_structure_hook(bool, _exactly(bool, "true or false"))
_converter.register_structure_hook_factory(lambda t: get_origin(t) is Literal, _one_of)
_converter.register_structure_hook_factory(lambda t: get_origin(t) is Annotated, _by_rule)
_converter.register_structure_hook_factory(lambda t: get_origin(t) is Sequence, _list_of)
_converter.register_structure_hook_factory(attrs.has, _by_wire_names)
