"""From the JSON of a request to its parameters, or to a sentence that says what is wrong.

The types are walked once; what does not fit is collected, each with the way to its field. Nothing
is converted: "3" is not 3.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import attrs

from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.names import camel_case

Misfits = list[str]

Fit = Callable[[Any, str, Misfits], Any]
"""Gives a value as its type has it, or says under the field's name what it must be instead."""


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
    misfits: Misfits = []
    params = _fit(REQUESTS[method].params)(raw, "", misfits)
    if misfits:
        raise InvalidParams("; ".join(misfits))
    return params


@cache
def _fit(wanted: Any) -> Fit:
    if wanted in _PLAIN:
        return _exactly(wanted, _PLAIN[wanted])
    if attrs.has(wanted):
        return _object_of(wanted)
    origin = get_origin(wanted)
    if origin is Literal:
        return _one_of(get_args(wanted))
    if origin is Annotated:
        return _by_rule(*get_args(wanted))
    if origin is Sequence:
        return _list_of(*get_args(wanted))
    if origin is UnionType or origin is Union:
        # null stands for left out and does not come here
        [only] = [each for each in get_args(wanted) if each is not NoneType]
        return _fit(only)
    raise TypeError(f"no parameter can be {wanted}")


_PLAIN: dict[Any, str] = {int: "an integer", str: "a string", bool: "true or false"}


def _exactly(wanted: type[Any], words: str) -> Fit:
    def fit(value: Any, field: str, misfits: Misfits) -> Any:
        if type(value) is not wanted:
            misfits.append(f"{field} must be {words}")
        return value

    return fit


def _one_of(allowed: tuple[Any, ...]) -> Fit:
    words = "one of " + ", ".join(f'"{each}"' for each in allowed)

    def fit(value: Any, field: str, misfits: Misfits) -> Any:
        if not isinstance(value, str) or value not in allowed:
            misfits.append(f"{field} must be {words}")
        return value

    return fit


def _by_rule(base: Any, rule: Any) -> Fit:
    fit_base = _fit(base)

    def fit(value: Any, field: str, misfits: Misfits) -> Any:
        wrong: Misfits = []
        fitting = fit_base(value, field, wrong)
        if wrong or not rule.allows(fitting):
            misfits.append(f"{field} must be {rule.words}")
        return fitting

    return fit


def _list_of(element: Any) -> Fit:
    fit_element = _fit(element)

    def fit(value: Any, field: str, misfits: Misfits) -> Any:
        if not isinstance(value, list):
            misfits.append(f"{field} must be a list")
            return value
        elements = cast("list[Any]", value)
        return [fit_element(each, f"{field}[{i}]", misfits) for i, each in enumerate(elements)]

    return fit


def _object_of(cls: type[Any]) -> Fit:
    hints = typing.get_type_hints(cls, include_extras=True)
    fields = [
        (each.name, camel_case(each.name), _fit(hints[each.name]), each.default is attrs.NOTHING)
        for each in attrs.fields(cls)
    ]

    def fit(value: Any, field: str, misfits: Misfits) -> Any:
        if not isinstance(value, dict):
            misfits.append(f"{field} must be an object")
            return None
        given = cast("dict[str, Any]", value)
        fitting: dict[str, Any] = {}
        wrong: Misfits = []
        for name, key, fit_field, is_required in fields:
            full = f"{field}.{key}" if field else key
            if given.get(key) is not None:
                fitting[name] = fit_field(given[key], full, wrong)
            elif is_required:
                wrong.append(f"{full} is required")
        misfits += wrong
        return None if wrong else _made(cls, fitting, misfits)

    return fit


def _made(cls: type[Any], fitting: dict[str, Any], misfits: Misfits) -> Any:
    """Make the object; what it says against fields that do not go together is a misfit, too."""
    try:
        return cls(**fitting)
    except InvalidParams as misfit:
        misfits.append(misfit.sentence)
        return None
