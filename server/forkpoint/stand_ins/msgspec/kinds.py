"""What a type takes, and whether a value of the builtin types fits it."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from forkpoint.stand_ins.msgspec.errors import Raw, UnsetType, ValidationError
from forkpoint.stand_ins.msgspec.structs import Struct, fields

_PLAIN = (str, int, float, bool, bytes, memoryview, NoneType)
_ARRAYS = (list, tuple, set, frozenset)


class Meta(NamedTuple):
    """Bounds of a number or of the length of a text, both included."""

    ge: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None


class Field(NamedTuple):
    """A field of a struct: its name in Python, and what it takes."""

    name: str
    kind: Kind


class Kind:
    """What a type takes, by what JSON or MessagePack has there."""

    def __init__(self) -> None:
        self.anything = False
        self.raw = False
        self.plain = set[type]()
        self.choices = set[Any]()
        self.meta = Meta()
        self.struct: type[Any] | None = None
        self.row: type[Any] | None = None
        """A struct or named tuple that is an array."""
        self.values: tuple[Kind, Kind] | None = None
        """Of keys and values of a dict."""
        self.items: Kind | None = None
        self.places: tuple[Kind, ...] | None = None
        """Of a tuple with as many items."""
        self.array: type[Any] = list


@cache
def kind_of(annotation: Any) -> Kind:
    """Work out what a type takes."""
    kind = Kind()
    _take(kind, annotation)
    return kind


@cache
def fields_by_name(cls: type[Any]) -> dict[str, Field]:
    """The fields of a struct by their names in JSON."""
    return {each.encode_name: Field(each.name, kind_of(each.type)) for each in fields(cls)}


@cache
def row_kinds(cls: type[Any]) -> tuple[Kind, ...]:
    """What the items of a struct or named tuple that is an array take."""
    if issubclass(cls, Struct):
        return tuple(each.kind for each in fields_by_name(cls).values())
    return tuple(map(kind_of, get_type_hints(cls).values()))


def _take(kind: Kind, annotation: Any) -> None:
    origin, arguments = get_origin(annotation), get_args(annotation)
    match origin:
        case None:
            _take_class(kind, annotation)
        case _ if origin is Annotated:
            _take(kind, arguments[0])
            kind.meta = arguments[1]
        case _ if origin in (Union, UnionType):
            for each in arguments:
                _take(kind, each)
        case _ if origin is Literal:
            kind.choices.update(arguments)
        case _ if origin is dict:
            kind.values = kind_of(arguments[0]), kind_of(arguments[1])
        case _:
            kind.array = origin
            if origin is tuple and arguments[-1] is not Ellipsis:
                kind.places = tuple(map(kind_of, arguments))
            else:
                kind.items = kind_of(arguments[0])


def _take_class(kind: Kind, cls: Any) -> None:
    if cls in (Any, object):
        kind.anything = True
    elif cls is Raw:
        kind.raw = True
    elif cls is None or cls in _PLAIN:
        kind.plain.add(cls or NoneType)
    elif issubclass(cls, Struct) and not cls.__struct_options__["array_like"]:
        kind.struct = cls
    elif cls is not UnsetType:
        kind.row = cls


def fit(value: Any, kind: Kind) -> Any:
    """Make of builtin values one of a type.

    Raises:
        ValidationError: it does not fit.
    """
    cls = cast("type[object]", type(value))
    if kind.anything:
        return value
    if cls in kind.plain:
        return _within(value, kind.meta)
    if cls is list:
        return _fit_array(value, kind)
    if cls is dict:
        return _fit_object(value, kind)
    if cls is str and value in kind.choices:
        return value
    if cls is int and float in kind.plain:
        return _within(float(value), kind.meta)
    if cls is bytes and memoryview in kind.plain:
        return memoryview(value)
    raise ValidationError(f"a value may not be of the type {cls.__name__}")


def made(cls: type[Any], found: dict[str, Any]) -> Any:
    """Make a struct of the fields that are there."""
    try:
        return cls(**found)
    except TypeError as failure:
        raise ValidationError(f"{cls.__name__} lacks a field") from failure


def _within(value: Any, meta: Meta) -> Any:
    # Said so that NaN, which is neither more nor less, is out of bounds.
    if not ((meta.ge is None or value >= meta.ge) and (meta.le is None or value <= meta.le)):
        raise ValidationError("a number is out of bounds")
    if meta.min_length is not None and len(value) < meta.min_length:
        raise ValidationError("a text is too short")
    if meta.max_length is not None and len(value) > meta.max_length:
        raise ValidationError("a text is too long")
    return value


def _fit_array(value: list[Any], kind: Kind) -> Any:
    if kind.row:
        return _fit_row(value, kind.row)
    if kind.items:
        return kind.array([fit(each, kind.items) for each in value])
    if kind.places and len(value) == len(kind.places):
        return tuple(map(fit, value, kind.places))
    raise ValidationError("an array may not be here, or has another length")


def _fit_row(value: list[Any], cls: type[Any]) -> Any:
    kinds = row_kinds(cls)
    forbids = not issubclass(cls, Struct) or cls.__struct_options__["forbid_unknown_fields"]
    if len(value) > len(kinds) and forbids:
        raise ValidationError(f"{cls.__name__} has not so many fields")
    try:
        return cls(*map(fit, value, kinds))
    except TypeError as failure:
        raise ValidationError(f"{cls.__name__} lacks a field") from failure


def _fit_object(value: dict[Any, Any], kind: Kind) -> Any:
    if kind.struct:
        known = fields_by_name(kind.struct)
        pairs = ((known[key], each) for key, each in value.items() if key in known)
        return made(kind.struct, {one.name: fit(each, one.kind) for one, each in pairs})
    if kind.values:
        keys, values = kind.values
        return {fit(key, keys): fit(each, values) for key, each in value.items()}
    raise ValidationError("an object may not be here")
