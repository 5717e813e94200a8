"""The twins of native libraries against these: the same answers, and errors for the same bytes."""

import json
from itertools import product
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forkpoint.stand_ins import msgspec as twin
from forkpoint.stand_ins import orjson as orjson_twin
from tests.without_natives import are_blocked

pytestmark = pytest.mark.skipif(are_blocked(), reason="nothing is there to compare with")


class Place(NamedTuple):
    """A named tuple that is kept."""

    offset: int
    head: bytes


def shapes(library: Any) -> dict[str, Any]:
    """Types as the server has them, made of one library or of the other."""

    short = library.Meta(min_length=1, max_length=3)

    class Inner(library.Struct, frozen=True, gc=False):
        kind: str | None = None
        uuids: list[str] | None = None

    class Outer(library.Struct, gc=False):
        type: str | None = None
        count: int = 0
        share: float | None = None
        flag: bool | None = None
        nothing: None = None
        inner: Inner | None = None
        raw: library.Raw = library.Raw()
        raws: dict[str, library.Raw] = {}  # noqa: RUF012
        result: Inner | str | list[library.Raw] | None = library.field(default=None, name="aResult")
        leaf: str | library.UnsetType | None = library.UNSET
        speed: Literal["standard", "fast"] | None = None

    class Required(library.Struct):
        price: Annotated[float, library.Meta(ge=0, le=10)]
        model: Annotated[str, short] = library.field(name="aModel")

    class Row(library.Struct, array_like=True, forbid_unknown_fields=True):
        number: int
        places: dict[int, tuple[int, ...]]
        pairs: list[tuple[str, str]]
        names: set[str]
        place: Place
        inner: Inner | None
        data: bytes | None

    return {
        "any": Any,
        "text": str,
        "texts": dict[str, str],
        "raws": dict[str, library.Raw],
        "inners": list[Inner],
        "outer": Outer,
        "required": Required,
        "row": Row,
    }


REAL, TWIN = shapes(msgspec), shapes(twin)
JSON_SHAPES = sorted(set(REAL) - {"row"})

FIELDS = {each for name in ("outer", "required") for each in TWIN[name].__struct_fields__}
keys = st.sampled_from(sorted(FIELDS | {"aResult", "aModel", "kind", "uuids"})) | st.text(
    max_size=3
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["standard", "fast", "\ud800", "é", "\U0001f600", 2**64, 10**30, -0.0, 1e300])
    | st.text(max_size=5)
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner), max_leaves=12
)


DAMAGES = [b"", b"\xff", b"\\", b'"', b",", b"0", b"]", b"NaN", b"\x01"]


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """JSON, often with some bytes that make it none."""
    value = draw(st.dictionaries(keys, values) | values)
    text = json.dumps(
        value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1]))
    )
    data = text.encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        at = draw(st.integers(0, len(data)))
        damage = draw(
            st.sampled_from([b"", b"\xff", b"\\", b'"', b",", b"0", b"]", b"NaN", b"\x01"])
        )
        data = data[:at] + damage + data[at + draw(st.integers(0, 2)) :]
    return data


