"""Secrets of every kind that is found by itself, made up as the tests run: none stands in here."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
LOWER = UPPER.lower()
ALNUM = UPPER + LOWER + DIGITS
HEX = "0123456789abcdef"
WORD = f"{ALNUM}_-"


class Made:
    """Random letters, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def __call__(self, size: int, letters: str = ALNUM) -> str:
        # A letter stands at both ends: what is a part of a word in one place is none in another.
        inner = "".join(self._random.choices(letters, k=size - 2))
        return self._random.choice(letters[:6]) + inner + self._random.choice(letters[:6])


def _pem(made: Made) -> str:
    lines = "\n".join(made(64) for _ in range(4))
    return f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"


KINDS: dict[str, tuple[str, Callable[[Made], str]]] = {
    "AWS": ("aws-access-key", lambda made: f"AKIA{made(16, UPPER + '234567')}"),
    "AWS, for a time": ("aws-access-key", lambda made: f"ASIA{made(16, UPPER + '234567')}"),
    "Anthropic": ("anthropic-key", lambda made: f"sk-ant-api03-{made(93, WORD)}AA"),
    "Anthropic, admin": ("anthropic-key", lambda made: f"sk-ant-admin01-{made(93, WORD)}AA"),
    "Claude": ("anthropic-key", lambda made: f"sk-ant-oat01-{made(93, WORD)}AA"),
    "OpenAI": ("openai-key", lambda made: f"sk-{made(48)}"),
    "OpenAI, project": ("openai-key", lambda made: f"sk-proj-{made(156, WORD)}"),
    "OpenAI, service": ("openai-key", lambda made: f"sk-svcacct-{made(156, WORD)}"),
    "OpenRouter": ("openrouter-key", lambda made: f"sk-or-v1-{made(64, HEX)}"),
    "xAI": ("xai-key", lambda made: f"xai-{made(80)}"),
    "Groq": ("groq-key", lambda made: f"gsk_{made(52)}"),
    "Perplexity": ("perplexity-key", lambda made: f"pplx-{made(48)}"),
    "Replicate": ("replicate-token", lambda made: f"r8_{made(37)}"),
    "Hugging Face": ("huggingface-token", lambda made: f"hf_{made(34)}"),
    "Google": ("google-api-key", lambda made: f"AIza{made(35, WORD)}"),
    "Google, client": ("google-client-secret", lambda made: f"GOCSPX-{made(28, WORD)}"),
    "Google, access": ("google-oauth-token", lambda made: f"ya29.{made(150, WORD)}"),
    "Google, refresh": ("google-oauth-token", lambda made: f"1//0{made(96, WORD)}"),
    "GitHub": ("github-token", lambda made: f"ghp_{made(36)}"),
    "GitHub, app": ("github-token", lambda made: f"ghs_{made(36)}"),
    "GitHub, fine": ("github-token", lambda made: f"github_pat_{made(22)}_{made(59)}"),
    "GitLab": ("gitlab-token", lambda made: f"glpat-{made(20, WORD)}"),
    "GitLab, routed": (
        "gitlab-token",
        lambda made: f"glpat-{made(27, WORD)}.01.{made(9, DIGITS + LOWER)}",
    ),
    "GitLab, runner": ("gitlab-token", lambda made: f"glrt-{made(20, WORD)}"),
    "Slack, bot": (
        "slack-token",
        lambda made: f"xoxb-{made(12, DIGITS)}-{made(13, DIGITS)}-{made(24)}",
    ),
    "Slack, user": (
        "slack-token",
        lambda made: f"xoxp-{made(12, DIGITS)}-{made(13, DIGITS)}-{made(32, HEX)}",
    ),
    "Slack, app": ("slack-token", lambda made: f"xapp-1-A{made(10, UPPER)}-{made(64, HEX)}"),
    "Slack, hook": (
        "slack-webhook",
        lambda made: f"T{made(10, UPPER)}/B{made(10, UPPER)}/{made(24)}",
    ),
    "Discord, hook": ("discord-webhook", lambda made: made(68, WORD)),
    "Stripe": ("stripe-key", lambda made: f"sk_live_{made(24)}"),
    "Stripe, long": ("stripe-key", lambda made: f"rk_live_{made(99)}"),
    "Stripe, hook": ("stripe-key", lambda made: f"whsec_{made(32)}"),
    "Square": ("square-token", lambda made: f"sq0csp-{made(43, WORD)}"),
    "Shopify": ("shopify-token", lambda made: f"shpat_{made(32, HEX)}"),
    "npm": ("npm-token", lambda made: f"npm_{made(36)}"),
    "PyPI": ("pypi-token", lambda made: f"pypi-AgEIcHlwaS5vcmc{made(150, WORD)}"),
    "RubyGems": ("rubygems-key", lambda made: f"rubygems_{made(48, HEX)}"),
    "Docker": ("docker-token", lambda made: f"dckr_pat_{made(27, WORD)}"),
    "SendGrid": ("sendgrid-key", lambda made: f"SG.{made(22, WORD)}.{made(43, WORD)}"),
    "Twilio": ("twilio-key", lambda made: f"SK{made(32, HEX)}"),
    "Telegram": ("telegram-bot-token", lambda made: f"{made(10, DIGITS[1:])}:AA{made(33, WORD)}"),
    "Discord": ("discord-token", lambda made: f"M{made(25)}.{made(6, WORD)}.{made(38, WORD)}"),
    "DigitalOcean": ("digitalocean-token", lambda made: f"dop_v1_{made(64, HEX)}"),
    "Databricks": ("databricks-token", lambda made: f"dapi{made(32, HEX)}"),
    "Vault": ("vault-token", lambda made: f"hvs.{made(90, WORD)}"),
    "Terraform": ("terraform-token", lambda made: f"{made(14)}.atlasv1.{made(67, WORD)}"),
    "Azure": ("azure-client-secret", lambda made: f"{made(3)}8Q~{made(34, WORD)}"),
    "Grafana": ("grafana-token", lambda made: f"glsa_{made(32)}_{made(8, HEX)}"),
    "Sentry": ("sentry-token", lambda made: f"sntryu_{made(64, HEX)}"),
    "Linear": ("linear-key", lambda made: f"lin_api_{made(40)}"),
    "Notion": ("notion-token", lambda made: f"ntn_{made(46)}"),
    "Figma": ("figma-token", lambda made: f"figd_{made(40, WORD)}"),
    "Postman": ("postman-key", lambda made: f"PMAK-{made(24, HEX)}-{made(34, HEX)}"),
    "Atlassian": ("atlassian-token", lambda made: f"ATATT3{made(186, WORD)}=1A2B3C4D"),
    "Supabase": ("supabase-key", lambda made: f"sbp_{made(40, HEX)}"),
    "age": ("age-key", lambda made: f"AGE-SECRET-KEY-1{made(58, UPPER + '234567')}"),
    "JWT": (
        "jwt",
        lambda made: f"eyJ{made(33)}.eyJ{made(60, WORD)}.{made(43, WORD)}",
    ),
    "private key": ("private-key", _pem),
}
"""By what it is: the kind that a redaction names, and one that looks like those that are issued."""

AROUND = {
    "slack-webhook": "https://hooks.slack.com/services/{}",
    "discord-webhook": "https://discord.com/api/webhooks/123456789012345678/{}",
}
"""What must stand around some to be told."""


def secret(name: str, seed: int) -> tuple[str, str]:
    """Return a made-up secret, and the same with what must stand around it."""
    kind, make = KINDS[name]
    made = make(Made(seed))
    return made, AROUND.get(kind, "{}").format(made)
