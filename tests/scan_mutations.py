"""Lines of recordings, damaged at random, for the scanner in C.

    python tests/scan_mutations.py MODULE ROUNDS [OTHER]

scans so many chunks of them with a built module, which may look for errors of memory by itself
(AddressSanitizer), and asks of each answer that its columns belong together, and that another build
of the same source gives the same. The bytes are the same at each run.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
_PARTS = [
    b'"', b"\\", b"\n", b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"0", b"-1", b"1e9",
    b"\\u", b"\\ud83d", b"\\ude00", b"\0", b"\xff", b" ", b"\r", b'"uuid":', b'"type":"user"',
    b'"message":{', b'"usage":{', b'"content":[', b'"snapshot":{', b"[" * 70, b'{"a":' * 70,
]  # fmt: skip
_LONGEST = 20_000
"""Longer lines are left out: they are mostly text."""
_WIDTHS = (8, 8, 1, 16, 16, 8, 1, 1)
"""Bytes per line of the first columns."""


def recorded_lines() -> list[bytes]:
    """Return the lines of all recordings, and some in the form that recent clients write."""
    paths = sorted(path for path in FIXTURES.rglob("*.jsonl") if "codex" not in path.parts)
    lines = [line for path in paths for line in path.read_bytes().splitlines(keepends=True)]
    return [line for line in lines if len(line) <= _LONGEST]


def damaged(chance: random.Random, lines: list[bytes]) -> bytes:
    """Return a few lines in a row, some of them with a few changes."""
    start = chance.randrange(len(lines))
    chosen = [bytearray(line) for line in lines[start : start + chance.randint(1, 6)]]
    for line in chosen:
        for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
            _damage(chance, line)
    return b"".join(chosen)


def _damage(chance: random.Random, line: bytearray) -> None:
    at = chance.randrange(len(line) + 1)
    far = min(len(line), at + chance.choice((1, 1, 4, 40, len(line))))
    what = chance.randrange(5)
    if what == 0:
        line[at:far] = b""
    elif what == 1:
        line[at:at] = chance.choice(_PARTS)
    elif what == 2 and at < len(line):
        line[at] = chance.randrange(256)
    elif what == 3:
        line[at:at] = line[at:far]
    else:
        del line[at:]


def chunks(seed: int, rounds: int) -> Iterator[bytes]:
    """Yield damaged lines, each chunk ending with LF."""
    chance, lines = random.Random(seed), recorded_lines()
    for _ in range(rounds):
        yield damaged(chance, lines).rstrip(b"\n") + b"\n"


def _module(path: str) -> ModuleType:
    loader = importlib.machinery.ExtensionFileLoader("_scan", path)
    spec = importlib.util.spec_from_file_location("_scan", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def main(path: str, rounds: int, *others: str) -> None:
    """Scan, each chunk with a first line apart as well."""
    modules = [_module(each) for each in (path, *others)]
    for data in chunks(1, rounds):
        _same(_scanned(module, data) for module in modules)
        for width in (1, 2, 4, 8):
            _same(_planes(module, data[: len(data) // width * width], width) for module in modules)
        _same(_looked_up(module, data) for module in modules)


def _scanned(module: ModuleType, data: bytes) -> list[object]:
    lines = data.count(b"\n")
    first = data[: data.find(b"\n") + 1]
    answers: list[object] = []
    for args in ((b"", data, 0, len(data)), (first, data, len(first), len(data))):
        columns = module.scan(*args, 7, lambda quoted: quoted[1:-1].decode())
        assert [len(column) for column in columns[:8]] == [lines * width for width in _WIDTHS]
        lengths = memoryview(columns[1]).cast("Q")
        assert sum(lengths) + lines == len(data)
        answers.append(columns)
    return answers


def _planes(module: ModuleType, data: bytes, width: int) -> tuple[object, list[bytes]]:
    others: list[bytes] = []
    return module.planes(data, width, others), others


def _looked_up(module: ModuleType, data: bytes) -> list[object]:
    """Take any bytes for keys, with a table of them and with one that is none."""
    column = data[: len(data) // 16 * 16]
    rows, answers = len(column) // 16, list[object]()
    for slots in (bytearray(4 << (rows * 2).bit_length()), bytearray(data)):
        try:
            answers.append(module.put_keys(column, slots, 0))
            answers.append(module.parents(column, slots, 0, column[::-1], -3, -1, -2))
        except ValueError as error:
            assert str(error) == "no table of this column"
        answers.append((slots, row := module.find_key(column, slots, data[-16:])))
        assert -1 <= row < max(rows, 1)
    return answers


def _same(answers: Iterator[object]) -> None:
    first, *others = answers
    assert all(other == first for other in others)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
