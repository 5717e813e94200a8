"""What is taken out of texts, and what stays: secrets, home folders, names."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from forkpoint.redaction.library import PLUGINS, detectors, known_to_library
from forkpoint.redaction.ordinary import entropy_of
from forkpoint.redaction.redactor import Finder, Redactor, What
from forkpoint.redaction.rules import SHAPES, TOKENS
from forkpoint.redaction.searching import lowered, tokens_in
from forkpoint.redaction.secrets import secrets_in
from tests.made_up import AROUND, KINDS, secret

ALL = What(secrets=True, paths=True, names=True)
_RANDOM = random.Random(7)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def made_up(size: int, letters: str = f"{LETTERS}0123456789") -> str:
    """No secret stands in this repository: they are made up as the tests run."""
    return "".join(_RANDOM.choices(letters, k=size - 2)) + "q7"


def redactor(*values: object, what: What = ALL, folders: tuple[str, ...] = ()) -> Redactor:
    finder = Finder(what)
    finder.people.know_folders(folders)
    for value in values:
        finder.look(value)
    return finder.done()


def redacted(text: str, what: What = ALL, folders: tuple[str, ...] = ()) -> str:
    return redactor(text, what=what, folders=folders).text(text)


# --- secrets -----------------------------------------------------------------------------------

AWS = "AKIA" + "".join(_RANDOM.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
GITHUB = f"ghp_{made_up(36)}"
ANTHROPIC = f"sk-ant-api03-{made_up(93)}AA"
SUBSCRIPTION = f"sk-ant-oat01-{made_up(95)}"
GOOGLE = f"AIza{made_up(35)}"
SLACK = f"xoxb-{made_up(12, '0123456789')[:-2]}12-{made_up(12, '0123456789')[:-2]}12-{made_up(24)}"
JWT = f"eyJ{made_up(20)}.eyJ{made_up(40)}.{made_up(43)}"
SLASHED = f"{made_up(13)}/{made_up(7)}/{made_up(18)}"
KEY_LINES = "\n".join(made_up(64) for _ in range(6))
PRIVATE = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        (f"aws_access_key_id = {AWS}", AWS, "aws-access-key"),
        (f"I used {AWS}, as told.", AWS, "aws-access-key"),
        (f"export GITHUB_TOKEN={GITHUB} && gh pr list", GITHUB, "github-token"),
        (f"see {GITHUB}.", GITHUB, "github-token"),
        (f"钥匙{ANTHROPIC}。", ANTHROPIC, "anthropic-key"),
        (f"first\\n{ANTHROPIC}\\nlast", ANTHROPIC, "anthropic-key"),
        (json.dumps(json.dumps({"key": ANTHROPIC})), ANTHROPIC, "anthropic-key"),
        (f"({SUBSCRIPTION})", SUBSCRIPTION, "anthropic-key"),
        (f"<b>{GOOGLE}</b>", GOOGLE, "google-api-key"),
        (f"`{SLACK}`", SLACK, "slack-token"),
        (f"id_token: {JWT}", JWT, "jwt"),
        (f"AWS_SECRET_ACCESS_KEY={SLASHED}", SLASHED, "assigned-secret"),
        (f'"db_password": "{made_up(6)}"', None, "password"),
        (f"https://me:{GITHUB}@github.com/x/y", GITHUB, "github-token"),
        ("postgres://shop:tr0ub4dor&3@db/shop", "tr0ub4dor&3", "url-password"),
        ("curl -s -u shop:tr0ub https://x", "shop:tr0ub", "curl-user"),
        ("Authorization: Bearer abc.DEF-ghi012", "abc.DEF-ghi012", "authorization-header"),
        (PRIVATE, PRIVATE, "private-key"),
        (PRIVATE.replace("\n", "\\n"), KEY_LINES.split("\n")[3], "private-key"),
        (f"{PRIVATE[:200]}", PRIVATE[:200], "private-key"),
    ],
)
def test_a_secret_is_found_and_does_not_stay(text: str, secret: str | None, kind: str) -> None:
    kinds = [found.kind for found in secrets_in(text)]
    assert kind in kinds
    assert secret is None or secret not in redacted(text)
    assert f": {kind}]" in redacted(text)


def test_a_secret_that_was_told_once_goes_wherever_it_stands_alone() -> None:
    told, alone = {"api_key": SLASHED}, [f"it answered {SLASHED}?", SLASHED]
    clean = redactor(alone, told)
    assert clean.value(alone) == [
        "it answered [secret 1: assigned-secret]?",
        "[secret 1: assigned-secret]",
    ]
    assert clean.value(told) == {"api_key": "[secret 1: assigned-secret]"}
    assert clean.counts == {"secret:assigned-secret": 3}


def test_the_word_behind_an_option_is_a_secret() -> None:
    command = ["deploy", "--token", made_up(24)]
    assert redactor(command).value(command) == ["deploy", "--token", "[secret 1: assigned-secret]"]


def test_a_line_of_a_private_key_gives_it_away() -> None:
    line = KEY_LINES.split("\n")[2]
    assert redactor(PRIVATE, line).text(line) == "[secret 1: private-key]"


def test_of_a_text_that_was_cut_the_last_word_goes() -> None:
    clean = redactor("nothing here")
    half = f"use the key {GITHUB[:30]}"
    assert clean.cut_text(half, len(half)) == "use the key …"
    assert clean.cut_text(f"{half}…", 1000) == "use the key …"
    assert clean.cut_text(half, 1000) == half


ORDINARY = [
    "5e551010-0000-4000-8000-000000000000",
    "session_key: 5e551010-0000-4000-8000-000000000000",
    "commit 9cde426f1be0ab0b7c2e6e6b2b6e0a0a1d3c4b5e",
    "token = request.headers.get('x')",
    "const apiKey = process.env.API_KEY_2024",
    "password = os.environ['DB_PASSWORD']",
    "export TOKEN=$GITHUB_TOKEN",
    "postgres://user:password@localhost/db",
    "https://x.org/home/dashboard and /home/user/x",
    "The secret of a good key is practice: press it softly.",
    "git@github.com:owner/repo.git, icon@2x.png, lodash@4.17.21, getty@tty1.service",
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "npm run build --home-dir=/srv",
    "data:image/png;base64,iVBORw0KGgo=",
    "toolu_01A09q90qw90lq917835lq9",
    '{"integrity": "sha512-9NykojV5Uih4lgo5So5dtw+f0JgJX30KCNI8gwhz2J9A15wD0Ml6tjHKwf6fTSa6fAdV"}',
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_prose_code_and_ids_stay(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_token_is_found_whole_and_named(name: str) -> None:
    kind = KINDS[name][0]
    for seed in range(20):
        made, told = secret(name, seed)
        assert [(found.value, found.kind) for found in secrets_in(f"see {told}.")] == [(made, kind)]


def test_every_rule_has_a_kind_to_be_tested_with() -> None:
    assert {rule.kind for rule in (*TOKENS, *SHAPES)} | {"private-key"} == {
        kind for kind, _ in KINDS.values()
    }


def test_a_key_has_no_halves() -> None:
    for name in ("AWS", "Google", "npm", "SendGrid", "Twilio", "DigitalOcean"):
        made, _ = secret(name, 1)
        assert [*tokens_in(f"{made}a")] == []


@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name][0] not in AROUND])
def test_behind_an_escaped_character_a_token_begins(name: str) -> None:
    made, _ = secret(name, 4)
    for escaped in ("\\n", "\\\\t", "\\u5319", "%3D", "x\\u00e9", "\u94a5"):
        assert made not in redacted(f"a{escaped}{made}")


def test_of_a_long_value_all_is_taken() -> None:
    long = made_up(3000)
    assert redacted(f"client_secret: {long}.") == "client_secret: [secret 1: assigned-secret]."


def test_in_an_address_a_parameter_follows_a_secret() -> None:
    one, other = made_up(24), made_up(24)
    clean = redactor(f"GET /a?access_token={one}&refresh_token={other}&page=2")
    assert clean.text(f"it was {one}") == "it was [secret 1: assigned-secret]"
    assert clean.text(f"and {other}") == "and [secret 2: assigned-secret]"


def test_what_is_lowered_keeps_its_place() -> None:
    every = "".join(chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000)
    assert len(lowered(every)) == len(every)
    text = "\u0130\u0130 PASSWORD='tr0ub4dor3' "
    assert [found.value for found in secrets_in(text)] == ["tr0ub4dor3"]


# --- with detect-secrets, and without -----------------------------------------------------------


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in sys.modules if name.startswith("detect_secrets")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "detect_secrets", None)
    detectors.cache_clear()
    yield
    monkeypatch.undo()
    detectors.cache_clear()


LIBRARY_ALONE = [
    (f"key: AKC{made_up(60)}", "artifactory-key"),
    (f"cloudant_password = {made_up(64, 'abcdef0123456789')[:-2]}e5", "cloudant-key"),
    (f"{made_up(32, 'abcdef0123456789')[:-2]}e5-us12 is for letters", "mailchimp-key"),
    (f"softlayer_key: {made_up(64, 'abcdef0123456789')[:-2]}e5", "softlayer-key"),
]


@pytest.mark.parametrize(("text", "kind"), LIBRARY_ALONE)
def test_the_library_knows_more_issuers(text: str, kind: str) -> None:
    [found] = known_to_library(text)
    assert found.kind == kind
    assert found.value not in redacted(text)
    assert f": {kind}]" in redacted(text)


def test_all_plugins_are_there() -> None:
    assert len(detectors()) == len(PLUGINS)


def test_without_the_library_our_own_rules_find_every_token(without_library: None) -> None:
    assert detectors() == ()
    for name in KINDS:
        made, told = secret(name, 5)
        assert made not in redacted(f"see {told}.")


def test_the_library_is_asked_nothing_over_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr("socket.socket", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)
    for text, _ in LIBRARY_ALONE:
        redacted(text)
    for name in KINDS:
        redacted(secret(name, 3)[1])


def test_what_could_use_a_network_is_imported_for_a_redaction_only() -> None:
    program = (
        "import sys; import forkpoint.lsp.handlers;"
        "from forkpoint.redaction.redactor import Finder, What;"
        "Finder(What(paths=True, names=True)).look('x');"
        "print([name for name in ('detect_secrets', 'requests') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "[]\n"


def test_entropy_is_bits_per_character() -> None:
    assert entropy_of("aaaa") == 0
    assert entropy_of("abab") == 1
    assert entropy_of("abcd") == 2


# --- home folders ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("/home/jane/shop", "/home/[user 1]/shop"),
        ("/Users/jane.doe", "/Users/[user 1]"),
        ("C:\\Users\\Jane Doe\\shop", "C:\\Users\\[user 1]\\shop"),
        ("C:\\\\Users\\\\Jane Doe\\\\shop", "C:\\\\Users\\\\[user 1]\\\\shop"),
        ("C:/Users/jane/shop", "C:/Users/[user 1]/shop"),
        ("file:///home/jane/a%20b", "file:///home/[user 1]/a%20b"),
        ("file:///c%3A/Users/jane/a", "file:///c%3A/Users/[user 1]/a"),
        ("%2Fhome%2Fjane%2Fa", "%2Fhome%2F[user 1]%2Fa"),
        ("\\/home\\/jane\\/a", "\\/home\\/[user 1]\\/a"),
        ("/mnt/c/Users/jane/a", "/mnt/c/Users/[user 1]/a"),
        ("/var/home/jane/a", "/var/home/[user 1]/a"),
        ("~/.claude/projects/-home-jane-shop/x", "~/.claude/projects/-home-[user 1]-shop/x"),
        ("C--Users-jane-shop", "C--Users-[user 1]-shop"),
        ("/home/jane-doe/a -home-jane-doe-a", "/home/[user 1]/a -home-[user 1]-a"),
        ("/home/jane, /home/jim, /home/jane.", "/home/[user 1], /home/[user 2], /home/[user 1]."),
        ("ls /home", "ls /home"),
        ("/Users/Shared/a", "/Users/Shared/a"),
    ],
)  # fmt: skip
def test_whose_home_it_is_goes(text: str, clean: str) -> None:
    assert redacted(text, What(paths=True)) == clean


def test_whose_home_is_known_is_known_below_any_root() -> None:
    text = "/home/jane/a, scp box:backup/home/jane/a"
    assert redacted(text, What(paths=True)) == "/home/[user 1]/a, scp box:backup/home/[user 1]/a"


# --- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("mail jane@corp.io today", "mail [email 1] today"),
        ("Author: Jane Q. Doe <jane@corp.io>", "Author: [name 1] <[email 1]>"),
        ("Acked-by: Jane Doe <j@x.org>\nJane Doe", "Acked-by: [name 1] <[email 1]>\n[name 1]"),
        ('git config user.name "Jane Doe"', 'git config user.name "[name 1]"'),
        ("jdoe@anvil7:~/shop$ ls\nssh anvil7", "[user 1]@[host 1]:~/shop$ ls\nssh [host 1]"),
        ("Linux anvil7 6.1.0-9-amd64 #1 SMP", "Linux [host 1] 6.1.0-9-amd64 #1 SMP"),
        ("ran by jdoe in jdoe/x, not ajdoe", "ran by [user 1] in [user 1]/x, not ajdoe"),
    ],
)  # fmt: skip
def test_names_go(text: str, clean: str) -> None:
    assert redacted(text, What(names=True), folders=("/home/jdoe/shop",)) == clean


def test_an_account_of_a_common_name_is_a_word() -> None:
    text = "dev, test and claude are words"
    assert redacted(text, folders=("/home/dev/a", "/home/test/a", "/home/claude/a")) == text


def test_the_names_of_fields_stay_whatever_an_account_is_called() -> None:
    record = {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "text", "text": "x"}]},
    }
    folders = tuple(f"/home/{name}/x" for name in ("type", "message", "content", "text", "role"))
    assert redactor(record, folders=folders).value(record) == record


def test_only_what_is_asked_for_goes() -> None:
    text = f"/home/jane {GITHUB} jane@corp.io"
    assert redacted(text, What(secrets=True)) == "/home/jane [secret 1: github-token] jane@corp.io"
    assert redacted(text, What(paths=True)) == f"/home/[user 1] {GITHUB} jane@corp.io"
    assert redacted(text, What(names=True)) == f"/home/jane {GITHUB} [email 1]"


@pytest.mark.parametrize("text", [
    f"/home/jane {GITHUB} jane@corp.io Jane Doe <jane@corp.io> password='{made_up(9)}'",
    "\n".join(ORDINARY),
    f"{PRIVATE}\n{JWT} {AWS}",
    # What follows a placeholder is below a folder, as what followed the name was.
    "C:\\Users\\j\\Users\\jim\\x /home/j/c/Users/jo/y /home/j/home/jill",
])  # fmt: skip
def test_taking_out_twice_is_taking_out_once(text: str) -> None:
    once = redacted(text, folders=("/home/jane/x",))
    assert redacted(once, folders=("/home/jane/x",)) == once