def plain(value: Any) -> Any:
    """A value without what differs between the libraries: classes."""
    if hasattr(value, "__struct_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (msgspec.Raw, memoryview, bytes)):
        return bytes(value)
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return "unset" if value in (msgspec.UNSET, twin.UNSET) else (type(value).__name__, repr(value))


def read(decode: Any, errors: Any, data: Any, shape: Any) -> Any:
    try:
        return plain(decode(data, type=shape))
    except (errors.DecodeError, RecursionError):
        return "an error"


@given(texts(), st.sampled_from(JSON_SHAPES))
@example(b'{"raw": [1, 2 , "\\ud83d\\ude00"] , "count": 1}', "outer")
@example(b'{"other": "\xff", "raw": "\xff", "raws": {"\xe9": 1}}', "outer")
@example(b'{"other": "\\ud800"}', "outer")
@example(b'{"other": "\\\\ud800"}', "outer")
@example(b'{"other": 1e999}', "outer")
@example(b'{"share": 1e999}', "outer")
@example(b'{"count": 1, "count": "x"}', "outer")
@example(b'{"price": 1, "aModel": "abcd"}', "required")
@example(b'{"price": 10, "aModel": "abc"}', "required")
@example(b'"\\ud83d\\ude00"', "text")
@example(b"\xef\xbb\xbf{}", "any")
@example(b"[" * 100_000, "any")
@example(b"", "any")
@example(b"1" * 5000, "any")
def test_json_is_read_alike(data: bytes, name: str) -> None:
    real = read(msgspec.json.decode, msgspec, data, REAL[name])
    assert read(twin.json.decode, twin, data, TWIN[name]) == real


BORDERS = list(product((-1, 1), (5, 7, 8, 15, 16, 31, 32), (-1, 0, 1)))
LONG = ["x" * 256, "x" * 65536, b"x" * 256, b"x" * 65536, [0] * 20, [1] * 65536]

packed = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from(
        [e + d for n in (5, 7, 8, 15, 16, 31, 32) for e in (2**n, -(2**n)) for d in (-1, 0, 1)]
    )
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.binary(max_size=40)
    | st.sampled_from(
        ["x" * 256, "x" * 65536, b"x" * 256, b"x" * 65536, list(range(20)), [1] * 65536]
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(packed)
def test_what_is_packed_is_the_same_bytes(value: Any) -> None:
    data = msgspec.msgpack.encode(value)
    assert twin.msgpack.encode(value) == data
    assert twin.msgpack.decode(data) == value


@given(packed, st.integers(0, 60), st.binary(max_size=2))
def test_damaged_bytes_are_refused_alike(value: Any, at: int, damage: bytes) -> None:
    data = msgspec.msgpack.encode(value)
    data = data[:at] + damage + data[at + 1 :]
    real = read(msgspec.msgpack.decode, msgspec, data, Any)
    assert read(twin.msgpack.decode, twin, data, Any) == real


rows = st.tuples(
    st.integers(-5, 2**32),
    st.dictionaries(st.integers(0, 300), st.lists(st.integers(0, 9)).map(tuple), max_size=3),
    st.lists(st.tuples(st.text(max_size=2), st.text(max_size=2)), max_size=3),
    st.frozensets(st.text(max_size=2), max_size=3).map(sorted),
    st.builds(Place, st.integers(0, 9), st.binary(max_size=3)),
    st.none() | st.builds(dict, kind=st.none() | st.text(max_size=2)),
    st.none() | st.binary(max_size=3),
)


@given(rows, st.integers(-1, 8))
def test_rows_are_read_alike_whole_and_cut(row: tuple[Any, ...], length: int) -> None:
    data = msgspec.msgpack.encode([*row, 1][:length] if length >= 0 else row)
    real = read(msgspec.msgpack.decode, msgspec, data, REAL["row"])
    assert read(twin.msgpack.decode, twin, data, TWIN["row"]) == real
    if length == -1:
        assert real != "an error"
        again = twin.msgpack.encode(twin.msgpack.decode(data, type=TWIN["row"]))
        assert again == msgspec.msgpack.encode(msgspec.msgpack.decode(data, type=REAL["row"]))


def test_structs_are_made_compared_and_copied_alike() -> None:
    for library, made in ((msgspec, REAL), (twin, TWIN)):
        one, other = made["outer"](type="a", count=1), made["outer"]("a", 1)
        assert one == other
        assert one.raws is not other.raws
        assert library.structs.astuple(library.structs.replace(one, count=2))[:2] == ("a", 2)
        inner = made["inners"].__args__[0]("k")
        assert hash(inner) == hash(made["inners"].__args__[0]("k"))
        with pytest.raises(AttributeError):
            inner.kind = "other"
        with pytest.raises(TypeError):
            hash(one)
        with pytest.raises(TypeError):
            made["required"]()
        assert [each.encode_name for each in library.structs.fields(made["required"])] == [
            "price",
            "aModel",
        ]


@given(texts())
@example(b'{"n": 1e400}')
@example(b'"\\udc00"')
def test_orjson_reads_alike(data: bytes) -> None:
    try:
        real = plain(orjson.loads(data))
    except orjson.JSONDecodeError:
        real = "an error"
    try:
        found = plain(orjson_twin.loads(data))
    except orjson_twin.JSONDecodeError:
        found = "an error"
    # A number of more than 64 bits becomes a float there.
    if found == "an error" or not _has_long_number(json.loads(data)):
        assert found == real


@given(values)
def test_orjson_writes_what_reads_alike(value: Any) -> None:
    try:
        real = json.loads(orjson.dumps({"v": value, "f": orjson.Fragment(b"[1 ]")}))
    except TypeError:
        return
    written = orjson_twin.dumps({"v": value, "f": orjson_twin.Fragment(b"[1 ]")})
    assert written.endswith(b'"f":[1 ]}')
    assert json.loads(written) == real


@pytest.mark.parametrize("value", ["\ud800", object(), {"a": {1}}])
def test_orjson_refuses_what_has_no_form(value: object) -> None:
    for library in (orjson, orjson_twin):
        with pytest.raises(TypeError):
            library.dumps(value)


def test_infinite_numbers_are_written_as_null() -> None:
    value = [float("nan"), {"a": float("inf"), "b": (1.5,)}]
    assert orjson_twin.dumps(value) == orjson.dumps(value) == b'[null,{"a":null,"b":[1.5]}]'


def test_what_is_not_known_is_given_to_default() -> None:
    for library in (orjson, orjson_twin):
        assert library.dumps([Ellipsis], default=str) == b'["Ellipsis"]'


def _has_long_number(value: Any) -> bool:
    if isinstance(value, (list, dict)):
        return any(map(_has_long_number, value if isinstance(value, list) else value.values()))
    return isinstance(value, int) and not -(2**63) <= value < 2**64
