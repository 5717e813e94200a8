"""What was worded in English, said in another language; anything else stays as it is."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.languages import ENGLISH, Language, language_for
from forkpoint.worded import PARTS, counted, joined, say

CHINESE = Language(
    {
        "Kept for {time}": "保留 {time}",
        "{count} day": "{count} 天",
        "{count} days": "{count} 天",
        "{count:,} tokens": "{count:,} token",
        "It is {name}.": "即 {name}。",
        " ": "",
        ", ": "、",
    }
)

SAID = [
    (counted(1, "{count} day", "{count} days"), "1 day", "1 天"),
    (counted(3, "{count} day", "{count} days"), "3 days", "3 天"),
    (
        say("Kept for {time}", time=counted(2, "{count} day", "{count} days")),
        "Kept for 2 days",
        "保留 2 天",
    ),
    (say("{count:,} tokens", count=14_300), "14,300 tokens", "14,300 token"),
    # A part may look like a pattern, or like a sentence of the table: it is content.
    (
        say("It is {name}.", name="{name} {count} day"),
        "It is {name} {count} day.",
        "即 {name} {count} day。",
    ),
    (
        joined([say("It is {name}.", name="a"), "", say("It is {name}.", name="b")]),
        "It is a. It is b.",
        "即 a。即 b。",
    ),
    (joined(["a", "b"], PARTS), "a, b", "a、b"),
    (say("No translation of {name}", name=1), "No translation of 1", "No translation of 1"),
]


@pytest.mark.parametrize(("worded", "english", "chinese"), SAID)
def test_a_sentence_in_both_languages(worded: str, english: str, chinese: str) -> None:
    assert (worded, ENGLISH.said(worded), CHINESE.said(worded)) == (english, english, chinese)


@pytest.mark.parametrize(("worded", "english", "chinese"), SAID)
def test_all_that_writes_json_takes_it_for_text(worded: str, english: str, chinese: str) -> None:
    assert orjson.loads(orjson.dumps({"sentence": worded})) == {"sentence": english}
    assert json.loads(json.dumps([worded])) == [english]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from([*CHINESE.translations]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_content_stays_as_it_is_even_where_it_reads_like_a_sentence(value: object) -> None:
    assert CHINESE.said(value) == value
    assert ENGLISH.said(value) is value


def test_sentences_are_said_wherever_they_stand() -> None:
    day = counted(1, "{count} day", "{count} days")
    answer = {"rows": [{"sentence": day, "title": "1 day"}], "sentence": None}
    assert CHINESE.said(answer) == {
        "rows": [{"sentence": "1 天", "title": "1 day"}],
        "sentence": None,
    }
    assert answer["rows"] == [{"sentence": "1 day", "title": "1 day"}]


@pytest.mark.parametrize("locale", [None, "", "en", "en-GB", "de", "zh-tw", "zh-Hant", "zhuang", 5])
def test_locales_that_get_english(locale: object) -> None:
    assert language_for(locale) is ENGLISH


@pytest.mark.parametrize("locale", ["zh-cn", "zh-CN", "zh", "zh_CN", "zh-Hans", "zh-Hans-CN"])
def test_locales_that_get_chinese(locale: str) -> None:
    assert language_for(locale).said(say("There is no such file.")) == "没有这个文件。"
