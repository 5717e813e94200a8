// What the clock of the prompt cache shows as time passes, whose it is, and when it asks again.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheCause, CacheNote, SessionSummary } from "../../src/protocol";
import { clockFace, clockSession, isDue, nextQuestion } from "../../src/views/describe/clock";
import { client } from "./live";
import { coldNote, NOTE_TIME, warmNote } from "./notes";
import { session } from "./sessions";

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const cause = (code: CacheCause["code"]): CacheCause => ({
  code,
  certainty: "certain",
  sentence: "",
  evidence: "",
});
const OPEN_CLIENT = { causes: [cause("liveProcess")] };
/** A lifetime of five minutes that began at 11:56. */
const FIVE_MINUTES = {
  ttlSeconds: 300,
  expiresAt: "2026-03-10T12:01:00Z",
  expiresBy: "2026-03-10T12:01:05Z",
};

test("a whole face", () => {
  assert.deepEqual(clockFace(warmNote(), "Add a discount", NOTE_TIME), {
    text: "$(flame) cache 48 min",
    isUrgent: false,
    tooltip: [
      "Prompt cache of “Add a discount”",
      "Warm for about 48 min: 143k tokens read, $0.03",
      "Click to see why, and what a resume brings back.",
    ].join("\n"),
    aria:
      "Prompt cache of “Add a discount”: Warm for about 48 minutes: 143k tokens read, $0.03. " +
      "Click to see why, and what a resume brings back.",
  });
});

const URGENT = " !";
const FACES: [what: string, note: CacheNote, now: string, face: string][] = [
  ["an hour's lifetime, six minutes before its end", warmNote(), "12:42:00", "flame cache 6 min"],
  ["its last five minutes", warmNote(), "12:43:00", "flame cache 5 min !"],
  ["a minute before the end", warmNote(), "12:47:00", "flame cache 1 min !"],
  ["half a minute before", warmNote(), "12:47:31", "flame cache ends about now !"],
  ["past the latest end", warmNote(), "12:48:49", "flame cache ends about now !"],
  ["half a minute past it", warmNote(), "12:48:50", "circle-slash cache cold · $1.15"],
  ["the server says so", coldNote(), "12:00:00", "circle-slash cache cold · $1.15"],
  [
    "no price is known",
    coldNote({ costUsd: { warm: null, coldLow: null, coldHigh: null, expected: null } }),
    "12:00:00",
    "circle-slash cache cold",
  ],
  [
    "switched off",
    coldNote({ causes: [cause("cachingOff")], expiresAt: null, expiresBy: null }),
    "12:00:00",
    "circle-slash cache off",
  ],
  ["five minutes of lifetime", warmNote(FIVE_MINUTES), "11:59:00", "flame cache 2 min"],
  ["its last minute", warmNote(FIVE_MINUTES), "12:00:00", "flame cache 1 min !"],
  [
    "an end of which only one is known",
    warmNote({ expiresBy: null }),
    "12:48:30",
    "circle-slash cache cold · $1.15",
  ],
  [
    "it may be lost for another reason",
    warmNote({ verdict: "unknown" }),
    "12:00:00",
    "flame cache 48 min?",
  ],
  ["a part of it is there", warmNote({ verdict: "partial" }), "12:00:00", "flame cache 48 min"],
  ["an open client, past the end", warmNote(OPEN_CLIENT), "13:30:00", "flame cache kept?"],
];

for (const [what, note, now, face] of FACES)
  test(what, () => {
    const shown = clockFace(note, "Add a discount", at(now));
    assert.ok(shown);
    const [, icon, text] = /^\$\((.*)\) (.*)$/.exec(shown.text) ?? [];
    assert.equal(`${icon} ${text}${shown.isUrgent ? URGENT : ""}`, face);
  });

test("the time is told also where the verdict does not tell it", () => {
  const face = clockFace(warmNote({ verdict: "unknown" }), "Add a discount", NOTE_TIME);
  assert.equal(face?.tooltip.split("\n")[2], "It expires in 48 minutes.");
  assert.match(face?.aria ?? "", /\. It expires in 48 minutes\. Click/);
});

test("without a time there is nothing to show", () => {
  const timeless = { expiresAt: null, expiresBy: null };
  for (const verdict of ["warm", "partial", "unknown"] as const)
    assert.equal(clockFace(warmNote({ verdict, ...timeless }), "", NOTE_TIME), undefined);
});

const QUESTIONS: [what: string, note: CacheNote, askedAt: string, next: string | undefined][] = [
  ["when the end is near", warmNote(), "12:00:00", "12:47:30"],
  ["then when it has passed", warmNote({ verdict: "unknown" }), "12:47:30", "12:48:50"],
  ["and no more, whatever the answer", warmNote({ verdict: "unknown" }), "12:48:50", undefined],
  ["never when it is gone", coldNote({ expiresAt: "2026-03-10T12:48:00Z" }), "12:00:00", undefined],
  ["never without a time", warmNote({ expiresAt: null, expiresBy: null }), "12:00:00", undefined],
  [
    "when a request in the future has been sent",
    warmNote({ lastRequestAt: "2026-03-10T12:30:00Z", expiresAt: null, expiresBy: null }),
    "12:00:00",
    "12:30:00",
  ],
];

for (const [what, note, askedAt, next] of QUESTIONS)
  test(`asked again ${what}`, () => {
    assert.equal(nextQuestion(note, at(askedAt)), next && at(next));
  });

test("it is asked again in time, and when the clock was set back", () => {
  const due = (now: string) => isDue(warmNote(), at("12:00:00"), at(now));
  assert.deepEqual(["11:59:59", "12:00:00", "12:47:29", "12:47:30"].map(due), [
    ...[true, false],
    ...[false, true],
  ]);
});

const LIVE = { live: client("busy") };
const ELSEWHERE = { ...session().project, cwd: "/home/dev/other" };
const [NEW, LIVE_ONE, LIVE_TWO, FAR] = [
  session({ sessionId: "new" }),
  session({ sessionId: "live one", ...LIVE }),
  session({ sessionId: "live two", ...LIVE }),
  session({ sessionId: "far", ...LIVE, project: ELSEWHERE }),
];

const OWNERS: [
  what: string,
  sessions: SessionSummary[],
  selected: SessionSummary | undefined,
  owner: SessionSummary | undefined,
][] = [
  ["nobody's without a live or a selected session", [NEW, FAR], undefined, undefined],
  ["the selected one's", [NEW, FAR], NEW, NEW],
  ["the selected one's as it is loaded now", [NEW], session({ ...NEW, sizeBytes: 1 }), NEW],
  ["the selected one's though it is not loaded", [], NEW, NEW],
  ["the live one's, whatever is selected", [NEW, LIVE_ONE], NEW, LIVE_ONE],
  ["of live ones the newest one's", [LIVE_TWO, LIVE_ONE], undefined, LIVE_TWO],
  ["of live ones the selected one's", [LIVE_TWO, LIVE_ONE], LIVE_ONE, LIVE_ONE],
  ["one that lives elsewhere only when it is selected", [FAR, NEW], FAR, FAR],
];

for (const [whose, sessions, selected, owner] of OWNERS)
  test(`the clock is ${whose}`, () => {
    const isHere = ({ project }: SessionSummary) => project.cwd === "/home/dev/shop";
    assert.equal(clockSession(sessions, selected, isHere), owner);
  });
