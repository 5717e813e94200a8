"""The decision table of the rule book's section 6 from row 14 on: see `forecast_rows`."""

from __future__ import annotations

from forkpoint.cache.next_request import Change
from tests.core.cache_questions import (
    BY_TIME,
    CHANGED,
    FABLE,
    HOUR,
    IN_TERMINAL,
    NOTHING,
    OLDER_OPUS,
    OPUS,
    SONNET,
    UP_FRONT,
    asked,
    compacted,
    was,
)
from tests.core.forecast_case import (
    BEDROCK,
    COLD,
    END_LOST,
    FIVE,
    HARDLY_OVER,
    HARDLY_WARM,
    LIKELY_COLD,
    LIKELY_OVER,
    LIKELY_SUMMARY,
    LIKELY_WARM,
    NEW,
    NEW_OR_NOT,
    NO_END,
    OPEN,
    OPEN_LOW,
    OVER,
    SAME,
    SUMMARY,
    WARM,
    Row,
    blocks,
    by,
    efforts,
    rewind,
    upgrade,
)

REQUEST = [
    Row("14", asked(model=SONNET), COLD, "modelChanged"),
    Row("14 /model", asked(action="model", model=SONNET), COLD, "modelChanged"),
    Row("14 late", asked(minutes=70, model=SONNET), COLD, "expired modelChanged"),
    Row("14 one model, two ids", asked(was(model=BEDROCK), model=OPUS), WARM, "warm"),
    Row(
        "14 first of all",
        by("2.1.260", recorded=False, model=SONNET, git=CHANGED),
        COLD,
        "modelChanged promptInputsChanged",
    ),
    Row("15", efforts(OLDER_OPUS), LIKELY_OVER, "effortChanged"),
    Row("15 Fable 5.1, 2.1.259", efforts(FABLE, "2.1.259"), LIKELY_OVER, "effortChanged"),
    Row("16 Fable 5.1, 2.1.260", efforts(FABLE, "2.1.260"), LIKELY_WARM, "effortKept warm"),
    Row("16 Opus 5.5", efforts(OPUS), LIKELY_WARM, "effortKept warm"),
    Row("16 Sonnet 5.5", efforts(SONNET), LIKELY_WARM, "effortKept warm"),
    Row("16 Opus 5.5, 2.1.259", efforts(OPUS, "2.1.259"), LIKELY_WARM, "effortKept warm"),
    *(
        Row(f"15 {provider}", efforts(OPUS, provider=provider), LIKELY_OVER, "effortChanged")
        for provider in ("bedrock", "vertex", "foundry", "gateway")
    ),
    Row("15 the same", asked(was(model=OLDER_OPUS, effort="low"), effort="low"), WARM, "warm"),
    Row("15 not known", asked(was(model=OLDER_OPUS), effort="low"), WARM, "warm"),
    Row("17", asked(thinking=CHANGED), LIKELY_OVER, "thinkingChanged"),
    Row("18", asked(fast_mode=CHANGED, fast=True), LIKELY_COLD, "fastMode"),
    Row("19", asked(fast_mode=CHANGED, fast_before=True), LIKELY_WARM, "warm fastMode"),
    Row("34", asked(agent_gone="reviewer"), OPEN_LOW, "agentChanged"),
    Row("35 90 images", asked(was(images=90)), NO_END, "imagesDropped"),
    Row("35 89 images", asked(was(images=89)), WARM, "warm"),
    Row("35 near the end", asked(was(images=90), minutes=60), END_LOST, "expiresNow imagesDropped"),
    Row(
        "35 open",
        asked(was(images=90), minutes=70, live=True),
        "unknown medium: ? ? ? no",
        "liveProcess expired imagesDropped",
    ),
    Row("35 late", asked(was(images=90), minutes=70), OVER, "expired imagesDropped"),
    Row("35 and 14", asked(was(images=90), model=SONNET), COLD, "modelChanged imagesDropped"),
    Row("36", asked(provider="gateway", gateway="a gateway"), LIKELY_WARM, "warm gateway"),
    Row("36 late", asked(minutes=70, gateway="a gateway"), LIKELY_OVER, "expired gateway"),
    Row("36 and 14", asked(model=SONNET, gateway="a gateway"), LIKELY_COLD, "modelChanged gateway"),
    Row("37", asked(was(model=BEDROCK), provider="anthropic"), OPEN, "accountUnknown"),
    Row("37 same provider", asked(was(model=BEDROCK), provider="bedrock"), WARM, "warm"),
    Row("37 not known", asked(was(model=BEDROCK)), WARM, "warm"),
]

