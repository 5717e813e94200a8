// Notes on the prompt cache to change one fact of.

import type { CacheNote } from "../../src/protocol";

/** When these notes are judged: 12 minutes after the last request. */
export const NOTE_TIME = Date.parse("2026-03-10T12:00:00Z");

/** Example 1 of the rules: a session with an hour's lifetime goes on after 12 minutes. */
export function warmNote(changes: Partial<CacheNote> = {}): CacheNote {
  return {
    verdict: "warm",
    confidence: "high",
    sentence: "Still warm for about 48 min: about 143k tokens are read from the cache ($0.03).",
    layers: [
      { layer: "tools", survives: "yes" },
      { layer: "system", survives: "yes" },
      { layer: "project", survives: "yes" },
      { layer: "conversation", survives: "yes" },
    ],
    causes: [
      {
        code: "warm",
        certainty: "certain",
        sentence: "The lifetime is not over and nothing changed.",
        evidence: "1 h after 11:48",
      },
    ],
    ttlSeconds: 3600,
    lastRequestAt: "2026-03-10T11:48:00Z",
    lastRequestBy: "2026-03-10T11:48:20Z",
    expiresAt: "2026-03-10T12:48:00Z",
    expiresBy: "2026-03-10T12:48:20Z",
    contextTokens: 143_673,
    readTokens: 143_050,
    writeTokens: 623,
    droppedTokens: null,
    costUsd: { warm: 0.0336, coldLow: 0.983, coldHigh: 1.1494, expected: 0.0336 },
    priceModel: "claude-opus-5-5",
    basis: [
      { what: "version", value: "2.1.332", from: "installed program" },
      { what: "account", value: "apiKey", from: "environment variable" },
    ],
    ...changes,
  };
}

/** Example 2: the same after three hours. */
export function coldNote(changes: Partial<CacheNote> = {}): CacheNote {
  return warmNote({
    verdict: "cold",
    sentence:
      "Idle 3 h, longer than the 1 h lifetime: about 144k tokens will be written again " +
      "(about $0.98 to $1.15).",
    layers: [
      { layer: "tools", survives: "unknown" },
      { layer: "system", survives: "unknown" },
      { layer: "project", survives: "no" },
      { layer: "conversation", survives: "no" },
    ],
    causes: [
      {
        code: "expired",
        certainty: "certain",
        sentence: "The lifetime of 1 h is over.",
        evidence: "idle for 3 h",
      },
    ],
    lastRequestAt: "2026-03-10T09:00:00Z",
    lastRequestBy: "2026-03-10T09:00:20Z",
    expiresAt: "2026-03-10T10:00:00Z",
    expiresBy: "2026-03-10T10:00:20Z",
    readTokens: 0,
    writeTokens: 143_673,
    costUsd: { warm: 0.0336, coldLow: 0.983, coldHigh: 1.1494, expected: 1.1494 },
    ...changes,
  });
}
