"""Made-up text, ids and times. All comes from seeded generators; no clock is asked."""

from __future__ import annotations

import base64
from random import Random

EPOCH = 1_780_000_000
"""The "now" of the corpus, in seconds since 1970."""

_WORDS = """
session index record parent chain leaf branch snapshot version backup path file tree view
client server request response cache prompt token usage model tool result edit write read
grep bash return value async await def class import from self none true false raise error
except with open close buffer offset length stream parse decode encode schema field struct
array list dict set map filter reduce render node label icon command handler event watch
debounce notify refresh diff patch hunk line column
"""
WORDS = _WORDS.split()
CJK = "会话记录索引快照版本树视图请求响应缓存模型工具结果编辑读取写入分支路径文件"

_POOL_BYTES = 4 << 20
_IMAGE_BYTES = 3 << 20


class Texts:
    """Where all texts and images are cut out of.

    Attributes:
        pool: lines that look like code and prose, some with words that stand in records' headers.
        base64: what images and signatures are made of.
    """

    def __init__(self, seed: int) -> None:
        rng = Random(f"pool-{seed}")
        self.pool = _pool(rng)
        self.base64 = base64.b64encode(rng.randbytes(_IMAGE_BYTES)).decode()

    def text(self, rng: Random, length: int) -> str:
        start = rng.randrange(0, len(self.pool) - length - 1)
        return self.pool[start : start + length]


def skewed(rng: Random, median: int, sigma: float, low: int, high: int) -> int:
    """A size whose logarithm is normally distributed, kept between two ends."""
    return int(min(high, max(low, median * 2.718281828 ** rng.gauss(0, sigma))))


def uid(rng: Random) -> str:
    digits = f"{rng.getrandbits(128):032x}"
    parts = (digits[:8], digits[8:12], f"4{digits[13:16]}", f"a{digits[17:20]}", digits[20:])
    return "-".join(parts)


def iso(milliseconds: int) -> str:
    """A time as the agents write it; reckoned by hand, which is faster than `datetime`."""
    seconds, millis = divmod(milliseconds, 1000)
    days, second = divmod(seconds, 86400)
    since = days + 719468
    era = since // 146097
    of_era = since - era * 146097
    year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month <= 2)
    clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.{millis:03d}"
    return f"{year:04d}-{month:02d}-{day:02d}T{clock}Z"


def _pool(rng: Random) -> str:
    lines: list[str] = []
    size = 0
    while size < _POOL_BYTES:
        line = _line(rng)
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines)


def _line(rng: Random) -> str:
    kind = rng.random()
    indent = " " * (4 * rng.randrange(0, 5))
    words = rng.choices(WORDS, k=rng.randrange(3, 13))
    first, second, third = words[:3]
    if kind < 0.30:
        number, rest = rng.randrange(9999), " ".join(words[2:])
        return f'{indent}{first}_{second} = {third}("{first}.{second}", {number})  # {rest}'
    if kind < 0.45:
        return f"{indent}if {first}.{second} != '{third}': {first}[{rng.randrange(99)}] += {second}"
    if kind < 0.52:
        ident = f"{rng.getrandbits(64):016x}"
        return f'{indent}{{"{first}": "{second}", "uuid": "{ident}", "type": "{third}"}}'
    if kind < 0.56:
        return f"{indent}\t{first}\\{second}\\{third}\t{rng.random():.6f}"
    if kind < 0.58:
        return indent + "".join(rng.choices(CJK, k=rng.randrange(8, 40))) + " ✓ →"
    return "" if kind < 0.62 else indent + " ".join(words)