# Deferred tools are announced in the conversation; others stand before the system prompt.
TOOL_ROWS = [
    Row("20 by its tool", asked(mcp=CHANGED), WARM, "warm mcpDeferred"),
    Row(
        "20 by its notes",
        asked(was(tools=None, defers_tools=True), mcp=CHANGED),
        WARM,
        "warm mcpDeferred",
    ),
    Row("21", asked(was(tools=UP_FRONT), mcp=CHANGED), COLD, "mcpUpFront"),
    Row(
        "21 switched off",
        asked(was(tools=None, defers_tools=True), mcp=CHANGED, tool_search_off=True),
        COLD,
        "mcpUpFront",
    ),
    Row("21 by a file's time", asked(was(tools=UP_FRONT), mcp=BY_TIME), LIKELY_COLD, "mcpUpFront"),
    Row("21 nothing recorded", asked(was(recorded=False), mcp=CHANGED), COLD, "mcpUpFront"),
    Row("22 up front", asked(denied=("Edit",)), LIKELY_COLD, "toolDenied"),
    Row("22 not in the list", asked(denied=("WebFetch",)), WARM, "warm"),
    Row("22 search off", asked(tool_search_off=True), LIKELY_COLD, "toolDenied"),
    Row("22 search off before", asked(was(tools=UP_FRONT), tool_search_off=True), WARM, "warm"),
    Row("22 flag, 2.1.325", by("2.1.325", tools=CHANGED), LIKELY_COLD, "toolDenied"),
    Row("22 flag, 2.1.326", by("2.1.326", tools=CHANGED), LIKELY_WARM, "warm toolDenied"),
    Row("22 flag, no list", asked(was(tools=None), tools=CHANGED), LIKELY_COLD, "toolDenied"),
    Row("22 flag, built anew", asked(tools=CHANGED, replays=False), LIKELY_COLD, "toolDenied"),
    Row(
        "7 of another program, 2.1.260",
        by("2.1.260", recorded=False, entrypoint=CHANGED),
        COLD,
        "promptInputsChanged",
    ),
    Row(
        "7 of another program, and 10",
        by("2.1.260", recorded=False, entrypoint=CHANGED, git=CHANGED),
        COLD,
        "promptInputsChanged",
    ),
    Row("7 of another program", asked(entrypoint=CHANGED), WARM, "warm"),
    Row(
        "7 to a terminal",
        asked(was(tools=("Bash",)), entrypoint=CHANGED, in_terminal=True),
        LIKELY_COLD,
        "promptInputsChanged",
    ),
    Row(
        "7 to a terminal, tools deferred",
        asked(was(tools=("Bash", "ToolSearch")), entrypoint=CHANGED, in_terminal=True),
        WARM,
        "warm",
    ),
    Row(
        "7 to a terminal again",
        asked(was(tools=IN_TERMINAL), entrypoint=CHANGED, in_terminal=True),
        WARM,
        "warm",
    ),
]

KEPT = [
    Row("23", asked(permission_mode=CHANGED), WARM, "warm permissionOnly"),
    Row("40", asked(output_style=CHANGED), LIKELY_WARM, "warm outputStyle"),
    Row("42", asked(moved=CHANGED), LIKELY_WARM, "warm moved"),
    Row(
        "23 and 14",
        asked(permission_mode=CHANGED, model=SONNET),
        COLD,
        "modelChanged permissionOnly",
    ),
    Row("43 nothing changed", asked(git=Change("same"), mcp=Change("unknown")), WARM, "warm"),
]

