"""Settings of a client: what they become, and what is said when they do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from forkpoint.lsp.options import Options, options_with
from forkpoint.prices import Price, Prices

BASE = Options(claude_config_dirs=(Path("/base"),))
FIVE = {"input": 1, "output": 2.5, "cacheRead": 0, "cacheWrite5m": 4, "cacheWrite1h": 5}
PRICE = Price(1, 2.5, 0, 4, 5, source="settings")
BASE_PRICES = Options(prices=Prices({"fable-5": PRICE}))
FOLDER = "forkpoint.claudeConfigDirs must be the absolute path of a folder; it is ignored."
LIST = "forkpoint.claudeConfigDirs must be a list of folders; it is ignored."
ACCOUNT = "forkpoint.account must be unknown, subscription or apiKey; it is ignored."
WATCHING = "forkpoint.watch must be true, false, auto, poll or off; it is ignored."
CACHE_FOLDER = "forkpoint.cacheDir must be the absolute path of a folder; it is ignored."
SEARCH = "forkpoint.search must be an object such as {toolOutputs: false}; it is ignored."
OUTPUTS = "forkpoint.search.toolOutputs must be true or false; it is ignored."
YES_OR_NO = "forkpoint.statusLineCache must be true or false; it is ignored."


def no_price(name: str) -> str:
    return (
        f"forkpoint.prices.{name} must be an object with input, output, cacheRead, cacheWrite5m and"
        " cacheWrite1h, each in US dollars per million tokens from 0 to 1000000; it is ignored."
    )


TABLE = [
    (None, BASE, []),
    ({}, BASE, []),
    ({"claudeConfigDirs": []}, BASE, []),
    ({"claudeConfigDirs": None}, BASE, []),
    ({"python": 3, "claude_config_dirs": ["/x"], "cache_dir": "/x"}, BASE, []),
    (
        {"claudeConfigDirs": ["/a", "/b c"]},
        Options(claude_config_dirs=(Path("/a"), Path("/b c"))),
        [],
    ),
    ([], BASE, ["The settings of forkpoint must be an object."]),
    ({"claudeConfigDirs": "/d"}, BASE, [LIST]),
    ({"claudeConfigDirs": ["relative"]}, BASE, [FOLDER]),
    ({"claudeConfigDirs": ["/a", 1]}, BASE, [FOLDER]),
    ({"claudeConfigDirs": ["/a\0b"]}, BASE, [FOLDER]),
]

MORE = [
    ({"prices": {}}, BASE_PRICES, []),
    ({"prices": {"Opus-5-5": FIVE}}, Options(prices=Prices({"opus-5-5": PRICE})), []),
    (
        {"prices": {"claude-opus-5-5-fast": FIVE, "my/model": {**FIVE, "note": "mine"}}},
        Options(prices=Prices({"claude-opus-5-5-fast": PRICE, "my/model": PRICE})),
        [],
    ),
    (
        {"prices": {"a": FIVE, "b": 1, "c": None, "d": []}},
        Options(prices=Prices({"a": PRICE})),
        [no_price("b"), no_price("c"), no_price("d")],
    ),
    *(
        ({"prices": {"a": {**FIVE, "output": wrong}}}, Options(), [no_price("a")])
        for wrong in (-0.01, "3", True, None, [1], float("nan"), float("inf"), 1e300)
    ),
    *(
        (
            {"prices": {"a": {key: value for key, value in FIVE.items() if key != missing}}},
            Options(),
            [no_price("a")],
        )
        for missing in FIVE
    ),
    *(
        (
            {"prices": wrong},
            BASE_PRICES,
            ["forkpoint.prices must be an object of models and their prices; it is ignored."],
        )
        for wrong in (3, "opus", [FIVE], True)
    ),
    *(
        ({"account": account}, evolve(BASE_PRICES, account=account), [])
        for account in ("unknown", "subscription", "apiKey")
    ),
    ({"account": ""}, BASE_PRICES, []),
    *(({"account": wrong}, BASE_PRICES, [ACCOUNT]) for wrong in ("max", 1, ["apiKey"], False)),
    ({"statusLineCache": True}, evolve(BASE_PRICES, status_line_cache=True), []),
    ({"statusLineCache": False}, BASE_PRICES, []),
    *(
        ({"watch": given}, evolve(BASE_PRICES, watch=taken), [])
        for given, taken in ((True, "auto"), (False, "off"), ("poll", "poll"), ("off", "off"))
    ),
    *(({"watch": wrong}, BASE_PRICES, [WATCHING]) for wrong in ("always", 1, ["poll"])),
    ({"search": {"toolOutputs": False}}, evolve(BASE_PRICES, search_tool_outputs=False), []),
    *(
        ({"search": given}, BASE_PRICES, [])
        for given in ({}, {"toolOutputs": True}, {"toolOutputs": None}, {"future": 1})
    ),
    *(({"search": wrong}, BASE_PRICES, [SEARCH]) for wrong in ("no", 1, False, ["toolOutputs"])),
    *(({"search": {"toolOutputs": wrong}}, BASE_PRICES, [OUTPUTS]) for wrong in ("no", 0)),
    ({"cacheDir": "/c"}, evolve(BASE_PRICES, cache_dir=Path("/c")), []),
    *(({"cacheDir": wrong}, BASE_PRICES, [CACHE_FOLDER]) for wrong in ("c", 1, "/c\0d")),
    *(({"statusLineCache": wrong}, BASE_PRICES, [YES_OR_NO]) for wrong in ("yes", 1, 0, [True])),
    (
        {"account": "max", "statusLineCache": True, "prices": {"a": 1}},
        Options(status_line_cache=True),
        [ACCOUNT, no_price("a")],
    ),
]


@pytest.mark.parametrize(("given", "options", "sentences"), MORE)
def test_prices_account_and_status_line(given: object, options: Options, sentences: list[str]):
    assert options_with(BASE_PRICES, given) == (options, sentences)


def test_a_setting_is_as_another_says_where_it_is_false_or_unknown():
    base = Options(account="apiKey", status_line_cache=True)
    given = {"account": "unknown", "statusLineCache": False}
    assert options_with(base, given) == (Options(), [])


@pytest.mark.parametrize(("given", "options", "sentences"), TABLE)
def test_settings_over_others(given: object, options: Options, sentences: list[str]):
    assert options_with(BASE, given) == (options, sentences)


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/me")
    options, sentences = options_with(Options(), {"claudeConfigDirs": ["~/.claude-work"]})
    assert (options.claude_config_dirs, sentences) == ((Path("/home/me/.claude-work"),), [])
