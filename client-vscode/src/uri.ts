// Which session is a readable transcript's document? The parts of its URI, and back.

/** Scheme of readable transcripts. */
export const TRANSCRIPT_SCHEME = "forkpoint-transcript";

/** Names one transcript: a session's own, or that of one of its subagents. */
export interface TranscriptName {
  sessionId: string;
  agentId?: string;
  /** uuid of the record that the text goes up to; undefined = the active leaf. */
  leaf?: string;
  /** Ordinal of the record that the text ends before; undefined = it has its end. */
  before?: number;
}

/** What a URI is made of. */
export interface UriParts {
  scheme: string;
  path: string;
  query: string;
}

const LONGEST_NAME = 60;
const SHORT_ID = 8;

/**
 * The file name is what the tab shows; its ending makes the document Markdown.
 *
 * The server makes the same URIs for links: what differs would be another document.
 */
export function transcriptUri(name: TranscriptName, title: string): UriParts {
  const query = new URLSearchParams({ session: name.sessionId });
  if (name.agentId !== undefined) query.set("agent", name.agentId);
  if (name.leaf !== undefined) query.set("leaf", name.leaf);
  if (name.before !== undefined) query.set("before", String(name.before));
  return {
    scheme: TRANSCRIPT_SCHEME,
    path: `/${fileName(title)}${whichText(name)}.md`,
    query: query.toString(),
  };
}

/** Tells the tabs of one session apart; the beginning of an id is enough for that. */
function whichText({ agentId, leaf, before }: TranscriptName): string {
  const parts = [
    agentId && `subagent ${fileName(agentId).slice(0, SHORT_ID)}`,
    leaf && `branch ${fileName(leaf).slice(0, SHORT_ID)}`,
    before !== undefined && `before ${before}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

/** Undefined when the query names no session. */
export function transcriptName({ query }: { query: string }): TranscriptName | undefined {
  const parts = new URLSearchParams(query);
  const sessionId = parts.get("session");
  const agentId = parts.get("agent");
  const leaf = parts.get("leaf");
  const before = parts.get("before");
  if (!sessionId) return undefined;
  return {
    sessionId,
    ...(agentId ? { agentId } : {}),
    ...(leaf ? { leaf } : {}),
    ...(before ? { before: Number(before) } : {}),
  };
}

/** Says whether a URI names a picture that stands in a transcript. */
export function isTranscriptImage({ query }: { query: string }): boolean {
  return new URLSearchParams(query).has("image");
}

/** Neither folders nor characters that a tab cannot show; whole characters, no halves of surrogates. */
export function fileName(title: string): string {
  const clean = title
    .replace(/[\p{C}/\\]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...clean].slice(0, LONGEST_NAME).join("").trim() || "transcript";
}