BACK = [
    Row("24", rewind(), LIKELY_WARM, "rewindKept warm restoreOnly"),
    Row("24 18 blocks", rewind(point=blocks(18)), LIKELY_WARM, "rewindKept warm restoreOnly"),
    Row("24 19 blocks", rewind(point=blocks(19)), HARDLY_WARM, "rewindKept warm restoreOnly"),
    Row("24 late", rewind(80), OVER, "expired rewindKept restoreOnly"),
    Row("24 near the end", rewind(60), OPEN, "expiresNow rewindKept restoreOnly"),
    Row("24 first prompt", rewind(point=NOTHING), NEW, "rewindKept"),
    Row("24 first prompt, late", rewind(80, point=NOTHING), LIKELY_OVER, "expired rewindKept"),
    Row("25", rewind(behind_boundary=True), HARDLY_WARM, "rewindBehindBoundary warm restoreOnly"),
    Row(
        "25 late",
        rewind(80, behind_boundary=True),
        HARDLY_OVER,
        "rewindBehindBoundary expired restoreOnly",
    ),
    Row("26", rewind(model=SONNET), LIKELY_COLD, "rewindAcrossModel rewindKept restoreOnly"),
    Row(
        "27: said beside each rewind, as no request asks for it alone",
        rewind(59),
        LIKELY_WARM,
        "rewindKept warm restoreOnly",
    ),
]

ACTIONS = [
    Row("28", asked(action="compact"), SUMMARY, "compactWarm warm"),
    Row(
        "28 after an upgrade",
        upgrade("2.1.331", "2.1.332", action="compact", tool_set=SAME),
        LIKELY_SUMMARY,
        "compactWarm toolSetSame warm",
    ),
    Row(
        "28 of which the end is over",
        asked(was("3/139000/900/3000/620", lifetime="mixed"), "compact", 20),
        NO_END,
        "compactWarm expired",
    ),
    Row("28 near the end", asked(action="compact", minutes=60), OPEN, "compactWarm expiresNow"),
    Row("29", asked(action="compact", minutes=3 * HOUR), OVER, "compactCold expired"),
    Row(
        "29 another model", asked(action="compact", model=SONNET), COLD, "compactCold modelChanged"
    ),
    Row("28 nothing cached", asked(NOTHING, "compact"), OPEN, "noCacheUse"),
    Row("30", asked(compacted(), minutes=10), NEW, "boundaryNewest"),
    Row("30 no size", asked(compacted(None), minutes=10), NEW, "boundaryNewest"),
    Row("30 late", asked(compacted(), minutes=70), LIKELY_OVER, "expired boundaryNewest"),
    Row(
        "30 live",
        asked(compacted(), minutes=70, live=True),
        NEW_OR_NOT,
        "boundaryNewest liveProcess expired",
    ),
    Row(
        "30 another model",
        asked(compacted(), minutes=10, model=SONNET),
        LIKELY_COLD,
        "modelChanged boundaryNewest",
    ),
    Row(
        "30 late, another model",
        asked(compacted(), minutes=70, model=SONNET),
        LIKELY_COLD,
        "expired modelChanged boundaryNewest",
    ),
    Row(
        "30 open, another model",
        asked(compacted(), minutes=70, model=SONNET, live=True),
        LIKELY_COLD,
        "modelChanged boundaryNewest",
    ),
    Row("30 fork", asked(compacted(), "fork", 10), NEW, "boundaryNewest"),
    Row("30 compacted again", asked(compacted(), "compact", 10), NEW, "boundaryNewest"),
    Row("31", asked(action="clear"), NEW, "cleared"),
    Row("31 late", asked(action="clear", minutes=70), LIKELY_OVER, "expired cleared"),
    Row("31 nothing yet", asked(NOTHING, "clear"), NEW_OR_NOT, "cleared expiresNow"),
    Row("32", asked(action="fork"), LIKELY_WARM, "forkShares warm"),
    Row("32 2.1.268", by("2.1.268", action="fork"), LIKELY_WARM, "forkShares warm"),
    Row("32 2.1.267", by("2.1.267", action="fork"), HARDLY_WARM, "forkShares warm"),
    Row("32 late", asked(action="fork", minutes=70), OVER, "expired forkShares"),
    Row(
        "33: the sentence alone says it, the numbers are the agent's own",
        asked(FIVE, minutes=2, of_agent=True),
        WARM,
        "warm",
    ),
]

NOT_SEEN = {
    41: "no file tells which plugins were on at the last request; servers that they bring are seen"
    " as rows 20 and 21",
}
"""Rows of which nothing is said, with the reason."""

ROWS = [*REQUEST, *TOOL_ROWS, *KEPT, *BACK, *ACTIONS]
