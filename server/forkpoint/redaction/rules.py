"""What do secrets look like? Rules of our own, from the shapes that their issuers describe.

A rule is looked for where one of its anchors stands, and nowhere else: no pattern runs over a whole
text. What it looks at from an anchor is bounded, or taken and the search goes on behind it, so that
no text takes longer than its length says.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """A kind of secret.

    Attributes:
        anchors: with blanks between; a text without any of them has no such secret.
        pattern: the secret is its last group that took part, or all of it.
    """

    kind: str
    anchors: str
    pattern: str


_ESCAPED = (r"\\[nrtbf]", r"\\u[0-9a-fA-F]{4}", "%[0-9a-fA-F]{2}")


def _begins(letters: str, taken: str = "") -> str:
    """Where a word begins that has such letters; behind an escaped character one does, too.

    Args:
        letters: a class of characters.
        taken: what of the word stands before this, so that it is searched for first.
    """
    escaped = "|".join(f"(?<={one}{taken})" for one in _ESCAPED)
    return f"(?:(?<!{letters}{taken})|{escaped})"


EDGE = _begins("[A-Za-z0-9]")
_END = r"(?![A-Za-z0-9])"
"""There are no halves: of what goes on the shape is another."""

TOKENS = (
    Rule("anthropic-key", "sk-ant-", r"sk-ant-[a-z]{2,12}\d\d-[\w-]{20,}"),
    Rule("openai-key", "sk-proj- sk-svcacct- sk-admin-", r"sk-[a-z]+-[\w-]{20,}"),
    Rule("openai-key", "sk-", rf"sk-(?:[A-Za-z0-9]{{48}}|[A-Za-z0-9]{{32}}){_END}"),
    Rule("openrouter-key", "sk-or-", rf"sk-or-v\d-[0-9a-f]{{64}}{_END}"),
    Rule("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    Rule("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    Rule("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    Rule("replicate-token", "r8_", rf"r8_[A-Za-z0-9]{{37}}{_END}"),
    Rule("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    Rule("aws-access-key", "AKIA ASIA ABIA ACCA", rf"A[A-Z]{{3}}[A-Z0-9]{{16}}{_END}"),
    Rule("google-api-key", "AIza", rf"AIza[\w-]{{35}}{_END}"),
    Rule("google-client-secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    Rule("google-oauth-token", "ya29.", r"ya29\.[\w-]{20,}(?:\.[\w-]+)*"),
    Rule("google-oauth-token", "1//0", r"1//0[\w-]{30,}"),
    Rule("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh._[A-Za-z0-9]{36,}"),
    Rule("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{60,}"),
    Rule(
        "gitlab-token",
        "glpat- glptt- gldt- glrt- glft- glsoat- gloas- glcbt- glimt- glagent- GR1348941",
        r"(?:gl[a-z]+-|GR1348941)[\w-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?",
    ),
    Rule(
        "slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-", r"x[a-z]{3}-[A-Za-z0-9-]{16,}"
    ),
    Rule("slack-token", "xoxc- xoxd-", r"xox[cd]-[A-Za-z0-9%+/=-]{16,}"),
    Rule(
        "slack-webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})",
    ),
    Rule(
        "discord-webhook",
        "discord.com/api/ discordapp.com/api/",
        r"discord[a-z]*\.com/api/webhooks/\d{15,22}/([\w-]{40,})",
    ),
    Rule("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", r"[rs]k_[a-z]{4}_[A-Za-z0-9]{16,}"),
    Rule("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    Rule("square-token", "sq0csp- sq0atp-", r"sq0[a-z]{3}-[\w-]{22,}"),
    Rule("shopify-token", "shpat_ shpss_ shpca_ shppa_", rf"shp[a-z]{{2}}_[0-9a-fA-F]{{32}}{_END}"),
    Rule("npm-token", "npm_", rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    Rule("pypi-token", "pypi-AgE", r"pypi-[\w-]{60,}"),
    Rule("rubygems-key", "rubygems_", rf"rubygems_[0-9a-f]{{48}}{_END}"),
    Rule("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[op]at_[\w-]{20,}"),
    Rule("sendgrid-key", "SG.", rf"SG\.[\w-]{{22}}\.[\w-]{{43}}{_END}"),
    Rule("twilio-key", "SK", rf"SK[0-9a-f]{{32}}{_END}"),
    Rule("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"do._v1_[0-9a-f]{{64}}{_END}"),
    Rule("databricks-token", "dapi", rf"dapi[0-9a-f]{{32}}(?:-\d)?{_END}"),
    Rule("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    Rule("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9+/_]{32,}={0,2}"),
    Rule("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[\w+/=-]{40,}"),
    Rule("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,}"),
    Rule("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    Rule("figma-token", "figd_", r"figd_[\w-]{40,}"),
    Rule("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    Rule("atlassian-token", "ATATT3 ATCTT3 ATBB", r"AT(?:[AC]TT3|BB)[\w-]{24,}(?:=[0-9A-F]{8})?"),
    Rule("supabase-key", "sbp_ sb_secret_", r"sb(?:p|_secret)_[\w-]{30,}"),
    Rule("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    Rule("jwt", "eyJ", r"eyJ[\w-]{8,1000}+\.eyJ[\w-]{8,4000}+\.[\w-]{8,}"),
)
"""A word that begins with an anchor, as it is written."""

SHAPES = (
    Rule(
        "telegram-bot-token",
        ":A",
        rf"[0-9]{_begins('[0-9]', '.')}[0-9]{{5,11}}:A[\w-]{{34}}(?![\w-])",
    ),
    Rule(
        "discord-token",
        ".",
        rf"[MNO]{_begins('[A-Za-z0-9_.-]', '.')}"
        r"[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])",
    ),
    Rule(
        "azure-client-secret",
        "Q~",
        rf"{_begins('[A-Za-z0-9_~.-]')}[\w~.-]{{3}}\dQ~[\w~.-]{{30,34}}(?![\w~-])",
    ),
    Rule(
        "terraform-token", ".atlasv1.", rf"{_begins('[A-Za-z0-9_]')}\w{{14}}\.atlasv1\.[\w-]{{60,}}"
    ),
)
"""What has no beginning of its own; searched for in a text that has an anchor anywhere."""

_QUOTES = r"[\"'`\\]{0,6}"
_EQUALS = rf"{_QUOTES}\s{{0,4}}(?::=|=>|[:=])\s{{0,4}}{_QUOTES}"
_IN_VALUE = r"[^\s\"'`\\<>(){}\[\]$;,|\0]"
_VALUE = rf"({_IN_VALUE}{{8,500}})"
_SUFFIX = (
    r"\d{0,3}(?:[_-][a-z0-9]{1,20}){0,3}(?<![_-]id)(?<!type)(?<!name)(?<!file)(?<!path)(?<!hash)"
)

GENERAL = (
    Rule("authorization-header", "authorization",
         rf"authorization{_EQUALS}(?:bearer|basic|token)\s{{1,3}}([\w.~+/=-]{{8,}})"),
    Rule("bearer-token", "bearer", r"bearer\s{1,3}([\w.~+/=-]{20,})"),
    Rule("azure-storage-key", "accountkey=", r"accountkey=([a-z0-9+/]{86}==)"),
    Rule("azure-signature", "sig=", r"sig=([a-z0-9%]{43,80}%3d)"),
    Rule("curl-user", "curl",
         r"curl\b[^\n]{0,400}?\s(?:-u|--user)[ =][\"']?([^\s:\"'$\0]{1,64}:[^\s\"'$\0]{3,128})"),
    Rule("url-password", "://", r"://([^\s/:@\"'<>$\0]{0,64}:[^\s/@\"'<>${*\0]{3,256})@"),
    Rule("netrc-password", "machine",
         r"machine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}([^\s<>${}\0]{3,})"),
    Rule("npm-token", "_auth", rf"_auth(?:token)?{_EQUALS}{_VALUE}"),
    Rule("docker-login", "auth",
         r"auth\\{0,3}\"\s{0,3}:\s{0,3}\\{0,3}\"([a-z0-9+/]{12,}={0,2})\\{0,3}\""),
    Rule("password", "passw passphrase secret",
         r"(?:passw(?:or)?d|passphrase|secret)[\"'\\]{0,3}\s?[:=]\s?\\?([\"'])"
         r"(?=[^\"'\s]{0,100}[0-9])([^\"'\s\\<>${}()\0]{6,128})\\?\1"),
    Rule("password", "passw passphrase pwd",
         rf"(?:passw(?:or)?d|passphrase|pwd){_SUFFIX}{_EQUALS}{_VALUE}"),
    Rule("assigned-secret", "secret token credential",
         rf"(?:secret|token|credentials?){_SUFFIX}{_EQUALS}{_VALUE}"),
    Rule("assigned-secret", "key", rf"key{_SUFFIX}{_EQUALS}{_VALUE}"),
    Rule("option", "--",
         rf"--(?:[a-z]{{1,20}}-){{0,3}}(?:password|passphrase|secret|token|key)\s{_QUOTES}{_VALUE}"),
)  # fmt: skip
"""What the words before it call a secret, in any case: an anchor is where the match begins."""

REST = rf"{_IN_VALUE}*"
"""How a value goes on that is longer than what is looked at to judge it."""

OF_A_USER = ("url-password", "curl-user")
"""Kinds of which the value is a user, a colon and a password."""
