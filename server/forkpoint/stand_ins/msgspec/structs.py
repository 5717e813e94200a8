"""`Struct`, made by attrs, and what is asked about one."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar, cast, dataclass_transform, get_type_hints

import attr

_S = TypeVar("_S")
_RENAME = "rename"
_OPTIONS: dict[str, Any] = {"array_like": False, "forbid_unknown_fields": False, _RENAME: None}
_COPIED = (list, dict, set)
"""Types of defaults of which each object gets one of its own."""


class FieldInfo(NamedTuple):
    """A field: its name in Python, its name in JSON, and its type."""

    name: str
    encode_name: str
    type: Any


def field(*, default: Any = attr.NOTHING, default_factory: Any = None, name: str = "") -> Any:
    """Say more of a field than its default."""
    given = attr.Factory(default_factory) if default_factory else default
    return attr.ib(default=given, metadata={"name": name} if name else None)


class _StructType(type):
    def __new__(
        mcs, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any
    ) -> type:
        options.pop("gc", None)
        known = {key: options.pop(key) for key in _OPTIONS if key in options}
        plain = cast("Any", super().__new__(mcs, name, bases, body))
        plain.__struct_options__ = {**getattr(plain, "__struct_options__", _OPTIONS), **known}
        cls = attr.s(
            auto_attribs=True, auto_detect=True, order=False, field_transformer=_fields, **options
        )(plain)
        cls.__struct_fields__ = tuple(each.name for each in attr.fields(cls))
        return cls

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, body)


def _fields(_cls: type, fields: list[attr.Attribute[Any]]) -> list[attr.Attribute[Any]]:
    return [each.evolve(alias=each.name, default=_own(each.default)) for each in fields]


def _own(default: Any) -> Any:
    return attr.Factory(default.copy) if type(default) in _COPIED else default


@dataclass_transform(field_specifiers=(field,))
class Struct(metaclass=_StructType):
    """An object with declared fields."""

    __struct_options__: ClassVar[Any]
    __struct_fields__: ClassVar[tuple[str, ...]]


@cache
def fields(cls: type[Any]) -> tuple[FieldInfo, ...]:
    """All fields of a struct, in order."""
    hints = get_type_hints(cls, include_extras=True)
    is_camel = cls.__struct_options__[_RENAME] == "camel"
    return tuple(
        FieldInfo(
            each.name,
            each.metadata.get("name") or (_camel_case(each.name) if is_camel else each.name),
            hints[each.name],
        )
        for each in attr.fields(cls)
    )


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def replace(struct: _S, /, **changes: Any) -> _S:
    """Copy a struct with other values in some fields."""
    return type(struct)(**{**asdict(struct), **changes})


def asdict(struct: object) -> dict[str, Any]:
    """The fields of a struct by name; what they hold is not copied."""
    return {name: getattr(struct, name) for name in cast("Any", struct).__struct_fields__}


def astuple(struct: object) -> tuple[Any, ...]:
    """The fields of a struct in order."""
    return tuple(asdict(struct).values())
