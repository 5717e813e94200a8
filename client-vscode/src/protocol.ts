// Generated from server/forkpoint/protocol by scripts/protocol_ts.py: change it there.

/** Whose prompts to look for. */
export interface AbandonedParams {
  /** Only this session's; null = those of all that fit. */
  sessionId?: string | null;
  /** The folder that `scope` speaks of; null = none. */
  folder?: string | null;
  /** How far around `folder` to look. */
  scope?: Scope;
  /** Only this agent's sessions; null = all. */
  agent?: Agent | null;
  /** Index of the first prompt wanted. */
  offset?: number;
  /** At most so many prompts; null = 50. More than 500 are never given at once. */
  limit?: number | null;
}

/** A prompt that a person gave and that is not on the active path any more. */
export interface AbandonedPrompt {
  /** Id of the session. */
  sessionId: string;
  /** What to call the session. */
  title: Title;
  /** Where the session was started. */
  project: Project;
  /** The prompt's uuid. */
  uuid: string;
  /** Its ordinal. */
  ordinal: number;
  /** When it was given; null = not written. */
  at: string | null;
  /** Its text, at most 20,000 characters of it. */
  prompt: string;
  /** The text that answered it first, at most 2,000 characters; empty = there is none. */
  answer: string;
  /** uuid of the record that has the answer; null = there is none. */
  answerUuid: string | null;
  /**
   * uuid of the newest record that follows from it, to open the way it went as a whole; the
   * prompt's own when nothing does.
   */
  leaf: string;
  /** Records that follow from it, up to the next prompt on each way. */
  recordCount: number;
}

/** A page of what was left behind, the newest first. */
export interface AbandonedResult {
  /** The page. */
  prompts: AbandonedPrompt[];
  /** How many there are, on all pages, as far as sessions are read. */
  total: number;
  /** How many of the sessions asked about are read; null = all of them. */
  indexing: Indexing | null;
}

/**
 * Which rule chose the leaf. pointer = the record that the stored pointer names; pointerDescendant
 * = a later record below it; explicitPointer = a pointer set on purpose; lastRecord = the last
 * record of the file; newestTimestamp = the record with the latest time; cleared = the conversation
 * was emptied; requested = the caller named it.
 */
export type LeafRule =
  | "pointer"
  | "pointerDescendant"
  | "explicitPointer"
  | "lastRecord"
  | "newestTimestamp"
  | "cleared"
  | "requested";

/** What a resume adds or changes. */
export type RepairKind =
  | "syntheticToolResult"
  | "noResponsePlaceholder"
  | "droppedCall"
  | "bridgedGap"
  | "cutAtGap";

/** What a content block is. */
export type BlockKind = "text" | "thinking" | "toolUse" | "toolResult" | "image" | "other";

/** Which path to read. */
export interface ActivePathParams extends SessionReference {
  /** uuid of the record to go to; null = the one the client would choose. */
  leaf?: string | null;
  /** Client version that would resume; null = the installed one, else the newest rule. */
  forVersion?: string | null;
  /** Index of the first entry wanted, in the given order. */
  offset?: number;
  /** At most so many entries; null = all that follow. */
  limit?: number | null;
  /** forward = the order of the request; backward = newest first. */
  order?: "forward" | "backward";
  /** Only what a person gave; `offset`, `limit` and `total` then count those. */
  fromPerson?: boolean;
  /** Only entries from this ordinal on, as a segment of the tree begins; counted as above. */
  firstOrdinal?: number;
  /** Only entries up to this ordinal, inclusive; null = to the end. */
  lastOrdinal?: number | null;
  /**
   * Also the entries of older files that this conversation goes on from, before its own; they are
   * counted, too, and left out where ordinals are asked for.
   */
  withInherited?: boolean;
}

/** The record on which the client's next record would hang. */
export interface Leaf {
  /** Its uuid; null = the conversation is empty or was cleared. */
  uuid: string | null;
  /** Its ordinal; null with `uuid`. */
  ordinal: number | null;
  /** Which rule chose it. */
  rule: LeafRule;
  /** uuid that the newest stored pointer names; null = no pointer is stored. */
  pointer: string | null;
  /** The choice in words. */
  sentence: string;
  /** uuids of the ends of all other branches. */
  otherTips: string[];
}

/** A content block in one word, without its content. */
export interface BlockNote {
  /** What it is. */
  kind: BlockKind;
  /** The tool's name, or the type of an unknown block, else null. */
  name: string | null;
  /** Id of the call that it is or answers, else null. */
  toolUseId: string | null;
}

/** One record of the path. */
export interface PathEntry {
  /** Its uuid. */
  uuid: string;
  /** Its ordinal. */
  ordinal: number;
  /** What it is in the conversation. */
  role: Role;
  /** Whether a person typed it: a prompt, a command or a shell line, not what those put out. */
  fromPerson: boolean;
  /** Id that all records of one response share; null = no response. */
  messageId: string | null;
  /** When it was written; null = not written. */
  timestamp: string | null;
  /** Its text in one line of at most 200 characters; may be empty. */
  preview: string;
  /** Its content blocks in order. */
  blocks: BlockNote[];
  /** Whether the next request would carry it. */
  fate: Fate;
  /** The older session whose transcript holds it; null = this one's. */
  sessionId: string | null;
}

/** A path of an older session's transcript that this conversation goes on from. */
export interface InheritedPath {
  /** The older session. */
  sessionId: string;
  /** What to call it; may be empty. */
  title: string;
  /** uuid of the last record there that belongs to this conversation: the `leaf` to ask with. */
  leaf: string;
  /** That record's ordinal there. */
  ordinal: number;
  /** Records of that path. */
  recordCount: number;
  /** Prompts, commands and shell lines of a person's among them. */
  promptCount: number;
}

/** What a resume would add or change to make the path fit for a request. */
export interface Repair {
  /** What would be done. */
  kind: RepairKind;
  /** The record it is done to; null = the path as a whole. */
  uuid: string | null;
  /** The repair in words. */
  sentence: string;
}

/** A page of the path from its root to its leaf; each record stands once. */
export interface ActivePathResult {
  /** Where it ends, and why there. */
  leaf: Leaf;
  /** How it ends. */
  tip: Tip;
  /** Whether a gap cuts off older records. */
  broken: boolean;
  /** Entries on all pages. */
  total: number;
  /** The page; in forward order summarized entries come first. */
  entries: PathEntry[];
  /** What a resume would add or change. */
  repairs: Repair[];
  /**
   * What this conversation goes on from and its own file does not hold, the oldest first; empty
   * where it begins in its file. Forks that copy records have them themselves.
   */
  inherited: InheritedPath[];
}

/**
 * Why a segment begins where it does. resend = a sibling holds the same prompt; twoWriters = two
 * processes wrote to the session at once; continuation = the sibling that simply went on; restart =
 * a new prompt without a parent.
 */
export type SegmentReason =
  | "start"
  | "rewind"
  | "resend"
  | "twoWriters"
  | "compaction"
  | "continuation"
  | "restart";

/** Which tree to read. */
export interface BranchTreeParams extends SessionReference {
  /** Client version that would resume; null = the installed one, else the newest rule. */
  forVersion?: string | null;
  /** Index of the first segment wanted, in the order of the result. */
  offset?: number;
  /** At most so many segments; null = all that follow. */
  limit?: number | null;
}

/** A maximal run of records between branch points. Counts are of the main graph's nodes. */
export interface Segment {
  /** uuid of its first record. */
  id: string;
  /** Id of the segment it hangs on; null = a root. */
  parent: string | null;
  /** Ordinal of its first record. */
  firstOrdinal: number;
  /** uuid of its last record. */
  lastUuid: string;
  /** Ordinal of its last record. */
  lastOrdinal: number;
  /** Records in it. */
  recordCount: number;
  /** Prompts a person gave in it. */
  promptCount: number;
  /** Its first prompt, one line of at most 200 characters; null = it holds none. */
  label: string | null;
  /** Earliest time of its records; null = none has one. */
  startedAt: string | null;
  /** Latest time of its records; null = none has one. */
  endedAt: string | null;
  /** Whether the active path runs through it. */
  active: boolean;
  /** Why it begins where it does. */
  reason: SegmentReason;
  /** Id of the sibling that holds the same prompt first; null = no resend. */
  resendOf: string | null;
  /** URIs of the files its tool calls changed, first change first. */
  editedFiles: string[];
  /** What its responses spent. */
  tokens: TokenCounts;
}

/**
 * A page of the tree, in file order; among siblings the active one comes first. A segment's parent
 * stands before it, on the same page or an earlier one.
 */
export interface BranchTreeResult {
  /** The page; every node of the main graph lies in exactly one segment of all pages. */
  segments: Segment[];
  /** Segments on all pages. */
  segmentCount: number;
  /** uuid of the record where the client would go on; null = nowhere. */
  activeLeaf: string | null;
  /** Nodes in all segments of all pages. */
  total: number;
  /**
   * What the active path goes on from in older files, the oldest first; no segments of this tree.
   */
  inherited: InheritedPath[];
}

/** How long entries live after each use; mixed = both were written; off = none were asked for. */
export type CacheLifetime = "5m" | "1h" | "mixed" | "off";

/**
 * What changed the beginning of the prompt, or made the entry go: clearing = old tool results were
 * taken out; server = nothing changed and the lifetime was not over; upgrade = another version
 * built the prompt anew; upgradeTools = another version, which may have other tools; resumeDefect =
 * a start of a client or model that is known to lose the cache then; unknown = nothing recorded
 * tells.
 */
export type BreakCause =
  | "compaction"
  | "clearing"
  | "rewind"
  | "model"
  | "tools"
  | "system"
  | "messages"
  | "thinking"
  | "effort"
  | "fast"
  | "headers"
  | "expired"
  | "server"
  | "upgrade"
  | "upgradeTools"
  | "cwd"
  | "git"
  | "resumeDefect"
  | "unknown";

/** certain = records show it; likely = they fit it; unknowable = they do not settle it. */
export type BreakCertainty = "certain" | "likely" | "unknowable";

/** Whose requests to list. */
export interface CacheHistoryParams extends SessionReference {
}

/** Tokens that should have been read from the cache and were not. */
export interface CacheBreak {
  /** How many: at least 2,000, and more than 5 % of what could have been read. */
  lostTokens: number;
  /** What they cost more than reading them; null = no price is known. */
  costUsd: number | null;
  /** Why. */
  cause: BreakCause;
  /** How sure the cause is. */
  certainty: BreakCertainty;
  /** Whether somebody asked for what changed the prompt, as by a compaction or another model. */
  expected: boolean;
  /** The cause in a sentence. */
  sentence: string;
}

/** A request that the model answered. */
export interface CacheRequest {
  /** Id that the records of the answer share. */
  messageId: string;
  /** uuid of the answer's first record. */
  uuid: string;
  /** Ordinal of that record. */
  ordinal: number;
  /** When that record was written; null = it has no time. */
  at: string | null;
  /** Who answered; null = not written. */
  model: string | null;
  /** Lifetime of the entries; null = nothing tells. */
  ttl: CacheLifetime | null;
  /** Tokens sent that were neither read from nor written to the cache. */
  input: number;
  /** Tokens read from the cache. */
  cacheRead: number;
  /** Tokens written to the cache with a lifetime of five minutes. */
  cacheWrite5m: number;
  /** Tokens written to the cache with a lifetime of one hour. */
  cacheWrite1h: number;
  /** Tokens generated. */
  output: number;
  /** What it cost, by list prices; null = no price is known. */
  costUsd: number | null;
  /** What the cache should have served and did not; null = nothing, or a first request. */
  break: CacheBreak | null;
}

/** A sum of breaks. */
export interface BreakTotals {
  /** How many. */
  count: number;
  /** Tokens lost in all. */
  lostTokens: number;
  /** What they cost in all; null = the price of one is not known. */
  costUsd: number | null;
}

/** Sums over all requests listed. */
export interface CacheTotals {
  /** Their tokens. */
  tokens: TokenCounts;
  /** What they cost; null = the price of one is not known. */
  costUsd: number | null;
  /** Breaks that somebody asked for. */
  expected: BreakTotals;
  /** All other breaks. */
  avoidable: BreakTotals;
}

/**
 * The requests of a conversation on all its branches, in file order. Requests that were copied from
 * another session are left out, and those of subagents: they are the other transcript's.
 */
export interface CacheHistoryResult {
  /** The requests. */
  requests: CacheRequest[];
  /** Their sums. */
  totals: CacheTotals;
}

/**
 * What is done next: resume = the session goes on where it stands, in a new process or an open one;
 * model = it goes on with the model that `environment` names.
 */
export type CacheAction = "resume" | "rewind" | "compact" | "clear" | "fork" | "model";

/** Who serves the requests; gateway = an address of one's own. */
export type Provider = "anthropic" | "bedrock" | "vertex" | "foundry" | "gateway" | "unknown";

/** How the requests are paid. */
export type Account = "subscription" | "apiKey" | "unknown";

/** on or off. */
export type Switch = "on" | "off";

/** Whether something is as it was at the last request. */
export type Sameness = "same" | "changed" | "unknown";

/**
 * warm = the prefix is read from the cache; partial = only its beginning is; cold = it is written
 * again; unknown = it may be either, and nothing on disk tells which.
 */
export type CacheVerdict = "warm" | "partial" | "cold" | "unknown";

/** How sure a verdict is; of unknown, how sure it is that nothing tells. */
export type Confidence = "high" | "medium" | "low";

/**
 * Parts of a prompt in the order in which they are sent: a change loses its own part and all that
 * follow. project = project files, git state and surroundings.
 */
export type CacheLayerName = "tools" | "system" | "project" | "conversation";

/** Whether a layer is still what was sent, and in the cache. */
export type Survival = "yes" | "no" | "unknown";

/** Which rule speaks. Its sentence says what it means here. */
export type ImpactCode =
  | "cachingOff"
  | "noCacheUse"
  | "expired"
  | "expiresNow"
  | "warm"
  | "versionNoSnapshot"
  | "toolSetSame"
  | "toolSetDiffers"
  | "toolSetUnknown"
  | "promptInputsChanged"
  | "snapshotReplayed"
  | "snapshotOff"
  | "modelChanged"
  | "effortChanged"
  | "effortKept"
  | "thinkingChanged"
  | "fastMode"
  | "mcpDeferred"
  | "mcpUpFront"
  | "toolDenied"
  | "permissionOnly"
  | "rewindKept"
  | "rewindBehindBoundary"
  | "rewindAcrossModel"
  | "restoreOnly"
  | "compactWarm"
  | "compactCold"
  | "boundaryNewest"
  | "cleared"
  | "forkShares"
  | "agentChanged"
  | "imagesDropped"
  | "gateway"
  | "accountUnknown"
  | "overage"
  | "liveProcess"
  | "outputStyle"
  | "plugins"
  | "moved"
  | "resumeDefect";

/**
 * certain = recorded or measured; likely = by rules that mostly hold; unknowable = nothing on disk
 * settles it.
 */
export type ImpactCertainty = "certain" | "likely" | "unknowable";

/** What the next request will be sent with. What is left out, the server looks for. */
export interface CacheEnvironment {
  /** The time to judge at, ISO 8601; null = the server's clock. */
  now?: string | null;
  /** Who serves the requests. */
  provider?: Provider | null;
  /** How they are paid. */
  account?: Account | null;
  /** The client that will send them. */
  version?: string | null;
  /** What that client runs in (cli, sdk-cli …); null = what the session ran in. */
  entrypoint?: string | null;
  /** The directory that it is started in; null = the session's. */
  cwd?: string | null;
  /** The model asked for; null = the session's. */
  model?: string | null;
  /** The effort level asked for. */
  effort?: string | null;
  /** Whether the prompt cache is used at all. */
  caching?: Switch | null;
  /** Whether recorded prompts are sent again; off = they are built anew. */
  snapshot?: Switch | null;
  /** Text appended to the system prompt by a flag. */
  appendSystemPrompt?: Sameness | null;
  /** Tools taken away or given by flags and rules. */
  tools?: Sameness | null;
  /** MCP servers. */
  mcp?: Sameness | null;
  /** Branch, commit or status of the repository. */
  git?: Sameness | null;
  /** CLAUDE.md and what it includes. */
  projectFiles?: Sameness | null;
  /** Directories added by a flag. */
  addedDirectories?: Sameness | null;
  /** The permission mode. */
  permissionMode?: Sameness | null;
  /** Thinking settings. */
  thinking?: Sameness | null;
  /** Fast mode; changed = it is turned on. */
  fastMode?: Sameness | null;
}

/** What is to be foretold. */
export interface CacheImpactParams extends SessionReference {
  /** What is done next. */
  action?: CacheAction;
  /** uuid of the prompt that a rewind goes back to; needed for `rewind` only. */
  prompt?: string | null;
  /** What is known of the next request. */
  environment?: CacheEnvironment;
}

/** A part of the prompt. */
export interface CacheLayer {
  /** Which. */
  layer: CacheLayerName;
  /** Whether it is read from the cache. */
  survives: Survival;
}

/** A rule that speaks about the next request. */
export interface CacheCause {
  /** Which. */
  code: ImpactCode;
  /** How sure it is. */
  certainty: ImpactCertainty;
  /** The rule in a sentence. */
  sentence: string;
  /** What was seen, in a few words. */
  evidence: string;
}

/** US dollars at list prices, of the next request without its new prompt; null = not known. */
export interface ImpactCosts {
  /** If the prefix is read from the cache. */
  warm: number | null;
  /** If it is not, at best: what other sessions share may be there still. */
  coldLow: number | null;
  /** If it is not, at worst. */
  coldHigh: number | null;
  /** What the verdict says; of cold the worst; null also of unknown. */
  expected: number | null;
}

/** Something that the note rests on. */
export interface CacheFact {
  /** What was looked for: `version`, `ttl`, `git` and so on. */
  what: string;
  /** What was found. */
  value: string;
  /** Where: a kind of record, a settings file, an environment variable, or a parameter. */
  from: string;
}

/** A forecast of what the prompt cache does for the next request. */
export interface CacheNote {
  /** What becomes of the prefix. */
  verdict: CacheVerdict;
  /** How sure that is. */
  confidence: Confidence;
  /** One reason, one number and one doubt, for people. */
  sentence: string;
  /** The four parts of the prompt, in order. */
  layers: CacheLayer[];
  /** The rules that speak, the deciding one first. */
  causes: CacheCause[];
  /** Lifetime of the entries in force; null = not known, or no cache is used. */
  ttlSeconds: number | null;
  /** When the last request was sent, at the earliest; null = not known. */
  lastRequestAt: string | null;
  /** When it was sent, at the latest. */
  lastRequestBy: string | null;
  /**
   * When the entries expire, at the earliest; null = not known, as where the last request lies in
   * the future of this machine's clock.
   */
  expiresAt: string | null;
  /** When they expire, at the latest, if no request uses them before. */
  expiresBy: string | null;
  /** Size of what would be sent again, with the last answer; null = no request was answered. */
  contextTokens: number | null;
  /** Tokens read from the cache by the verdict; null = it may be either way. */
  readTokens: number | null;
  /** Tokens written or sent anew by the verdict, without the new prompt; null likewise. */
  writeTokens: number | null;
  /** Of a rewind: tokens of the context that are no longer sent; null of other actions. */
  droppedTokens: number | null;
  /** What the request costs. */
  costUsd: ImpactCosts;
  /** The model whose list prices were taken; null = no price is known. */
  priceModel: string | null;
  /** What the note rests on. */
  basis: CacheFact[];
}

/** What became of a file. */
export type ChangeKind = "edited" | "created" | "deleted";

/** Which span of a session to compare. */
export interface CheckpointChangesParams {
  /** The session. */
  sessionId: string;
  /**
   * uuid of a prompt: from its checkpoint to the one that follows it in time, or to the files as
   * they are now behind the last. Null = from the session's beginning to now.
   */
  prompt?: string | null;
}

/** A file that is not the same at both ends. */
export interface CheckpointChange {
  /** URI of the file. */
  file: string;
  /** What became of it. */
  kind: ChangeKind;
  /** URI of the content before; an empty text where the file did not exist. */
  before: string;
  /** URI of the content after: a version, or the working file itself. */
  after: string;
  /** Lines that only the content after has; null = unknown, binary, or too large. */
  added: number | null;
  /** Lines that only the content before has; null likewise. */
  removed: number | null;
}

/** The files that changed, in the order in which the agent first edited them. */
export interface CheckpointChangesResult {
  /** Files whose content is known at both ends, and differs. */
  changes: CheckpointChange[];
  /** URIs of files whose content at one end cannot be told: pruned, or never recorded. */
  unknown: string[];
  /** Whether the later end is the working files. */
  toNow: boolean;
}

/** How the bytes were read as text. */
export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "windows-1252";

/** How lines end. */
export type LineEnd = "lf" | "crlf" | "cr" | "mixed" | "none";

/** Which version to give. */
export interface CheckpointContentParams {
  /** A `document` or `previous` of an answer, as it was given. */
  document: string;
}

/** The content, as text or as bytes; neither when it is too large. */
export interface CheckpointContentResult {
  /** Its text with its own line ends; null = binary or too large. */
  text: string | null;
  /** Its bytes where it is no text; null = it is text, or too large. */
  base64: string | null;
  /** How it was read as text; null = it was not. */
  encoding: Encoding | null;
  /** How its lines end; null = no text. */
  eol: LineEnd | null;
  /** Its size. */
  sizeBytes: number;
  /** Why there is no text, in words; null when there is. */
  sentence: string | null;
}

/** Which files to list. */
export interface CheckpointFilesParams {
  /** Only files below this folder; null = all. */
  folder?: string | null;
  /** Index of the first file wanted. */
  offset?: number;
  /** At most so many files; null = all that follow. */
  limit?: number | null;
}

/** A file with checkpoints. */
export interface CheckpointFile {
  /** URI of the file. */
  file: string;
  /** The session with its newest version. */
  sessionId: string;
  /** Versions in that session, pruned ones included; of Codex, how many patches there were. */
  versions: number;
  /** Sessions that have versions of it. */
  sessions: number;
}

/** A page of files, by URI. */
export interface CheckpointFilesResult {
  /** The page. */
  files: CheckpointFile[];
  /** Files on all pages. */
  total: number;
  /** How far reading has come: files of sessions that were not read yet are missing. */
  indexing: Indexing;
}

/**
 * present = its content can be read; pruned = the agent named a copy that is not there or must not
 * be read; absent = the file did not exist then.
 */
export type VersionState = "present" | "pruned" | "absent";

/**
 * What became of the file since the version before: first = before the agent's first edit in the
 * session; pruned = cannot be told, because the copy is gone.
 */
export type VersionKind = "first" | "edited" | "created" | "deleted" | "unchanged" | "pruned";

/**
 * Where the content comes from. toolResult = what the agent's first edit replaced, as its result
 * says: some older clients copied the file too late, so that their copy is the file after the edit;
 * patches = the agent keeps no copies, it is rebuilt from its patches.
 */
export type VersionSource = "backup" | "toolResult" | "patches";

/**
 * How the content is known. backup = the agent kept it, as `source` says; recorded = a patch wrote
 * or told the whole file; forward = from a recorded content by the patches behind it; backward = by
 * undoing patches, from the file on disk or from what was recorded later; unknown = neither fits,
 * and then the state is pruned. Forward and backward hold if nothing else changed the file in
 * between.
 */
export type VersionObtained = "backup" | "recorded" | "forward" | "backward" | "unknown";

/** Which histories to give: at least one of the two is needed. */
export interface CheckpointsParams {
  /** Only versions of this session; null = of all sessions. */
  sessionId?: string | null;
  /** Only this file; null = all files of the session. */
  file?: string | null;
}

/** A prompt, by name and in short. */
export interface PromptReference {
  /** uuid of its record. */
  uuid: string;
  /** Its first words; null = the transcript does not hold it. */
  preview: string | null;
}

/** A state of a file that the agent recorded before a prompt ran, or that its patches tell. */
export interface FileVersion {
  /** The session in whose backups the content lies; for other states, the one that names it. */
  sessionId: string;
  /** The agent's number, from 1 in each session; numbers run over all branches. */
  version: number;
  /** Name of the copy; null = the file did not exist, or the name must not be used. */
  backup: string | null;
  /** Whether there is content. */
  state: VersionState;
  /** What became of the file since the version before. */
  kind: VersionKind;
  /** When the agent looked at the file; null = not written. */
  time: string | null;
  /** The prompt before which the file was in this state; null = no record tells, the copy only. */
  prompt: PromptReference | null;
  /** Whether it is the state before the agent's first edit in its session. */
  first: boolean;
  /** Whether its prompt lies on the active path. */
  onActivePath: boolean;
  /** Bytes of the content; null when it is not there. */
  sizeBytes: number | null;
  /** Whether the content is no text. */
  binary: boolean;
  /** Lines that the version before did not have; null = unknown, binary, or too large. */
  added: number | null;
  /** Lines that only the version before had; null likewise. */
  removed: number | null;
  /** Where the content comes from. */
  source: VersionSource;
  /**
   * URI of the content, for `forkpoint/checkpointContent`; null where the copy is gone. Where the
   * file did not exist it is an empty text.
   */
  document: string | null;
  /** URI of what to compare it with, the nearest older version that has content; null = none. */
  previous: string | null;
  /** How the content is known. */
  obtained: VersionObtained;
  /**
   * True = a patch of the prompt left the file so, instead of that it was so before the prompt;
   * only versions that are rebuilt from patches have that.
   */
  after: boolean;
  /** What to know of how it was obtained, as a sentence or some; null = nothing. */
  note: string | null;
}

/** The file as it lies on disk, against the newest version. */
export interface WorkingFile {
  /** Whether it is there. */
  exists: boolean;
  /** Lines that the newest version does not have; null = unknown, binary, or too large. */
  added: number | null;
  /** Lines that only the newest version has; null likewise. */
  removed: number | null;
  /** Whether it is known to differ from the newest version. */
  editedSince: boolean;
}

/** A session that kept versions of the file. */
export interface HistorySession {
  /** Its id. */
  sessionId: string;
  /** Its title. */
  title: string;
  /** Whether a client holds it now. */
  live: boolean;
}

/** All versions of one file, found by where it really lies. */
export interface FileHistory {
  /** URI of the file. */
  file: string;
  /** Oldest first. */
  versions: FileVersion[];
  /** The file now. */
  working: WorkingFile;
  /** The sessions of the versions, in the order in which they first appear. */
  sessions: HistorySession[];
  /** What a reader should know, such as a path that leads elsewhere now. */
  problems: Problem[];
}

/** Histories by file; none for a file without checkpoints. */
export interface CheckpointsResult {
  /** In the order in which the agent first edited them. */
  files: FileHistory[];
  /** How far reading has come: versions of sessions that were not read yet are missing. */
  indexing: Indexing;
  /** What to know of these versions, such as that the agent keeps no backups; null = nothing. */
  sentence: string | null;
}

/** The coding agent that wrote a session. */
export type Agent = "claude-code" | "codex";

/** What a record is in the conversation. What a command or a shell line put out has its role. */
export type Role =
  | "prompt"
  | "response"
  | "toolResult"
  | "compactSummary"
  | "compactBoundary"
  | "command"
  | "shell"
  | "injected"
  | "attachment"
  | "system"
  | "interrupt"
  | "apiError";

/**
 * sent = content of the next request; summarized = before the newest compaction, readable but not
 * sent; notSent = on the path, but never part of a request.
 */
export type Fate = "sent" | "summarized" | "notSent";

/** How the active path ends. */
export type Tip =
  | "complete"
  | "awaitingAnswer"
  | "toolRunningOrLost"
  | "stoppedAfterTool"
  | "interrupted"
  | "apiError"
  | "empty";

/** Names one transcript: a session's own, or that of one of its subagents. */
export interface SessionReference {
  /** The session's id. Where it lies in several places the newest file answers. */
  sessionId: string;
  /** The subagent's id; null = the session's own transcript. */
  agentId?: string | null;
}

/** Tokens, counted once per response by the numbers of its last line. */
export interface TokenCounts {
  /** Tokens sent that were neither read from nor written to the cache. */
  input: number;
  /** Tokens generated. */
  output: number;
  /** Tokens read from the prompt cache. */
  cacheRead: number;
  /** Tokens written to the cache with a lifetime of five minutes. */
  cacheWrite5m: number;
  /** Tokens written to the cache with a lifetime of one hour. */
  cacheWrite1h: number;
}

/** Something a person should know about what was read. */
export interface Problem {
  /** The same word for the same problem, for programs. */
  code: string;
  /** The problem in words, for people. */
  sentence: string;
}

/** How far the first reading of all transcripts has come. */
export interface Indexing {
  /** Transcripts whose contents are known. */
  done: number;
  /** Transcripts found; `done` equals `total` when nothing is left to read. */
  total: number;
}

/** The running client that holds a session. */
export interface LiveProcess {
  /** As the client wrote it: busy, idle or waiting. */
  status: string;
  /**
   * What it waits for, as the client wrote it, such as `permission prompt`, or `dialog open` for a
   * menu that the user opened; null = nothing is written.
   */
  waitingFor: string | null;
  /** Its process id. */
  pid: number;
}

/** Whose context to follow. */
export interface ContextCurveParams extends SessionReference {
  /** uuid of the record to which the path leads; null = the active path. */
  leaf?: string | null;
  /** Also give the answer as a text to read. */
  withText?: boolean;
}

/** The context after a response. */
export interface ContextPoint {
  /** Ordinal of the response's first record. */
  ordinal: number;
  /** uuid of that record. */
  uuid: string;
  /** When that record was written; null = it has no time. */
  at: string | null;
  /** Tokens in the context, what was generated included. */
  tokens: number;
}

/** A compaction on the path. */
export interface ContextCompaction {
  /** Ordinal of its boundary. */
  ordinal: number;
  /** uuid of the boundary. */
  uuid: string;
  /** When the boundary was written; null = it has no time. */
  at: string | null;
  /** How many of `points` come before it. */
  before: number;
  /** manual or auto, as written; null = not written. */
  trigger: string | null;
  /** Tokens in the context before it, as the boundary says; null = not written. */
  tokensBefore: number | null;
  /** Tokens in the context after it, as the boundary says; null = not written. */
  tokensAfter: number | null;
}

/** The context along a path, from its root on, through all compactions. */
export interface ContextCurveResult {
  /** A point for each response, in the order of the path. */
  points: ContextPoint[];
  /** Its compactions, in the same order. */
  compactions: ContextCompaction[];
  /** Size of the model's window; null = nothing on disk tells it. */
  windowTokens: number | null;
  /** A small chart, and the same in words; null = not asked for. */
  text: string | null;
}

/**
 * markdown = for a forge or an editor; html = one file that needs nothing else; json = for
 * programs, with a version of its own.
 */
export type ExportFormat = "markdown" | "html" | "json";

/**
 * secrets = keys, tokens and passwords; paths = whose home folder it is; names = users, hosts, mail
 * addresses and authors, as far as the session tells them.
 */
export type Redaction = "secrets" | "paths" | "names";

/** What to write down, and how. */
export interface ExportParams extends SessionReference {
  /** The form of the text. */
  format: ExportFormat;
  /** uuid of the record to read up to, on whichever branch; null = the active leaf. */
  leaf?: string | null;
  /** Client version that would resume; null = the installed one, else the newest rule. */
  forVersion?: string | null;
  /** What to take out, by rules; null = nothing. */
  redact?: Redaction[] | null;
  /** Whether the transcripts of subagents follow; null = false. */
  subagents?: boolean | null;
  /** Where to go on: `cursor` of the answer before, with all else as it was; null = begin. */
  cursor?: string | null;
}

/** A number of something. */
export interface ExportCount {
  /** What is counted. */
  kind: string;
  /** How often. */
  count: number;
}

/** A part of the text; the parts in their order are the whole. */
export interface ExportResult {
  /** The part; empty while the session is looked through for what to take out. */
  text: string;
  /**
   * What to ask with for the next part; null = this was the last. A server keeps few exports that
   * are under way: one that is not asked for any more may have to be begun again.
   */
  cursor: string | null;
  /** What the whole is: text/markdown, text/html or application/json. */
  mediaType: string;
  /** A name for the file, without a folder; empty while `text` was empty so far. */
  fileName: string;
  /** How much of the work is done, for a progress: rows, counted once for each time of reading. */
  done: number;
  /** How much it is in all. */
  total: number;
  /**
   * How often each kind was taken out up to here: homePath, user, host, email, name, and for
   * secrets `secret:` and the name of the rule.
   */
  redactions: ExportCount[];
  /**
   * What the transcripts have besides what is shown: otherBranches, subagents (their records in the
   * session's own file), subagentTranscripts, state, progress, unknown, repeated, malformed,
   * unfinished.
   */
  leftOut: ExportCount[];
}

/**
 * What shows that a session came from another one: as `ForkEvidence`; titleMark = the client's mark
 * for a copy, `(Branch)` or `(fork)`, behind the other one's title.
 */
export type FamilyEvidence =
  | "forkedFrom"
  | "historyBase"
  | "forkContextRef"
  | "parentInOtherFile"
  | "sameFirstUuid"
  | "sameMessageIds"
  | "titleMark";

/**
 * root = it came from none of those that are here; copy = it begins with copies of the other one's
 * records; goesOn = it copied nothing and goes on from a record of the other file; gone = it is not
 * here any more, only its copies name it.
 */
export type FamilyRelation = "root" | "copy" | "goesOn" | "gone";

/** Whose family to show. */
export interface FamilyParams {
  /** Id of any of its sessions. */
  sessionId: string;
}

/** What shows where a session came from. */
export interface FamilySign {
  /** The same word for the same sign, for programs. */
  evidence: FamilyEvidence;
  /** The sign in words, for people. */
  sentence: string;
}

/** A prompt with which a session goes on. */
export interface FamilyPrompt {
  /** Its uuid. */
  uuid: string;
  /** Its ordinal in that session's transcript. */
  ordinal: number;
  /** Its first words, one line. */
  preview: string;
}

/** The last record that a session has in common with the one that it came from. */
export interface FamilyParting {
  /** Its uuid in this session; null = none: it copied nothing, and goes on from the other file. */
  uuid: string | null;
  /** Its ordinal in this session; null as above. */
  ordinal: number | null;
  /** Its uuid in the session that it came from, mostly the same; null = not found there. */
  originUuid: string | null;
  /** Its ordinal there; null = not found there. */
  originOrdinal: number | null;
  /** With which this session goes on; null = it did not yet. */
  prompt: FamilyPrompt | null;
  /** With which the other one goes on; null = it did not, or is gone. */
  originPrompt: FamilyPrompt | null;
}

/** A subagent that began with a context of another transcript. */
export interface FamilyAgent {
  /** Its id. */
  agentId: string;
  /** The session whose context that is. */
  sessionId: string;
  /** The last record of the context. */
  uuid: string;
  /** Its ordinal in the session's own transcript; null = it does not stand there. */
  ordinal: number | null;
  /** All of it in words. */
  sentence: string;
}

/** A session of a family. */
export interface FamilyMember {
  /** Its id. */
  sessionId: string;
  /** The session that it came from; null = it is the root. */
  parentId: string | null;
  /** How many sessions stand above it; those that came from it follow it directly. */
  depth: number;
  /** How it belongs to the one above it. */
  relation: FamilyRelation;
  /** What to call it; null = it is gone. */
  title: Title | null;
  /** Where it was started; null = it is gone. */
  project: Project | null;
  /** URI of its transcript; null = it is gone. */
  transcript: string | null;
  /** Time of its last record; null = it is gone, or no record has one. */
  updatedAt: string | null;
  /** What shows where it came from, the strongest first; empty for the root. */
  signs: FamilySign[];
  /** Where it went another way; null for the root, and where nothing tells. */
  parting: FamilyParting | null;
  /** Records that it has from there. */
  copiedRecords: number;
  /** Records of its main conversation that are no copies; 0 = all of it is a duplicate. */
  ownRecords: number;
  /** URIs of older files with the same id in other project folders; nothing of them counts. */
  duplicates: string[];
  /** Its subagents that began with a context of another transcript. */
  agents: FamilyAgent[];
  /** How it belongs to the family, in words. */
  sentence: string;
}

/** A family as a tree, which may be one session only. */
export interface FamilyResult {
  /** From the root down, each directly before those that came from it. */
  members: FamilyMember[];
  /** How many transcripts are read: of others it is not known where they came from; null = all. */
  indexing: Indexing | null;
}

/**
 * A session's own folder, a subagent's transcript beside those of sessions, a folder with copies of
 * files: each without the session that it belongs to.
 */
export type RemainKind =
  | "folderWithoutTranscript"
  | "orphanedSubagent"
  | "backupsWithoutTranscript"
  | "namesWithoutThreads";

/**
 * Whose settings say how long transcripts are kept; default = nobody's, the agent's own number;
 * managed = the organisation's, which win.
 */
export type RetentionSource = "default" | "user" | "project" | "managed";

/**
 * Why something could not be read: dangling = a link that leads nowhere, outside = one that leads
 * out of the config folder, notUnpackable = nothing is installed that unpacks it.
 */
export type UnreadableReason =
  | "gone"
  | "denied"
  | "notRegular"
  | "io"
  | "dangling"
  | "outside"
  | "damaged"
  | "notUnpackable";

/** Whose health to tell. */
export interface HealthParams {
  /** Only this session's transcripts; null = all that are indexed. */
  sessionId?: string | null;
  /** Which sessions count as deleted soon: those that are within so many days. */
  withinDays?: number;
}

/** A line that is no record. */
export interface MalformedLine {
  /** Its ordinal. */
  ordinal: number;
  /** Bytes before it in the file. */
  offset: number;
  /** Its bytes without the line end. */
  length: number;
  /** Its line in the file, from 0; null = not known. */
  line: number | null;
  /** Why it could not be decoded, in words. */
  reason: string;
  /** The same for people. */
  sentence: string;
}

/** A record type that Forkpoint does not know. Its records are kept. */
export interface UnknownType {
  /** The type as the agent wrote it; `?` = something that is no name. */
  type: string;
  /** Records of it. */
  count: number;
  /** Client versions that wrote them, oldest first; empty = not written. */
  versions: string[];
  /** The same for people. */
  sentence: string;
}

/** A field that Forkpoint does not know, of a record type that it knows. */
export interface UnknownField {
  /** The record type. */
  type: string;
  /** The field's name; `?` = something that is no name. */
  field: string;
  /** Records with it, of those that were looked at. */
  count: number;
  /** Client versions that wrote them, oldest first; empty = not written. */
  versions: string[];
  /** The same for people. */
  sentence: string;
}

/** What a sample of records showed: fields are not looked at while transcripts are indexed. */
export interface UnknownFields {
  /** Unknown fields, most frequent first. */
  fields: UnknownField[];
  /** Records that were looked at. */
  records: number;
  /** Records that there are in the transcripts that the sample is of. */
  total: number;
  /** What the sample is, for people. */
  sentence: string;
}

/** Bytes after the last line end: a line still being written, or a write that was cut off. */
export interface TornTail {
  /** Bytes before them in the file. */
  offset: number;
  /** How many they are. */
  length: number;
  /** Their line in the file, from 0; null = not known. */
  line: number | null;
  /** The same for people. */
  sentence: string;
}

/** A record whose parent is not in the transcript. */
export interface BrokenChain {
  /** The record's uuid. */
  uuid: string;
  /** Its ordinal. */
  ordinal: number;
  /** Its line in the file, from 0; null = not known. */
  line: number | null;
  /** uuid of the parent it names; `?` = something that is no id. */
  missingParent: string;
  /** uuid of the record a resume would hang it on; null = what is older is cut off. */
  bridgedTo: string | null;
  /** The session in whose transcript the parent lies, so that nothing is wrong; null = none. */
  goesOnFrom: string | null;
  /** The same for people. */
  sentence: string;
}

/** A record whose parents lead back to it, or whose uuid stood on an earlier record. */
export interface OddLink {
  /** The record's uuid. */
  uuid: string;
  /** Its ordinal. */
  ordinal: number;
  /** Its line in the file, from 0; null = not known. */
  line: number | null;
  /** Ordinal of its parent, or of the first record with its uuid. */
  other: number;
  /** The same for people. */
  sentence: string;
}

/** What is wrong with one transcript; all lists empty = nothing. `totals` count what is cut. */
export interface TranscriptHealth {
  /** The session it belongs to. */
  sessionId: string;
  /** The agent that wrote it. */
  agent: Agent;
  /** The subagent whose transcript it is; null = the session's own. */
  agentId: string | null;
  /** URI of its lines: of the file, or of a document of the server's where that is compressed. */
  transcript: string;
  /** Lines that are no records, at most 500. */
  malformed: MalformedLine[];
  /** Unknown record types, most frequent first. */
  unknownTypes: UnknownType[];
  /** Bytes after the last line end; null = none. */
  tornTail: TornTail | null;
  /** Records whose parent is missing, at most 500. */
  brokenChains: BrokenChain[];
  /** Records whose parents lead back to them, at most 500. */
  loops: OddLink[];
  /** Records with a uuid that an earlier one has, at most 500. */
  repeatedUuids: OddLink[];
  /** File names of backups that snapshots name and that are gone, for no known reason. */
  missingBackups: string[];
  /** Backups that the agent deleted by its own rule: those of old checkpoints. */
  prunedBackups: number;
  /** Anything else to know. */
  problems: Problem[];
}

/** Sums over the transcripts of the answer, and over what concerns no single one. */
export interface HealthTotals {
  /** Malformed lines. */
  malformed: number;
  /** Unknown record types, most frequent first. */
  unknownTypes: UnknownType[];
  /** Transcripts with a torn tail. */
  tornTails: number;
  /** Records whose parent is missing, and lies in no other session either. */
  brokenChains: number;
  /** Records whose parents lead back to them. */
  loops: number;
  /** Records with a uuid that an earlier one has. */
  repeatedUuids: number;
  /** Records behind something else on their line, which a resume does not see. */
  gluedRecords: number;
  /** Backups that are gone, of sessions that have others. */
  missingBackups: number;
  /** Backups that the agent deleted by its own rule, which is nothing odd. */
  prunedBackups: number;
  /** Sessions of which all backups are gone. */
  transcriptsWithoutBackups: number;
  /** Sessions of which several transcripts lie in different places. */
  duplicateIds: number;
  /** Files and folders that could not be read. */
  unreadable: number;
  /** What is left of sessions that are gone. */
  remains: number;
}

/** A session's id that is the name of several transcripts. */
export interface DuplicateId {
  /** The id. */
  sessionId: string;
  /** The agent that wrote them. */
  agent: Agent;
  /** URI of the newest one, which answers. */
  transcript: string;
  /** URIs of the older ones. */
  others: string[];
  /** The same for people. */
  sentence: string;
}

/** A session that names copies of files of which none is there: code cannot be restored. */
export interface WithoutBackups {
  /** The session. */
  sessionId: string;
  /** The agent that wrote it. */
  agent: Agent;
  /** URI of its transcript. */
  transcript: string;
  /** Copies that it names. */
  count: number;
  /** The same for people. */
  sentence: string;
}

/** Something below a config folder that could not be read. */
export interface UnreadableFile {
  /** URI of it; of a link, not of what it leads to. */
  path: string;
  /** The session whose transcript it is; null = not known, or no transcript. */
  sessionId: string | null;
  /** The subagent whose transcript it is; null = none. */
  agentId: string | null;
  /** Why. */
  reason: UnreadableReason;
  /** The same for people. */
  sentence: string;
}

/** What is left of a session that is gone. */
export interface Remain {
  /** What it is. */
  kind: RemainKind;
  /** The agent that wrote it. */
  agent: Agent;
  /** URI of the file or folder. */
  path: string;
  /** The session it belonged to; null = its name does not say. */
  sessionId: string | null;
  /** The subagent whose transcript it is; null = it is a folder. */
  agentId: string | null;
  /** Files in it, itself if it is one; null = not counted, as there are many remains. */
  files: number | null;
  /** Their size; null likewise. */
  sizeBytes: number | null;
  /** Whether there is more of it than was counted. */
  isLowerBound: boolean;
  /** How many of them are transcripts of subagents; null likewise. */
  subagents: number | null;
  /** The same for people. */
  sentence: string;
}

/** How long transcripts are kept below one config folder. */
export interface RetentionSetting {
  /** URI of the folder. */
  configDir: string;
  /** The agent whose folder it is. */
  agent: Agent;
  /** Days after the last change of a file; null = it is never deleted. */
  days: number | null;
  /** Whose settings say so. Those of a project count once the agent is started in it. */
  source: RetentionSource;
  /** URI of the settings file; null = none, or it lies outside of the config folder. */
  file: string | null;
  /** With the source project, a session that was started there. */
  sessionId: string | null;
  /** The same for people. */
  sentence: string;
}

/** A session that the agent deletes soon. */
export interface ExpiringSession {
  /** The session. */
  sessionId: string;
  /** The agent. */
  agent: Agent;
  /** From when on; it happens when the agent is started the next time. */
  expiresAt: string;
}

/** What the agent's own clean-up deletes soon; touching a session postpones it. */
export interface Retention {
  /** What "soon" means here. */
  withinDays: number;
  /** Sessions that are deleted by then, those of programs and archived ones, too. */
  soon: number;
  /** The first 500 of them, those that go first. */
  sessions: ExpiringSession[];
  /** What says so, by config folder; behind it projects whose settings say less. */
  settings: RetentionSetting[];
  /** The same for people. */
  sentence: string;
}

/** What is not as it should be, in all and per transcript. */
export interface HealthResult {
  /** With `sessionId` all of its transcripts, else those with something to tell, at most 500. */
  sessions: TranscriptHealth[];
  /** Sums over all transcripts and lists, also where these are cut. */
  totals: HealthTotals;
  /** How many odd things there are: lines, records, files, types and fields. Remains are none. */
  findings: number;
  /** The whole in a sentence. */
  sentence: string;
  /** Fields that nobody knows: of one session, else of the newest session of each version. */
  unknownFields: UnknownFields;
  /** Sessions of which several transcripts lie in different places, at most 500. */
  duplicateIds: DuplicateId[];
  /** Sessions of which all backups are gone, at most 500. */
  transcriptsWithoutBackups: WithoutBackups[];
  /** What could not be read, at most 500. */
  unreadable: UnreadableFile[];
  /** What is left of sessions that are gone, at most 500. */
  remains: Remain[];
  /** What the agent deletes soon. */
  retention: Retention;
  /** What concerns no single transcript: a folder that cannot be read, for example. */
  problems: Problem[];
  /** All in numbers, as Markdown that can be given away: no content, no id, no name of a file. */
  report: string;
  /** How far the first reading has come; what is not read yet is not in the answer. */
  indexing: Indexing;
  /** Of how many sessions it was looked for the copies of files; the rest follows when asked. */
  copies: Indexing;
}

/**
 * agent = a tool call of the agent wrote them; outside = changed between recorded states, by a
 * person or by a command; older = they stood there before all that is recorded; unknown = older
 * than what was looked at.
 */
export type LineAuthor = "agent" | "outside" | "older" | "unknown";

/** Which file is meant: as it is saved. */
export interface LineHistoryParams {
  /** The file. */
  file: string;
}

/** Lines that follow each other and have one author. */
export interface LineRun {
  /** The first, 0-based. */
  line: number;
  /** The last. */
  endLine: number;
  /** Who wrote them as they are now. */
  by: LineAuthor;
  /** Index in `changes` of the call that wrote them; null = none did. */
  change: number | null;
  /**
   * Of lines changed outside: the newest recorded time at which they were not there. Else null, as
   * where no time is known.
   */
  since: string | null;
  /** Of lines changed outside: the oldest recorded time at which they were there; null = now. */
  until: string | null;
}

/** A tool call that wrote lines which are still there. */
export interface LineChange {
  /** Its session. */
  sessionId: string;
  /** The subagent that made it; null = the session itself. */
  agentId: string | null;
  /** The session's title. */
  title: string;
  /** The id that call and result share. */
  toolUseId: string;
  /** The tool's name. */
  name: string;
  /** uuid of the record that holds the call. */
  uuid: string;
  /** Ordinal of that record in its transcript. */
  ordinal: number;
  /** When it was made; null = not written. */
  at: string | null;
  /** The prompt that led to it, in the session's own transcript; null = none is known. */
  prompt: PromptReference | null;
  /** How manieth prompt that is on its way through the conversation, from 1; null likewise. */
  promptNumber: number | null;
  /** Whether that way is the active path; false = a branch that was left. */
  onActivePath: boolean;
}

/** The authors of all lines. */
export interface LineHistoryResult {
  /** In the order of the text; none for a file that no session edited. */
  runs: LineRun[];
  /** The calls, newest first. */
  changes: LineChange[];
  /** What a reader should know of the whole; empty = nothing. */
  sentence: string;
  /** How far reading has come: edits of sessions that were not read yet are missing. */
  indexing: Indexing;
}

/**
 * exact = the very text stands there: where it was put, or at the only place in the file; moved =
 * where the changes since lead to, though the text may be another one; fileOnly = the file is all
 * that is known.
 */
export type PlaceConfidence = "exact" | "moved" | "fileOnly";

/** Which call is meant. */
export interface LocateParams extends SessionReference {
  /** The id that call and result share. */
  toolUseId: string;
}

/** A place in a text, as LSP has it. */
export interface TextPosition {
  /** 0-based; LF, CRLF and CR end a line. */
  line: number;
  /** 0-based, in UTF-16 units. */
  character: number;
}

/** A span of a text, as LSP has it: whole lines, without the end of the last one. */
export interface TextRange {
  /** Its first character. */
  start: TextPosition;
  /** Behind its last character; equal to `start` where text was taken out. */
  end: TextPosition;
}

/** The place, as far as it is known. */
export interface LocateResult {
  /** URI of the file; null = the call works on none. */
  file: string | null;
  /** The first place; null = none is known. */
  range: TextRange | null;
  /** How sure it is: that of the least sure place. */
  confidence: PlaceConfidence;
  /** What was found, or why nothing was, in words. */
  sentence: string;
  /** All places of the call, the first 100 in the order of the text: it may have several. */
  ranges: TextRange[];
  /** uuid of the record that holds the call, for a way back to the transcript. */
  uuid: string;
}

/** Which rows of the session list are no longer what they were. Changes come together. */
export interface DidChangeCatalogParams {
  /** Ids of new sessions. */
  added: string[];
  /** Ids of sessions whose summary changed. */
  changed: string[];
  /** Ids of sessions that are gone. */
  removed: string[];
}

/** What happened to a followed session. Changes that come fast are told together. */
export interface DidChangeSessionParams {
  /** The session's id. */
  sessionId: string;
  /** The subagent whose transcript it is; null = the session's own. */
  agentId: string | null;
  /** Ordinal of the first new record; null = there is none. */
  firstNew: number | null;
  /** Ordinal of the last new record; null = there is none. */
  lastNew: number | null;
  /** Whether the file was cut or replaced: ordinals known from before mean nothing now. */
  reread: boolean;
  /** Whether the file is no longer there; what was read of it goes on answering. */
  gone: boolean;
  /** Whether the active leaf is another record than before. */
  leafMoved: boolean;
  /** uuid of the active leaf; null = the next prompt begins anew. */
  leaf: string | null;
  /** How the active path ends. */
  tip: Tip;
  /** Calls at its end without a result, and subagents that work in the background. */
  running: RunningCall[];
  /** Whether the conversation went another way: a branch point is new, or has one way more. */
  newBranch: boolean;
  /** URIs of files whose state the new records keep. */
  checkpointFiles: string[];
  /** The client that has the session open; null = none is known to. */
  live: LiveProcess | null;
}

/** Which records to read: a page by `offset` and `limit`, or the ones named by `uuids`. */
export interface RecordsParams extends SessionReference {
  /** Ordinal of the first record wanted; null = the first of all. */
  offset?: number | null;
  /** At most so many records; null = 200. */
  limit?: number | null;
  /** uuids of the records wanted; null = a page. */
  uuids?: string[] | null;
}

/** Where a record lies in its file. */
export interface RawLine {
  /** URI of the file. */
  uri: string;
  /** Bytes before the line. */
  offset: number;
  /** Bytes of the line without its line end. */
  length: number;
}

/** Text of a prompt or an answer. */
export interface TextBlock {
  /** The tag. */
  kind: "text";
  /** The text, at most 20,000 characters of it. */
  text: string;
  /** Characters kept when the text was longer; null = whole. */
  cutAt: number | null;
}

/** What the model thought before it answered. */
export interface ThinkingBlock {
  /** The tag. */
  kind: "thinking";
  /** The text, at most 20,000 characters of it; empty when the client stored none. */
  text: string;
  /** Characters kept when the text was longer; null = whole. */
  cutAt: number | null;
}

/** A call of a tool. */
export interface ToolUseBlock {
  /** The tag. */
  kind: "toolUse";
  /** Id that call and result share. */
  toolUseId: string;
  /** The tool's name. */
  name: string;
  /** URI of the file it works on; null = no file. */
  file: string | null;
  /** The call in one line of at most 200 characters. */
  summary: string;
}

/** What a tool answered. */
export interface ToolResultBlock {
  /** The tag. */
  kind: "toolResult";
  /** Id that call and result share. */
  toolUseId: string;
  /** Whether the tool failed or was denied. */
  isError: boolean;
  /** URI of the file that holds the whole output; null = it stands in the transcript. */
  spilled: string | null;
  /** Size of the whole output. */
  sizeBytes: number;
  /** The output as text, at most 20,000 characters of it; may be empty. */
  text: string;
  /** Characters kept when the text was longer; null = whole. */
  cutAt: number | null;
}

/** A picture, without its bytes. */
export interface ImageBlock {
  /** The tag. */
  kind: "image";
  /** Its media type; null = not written. */
  mediaType: string | null;
  /** Size of the picture when decoded. */
  sizeBytes: number;
}

/** Content of a kind that has no shape of its own here. */
export interface OtherBlock {
  /** The tag. */
  kind: "other";
  /** The type as the agent wrote it; may be empty. */
  name: string;
  /** Its JSON or text, at most 20,000 characters of it. */
  text: string;
}

/** A piece of a record's content; `kind` tells which. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | OtherBlock;

/** One line of the transcript. Lines of unknown types and malformed ones are records too. */
export interface RecordView {
  /** 0-based index of the record: every non-blank line counts. */
  ordinal: number;
  /** Its uuid; null = a state line or a malformed one. */
  uuid: string | null;
  /** uuid of its parent as stored; null = none. */
  parentUuid: string | null;
  /** Its type as the agent wrote it; null = malformed or not written. */
  type: string | null;
  /** Its subtype as the agent wrote it; null = none. */
  subtype: string | null;
  /** Whether Forkpoint knows the type. */
  known: boolean;
  /** What it is in the conversation; null = no part of one. */
  role: Role | null;
  /** When it was written; null = not written. */
  timestamp: string | null;
  /** Where its bytes lie. */
  raw: RawLine;
  /** Its content in order. */
  blocks: Block[];
  /** Why the line could not be decoded, in words; null = it could. */
  problem: string | null;
}

/** The records asked for, in file order. */
export interface RecordsResult {
  /** The page, or those of the uuids that were found. */
  records: RecordView[];
  /** Records of the transcript. */
  total: number;
}

/** What a restore of the code would do to a file. */
export type RewindAction = "overwrite" | "delete" | "create" | "unchanged" | "skip";

/**
 * Why a file would be left alone: it, or what lies in its copy's place, is a link or no regular
 * file; the copy is gone or cannot be read; its folder is not where it was; it cannot be written;
 * keptBack = it would be deleted, but the client deletes nothing when a restore failed.
 */
export type SkipReason =
  | "symlink"
  | "hardLink"
  | "pruned"
  | "parentMoved"
  | "notRegular"
  | "unreadable"
  | "notWritable"
  | "keptBack";

/**
 * Why the agent could not restore code: it keeps no copies of files (Codex); no checkpoint was
 * recorded at the prompt; it is not among the newest hundred; the prompt is not on the active path,
 * or lies before the newest compaction; nothing could be restored, since copies are gone or files
 * cannot be written.
 */
export type CodeReason =
  | "noBackups"
  | "noCheckpoint"
  | "tooOld"
  | "abandoned"
  | "compacted"
  | "nothingToRestore";

/** likely = the command is one that writes; unknown = it is none that is known to only read. */
export type Certainty = "likely" | "unknown";

/** Where to go back to. */
export interface RewindPreviewParams {
  /** The session. */
  sessionId: string;
  /** uuid of the prompt: what is restored is the state before it. */
  prompt: string;
}

/** What going back does to the conversation; "kept" is what stands before the prompt. */
export interface RewindConversation {
  /** Prompts of the active path that would be dropped. */
  prompts: number;
  /** Responses that would be dropped. */
  responses: number;
  /** Prompts that would stay. */
  promptsKept: number;
  /** Responses that would stay. */
  responsesKept: number;
  /** Tokens in the context at the tip; null = no response tells. */
  tokensNow: number | null;
  /** Tokens in the context before the prompt, by the last response there; null = none tells. */
  tokensAfter: number | null;
}

/** What a restore of the code would do to one file. */
export interface RewindFile {
  /** URI of the file. */
  file: string;
  /** What would happen to it. */
  action: RewindAction;
  /** Why it would be skipped; null for the other actions. */
  reason: SkipReason | null;
  /** The version that would be restored; null = none is recorded. */
  version: number | null;
  /**
   * URI of the content that it would have, an empty text for one that would be deleted; null = the
   * copy is gone.
   */
  document: string | null;
  /** Whether it differs from all that the agent knows of it: its copies and its own edits. */
  handEdited: boolean;
  /** Whether it lies outside the session's starting directory. */
  outsideWorkspace: boolean;
  /** Whether its permissions would become those of the copy. */
  modeChanges: boolean;
  /** Lines that it would gain; null = unknown, binary, or too large. */
  added: number | null;
  /** Lines that it would lose; null likewise. */
  removed: number | null;
}

/** What going back does to files. */
export interface RewindCode {
  /** Whether the agent would restore code at this prompt. */
  available: boolean;
  /** Why not; null when it would. */
  reason: CodeReason | null;
  /** The outcome in words. */
  sentence: string;
  /** The files that it knows of, in the order in which the agent first edited them. */
  files: RewindFile[];
}

/** A shell command that ran after the prompt and may have written files. */
export interface ShellCall {
  /** Id of the call. */
  toolUseId: string;
  /** uuid of the record that holds it. */
  uuid: string;
  /** Ordinal of that record. */
  ordinal: number;
  /** The subagent that ran it; null = the session itself. */
  agentId: string | null;
  /** The command in one line of at most 200 characters. */
  command: string;
  /** URIs of files that it names as written; empty where it does not tell. */
  files: string[];
  /** How sure it is that something was written. */
  certainty: Certainty;
}

/** Files that a subagent edited after the prompt: its edits are in no checkpoint. */
export interface SubagentEdits {
  /** The subagent's id. */
  agentId: string;
  /** The call that started it; null = unknown. */
  toolUseId: string | null;
  /** URIs of the files. */
  files: string[];
}

/** What a restore would not undo. */
export interface NotCovered {
  /** Shell commands. */
  shell: ShellCall[];
  /** Edits of subagents. */
  subagents: SubagentEdits[];
}

/** What would happen; nothing does. */
export interface RewindPreviewResult {
  /** The conversation part. */
  conversation: RewindConversation;
  /** The files part. */
  code: RewindCode;
  /** What stays as it is although it came after the prompt. */
  notCovered: NotCovered;
  /** What the prompt cache does for the next request from there. */
  cache: CacheNote;
}

/**
 * As `Fate`, of the transcript that has the record, for the client that is installed; abandoned =
 * not on its active path.
 */
export type HitFate = "sent" | "summarized" | "notSent" | "abandoned";

/**
 * What of a record holds the words; prompt = what a person typed, also commands and shell lines;
 * context = what the client added by itself, its notices and summaries.
 */
export type HitPart = "prompt" | "answer" | "thinking" | "toolInput" | "toolOutput" | "context";

/**
 * empty = nothing is asked for; noWords = there is no letter or digit to look for; openQuote = a
 * quotation mark has no partner; badValue = an operator with no value, or one it does not know;
 * badDate = no date; tooLong = too many words or characters.
 */
export type QueryProblemCode =
  | "empty"
  | "noWords"
  | "openQuote"
  | "badValue"
  | "badDate"
  | "tooLong";

/** What to look for, and where. */
export interface SearchParams {
  /**
   * Words, which all must stand in one text of a record (a prompt, an answer, a call, an output),
   * in any case and without regard to accents; `"a phrase"`; `prefix*`; and the operators `file:`
   * `tool:` `branch:` `model:` `agent:` `in:` `after:` `before:` `is:`, whose values may be quoted.
   */
  query: string;
  /** The folder that `scope` speaks of; null = none. */
  folder?: string | null;
  /** How far around `folder` to look. */
  scope?: Scope;
  /** Only this agent's sessions; null = all. */
  agent?: Agent | null;
  /** Only this session, its subagents included; null = all. */
  sessionId?: string | null;
  /** Index of the first hit wanted. */
  offset?: number;
  /** At most so many hits; null = 50. More than 500 are never given at once. */
  limit?: number | null;
}

/** A stretch of a snippet that was looked for, in UTF-16 code units as LSP counts. */
export interface MatchRange {
  /** Its first unit. */
  start: number;
  /** The unit behind its last one. */
  end: number;
}

/** A text that holds what was looked for, of a record; a record may have several. */
export interface SearchHit {
  /** Id of the session. */
  sessionId: string;
  /** The subagent in whose transcript it stands; null = the session's own. */
  agentId: string | null;
  /** What to call the session. */
  title: Title;
  /** Where the session was started. */
  project: Project;
  /** The record's uuid. */
  uuid: string;
  /** Its ordinal in its transcript. */
  ordinal: number;
  /** What it is in the conversation; null = no part of one. */
  role: Role | null;
  /** What of it the snippet is from. */
  part: HitPart;
  /** Name of the tool that is called, or that answered; null = none. */
  tool: string | null;
  /** URI of the file that the call, or the call that is answered, works on; null = none. */
  file: string | null;
  /** Whether it is a tool's failure or an error of the API. */
  isError: boolean;
  /** The text around the first match, one line of at most 200 characters, never markup. */
  snippet: string;
  /** What of the snippet was looked for, in order; empty when only operators were given. */
  ranges: MatchRange[];
  /** When it was written; null = not written. */
  at: string | null;
  /** Whether the next request would carry it. */
  fate: HitFate;
  /** Ids of the sessions that have copies of the record, which are no hits of their own. */
  alsoIn: string[];
}

/** Why a query could not be understood, and which part of it. */
export interface QueryProblem {
  /** The same word for the same problem, for programs. */
  code: QueryProblemCode;
  /** The problem in words, for people. */
  sentence: string;
  /** First UTF-16 code unit of the part in question. */
  start: number;
  /** The unit behind its last one. */
  end: number;
}

/**
 * A page of the hits: prompts come first, then answers, calls, outputs, thinking and context. Of
 * each the newest come first.
 */
export interface SearchResult {
  /** The page. */
  hits: SearchHit[];
  /** How many texts hold it, on all pages; of more than 1,000 the newest are given. */
  total: number;
  /** Whether there may be more: the rest was not looked at, or is not read yet. */
  totalIsLowerBound: boolean;
  /** How many of the transcripts asked about can be searched; null = all of them. */
  indexing: Indexing | null;
  /** Why nothing was looked for; null = the query was understood. */
  problem: QueryProblem | null;
  /** What else to know about the answer, such as that outputs of tools are left out. */
  notes: Problem[];
}

/** folder = sessions started in the folder; repository = in any worktree of its repository. */
export type Scope = "folder" | "repository" | "all";

/** Where a title comes from; custom = a person gave it. */
export type TitleSource =
  | "custom"
  | "ai"
  | "summary"
  | "lastPrompt"
  | "firstPrompt"
  | "command"
  | "none";

/**
 * What shows where a session came from, strongest first: a pointer in its records, a header that
 * says up to where it goes on from another file (Codex), a pointer of a forked agent, a parent that
 * lies in another file, the other file's first uuid, the other file's first message ids.
 */
export type ForkEvidence =
  | "forkedFrom"
  | "historyBase"
  | "forkContextRef"
  | "parentInOtherFile"
  | "sameFirstUuid"
  | "sameMessageIds";

/** Which sessions to list. */
export interface SessionsParams {
  /** The folder that `scope` speaks of; null = none. */
  folder?: string | null;
  /** How far around `folder` to look. */
  scope?: Scope;
  /** Text to find in title, first lines of prompts, branch, tag or id, ignoring case. */
  query?: string | null;
  /** Also sessions that a program drove (entrypoints of the SDKs, daemons). */
  includeProgrammatic?: boolean;
  /** Also sessions that were archived. */
  includeArchived?: boolean;
  /** Only this agent's sessions; null = all. */
  agent?: Agent | null;
  /** Only sessions that the agent's own clean-up deletes within so many days; null = all. */
  expiring?: number | null;
  /** Index of the first session wanted. */
  offset?: number;
  /** At most so many sessions; null = all that follow. */
  limit?: number | null;
}

/** Where a session was started. */
export interface Project {
  /**
   * Name of its folder below the agent's `projects`; for a session of Codex, which has no such
   * folders, what Claude Code would call it.
   */
  key: string;
  /** The directory as the agent wrote it, which may be of another machine; null = not written. */
  cwd: string | null;
  /** The directory's last part, for display. */
  name: string;
  /** Main checkout of the repository when `cwd` is a linked worktree, else null. */
  worktreeOf: string | null;
  /** Whether `cwd` is a directory here and now. */
  exists: boolean;
}

/** What to call a session. */
export interface Title {
  /** One line; empty when `source` is none. */
  text: string;
  /** Where the text comes from. */
  source: TitleSource;
}

/** The session that another one was copied from. */
export interface ForkOrigin {
  /** Id of the session copied from. */
  sessionId: string;
  /** What shows it. */
  evidence: ForkEvidence;
}

/** A pull request that the agent linked to a session. */
export interface PullRequest {
  /** Its number; null = not written. */
  number: number | null;
  /** Its page; null = not written. */
  url: string | null;
  /** owner/name; null = not written. */
  repository: string | null;
}

/** A file that two live sessions have in their checkpoints: one may overwrite the other. */
export interface SharedFile {
  /** URI of the file. */
  file: string;
  /** The other live sessions. */
  sessionIds: string[];
}

/** What the clock alone says of a session's cached prefix; `cacheImpact` says the rest. */
export interface SessionCache {
  /** Lifetime after each use; null = not known, or no cache was used. */
  ttlSeconds: number | null;
  /** When it expires, at the earliest; null = no lifetime is known, or no cache was used. */
  expiresAt: string | null;
  /** When it expires, at the latest, if no request uses it before. */
  expiresBy: string | null;
  /** What going on costs when it is gone, in US dollars; null = no price is known. */
  costUsdCold: number | null;
}

/** One row of the list. A number is null until its transcript is indexed. */
export interface SessionSummary {
  /** The session's id, which is also the name of its file. */
  sessionId: string;
  /**
   * What its agent resumes it by: mostly that id. A thread of Codex that was taken back goes on in
   * a further file: a session here with an id of its own, and the thread's id to resume it by.
   */
  resumeId: string;
  /** The agent that wrote it. */
  agent: Agent;
  /** URI of the transcript. */
  transcript: string;
  /** Config folder that a client has to be told to find it; null = it finds it by itself. */
  configDir: string | null;
  /** Where it was started. */
  project: Project;
  /** What to call it. */
  title: Title;
  /** The first prompt a person gave, one line of at most 200 characters; null = none (yet). */
  firstPrompt: string | null;
  /** The tag a person gave; null = none. */
  tag: string | null;
  /** The name the client gave the running agent; null = none. */
  agentName: string | null;
  /** Branch of the newest record; null = not written. */
  gitBranch: string | null;
  /** Newest client version that wrote to it; null = not written. */
  version: string | null;
  /** Models that answered, first use first. */
  models: string[];
  /** Time of the first record; null = no record has one. */
  createdAt: string | null;
  /** Time of the last record; null = no record has one. */
  updatedAt: string | null;
  /** Time of the last change of the file. */
  modifiedAt: string;
  /** Size of the transcript. */
  sizeBytes: number;
  /**
   * Prompts a person gave, on all branches, without those that were copied from another session:
   * they count there.
   */
  promptCount: number | null;
  /** Prompts that were copied from another session; null also when none were. */
  inheritedPromptCount: number | null;
  /**
   * Answers of the model, on all branches, without copied ones; one that takes several records
   * counts once.
   */
  responseCount: number | null;
  /** Abandoned branches. */
  branchCount: number | null;
  /** Compactions. */
  compactionCount: number | null;
  /** Files with at least one checkpoint. */
  checkpointFileCount: number | null;
  /** Subagents started. */
  subagentCount: number | null;
  /** What this session spent itself, without subagents and without copied records. */
  tokens: TokenCounts | null;
  /** What its subagents spent. */
  subagentTokens: TokenCounts | null;
  /** What records copied from another session carry; null also when none were copied. */
  inheritedTokens: TokenCounts | null;
  /** US dollars for `tokens` and `subagentTokens`; null also when a price is not known. */
  costUsd: number | null;
  /** Size of the context at the tip; null also before the first response. */
  contextTokens: number | null;
  /** Of its prefix in the prompt cache; null also before the first response. */
  cache: SessionCache | null;
  /** How the active path ends. */
  tip: Tip | null;
  /** The client that has it open; null = none. */
  live: LiveProcess | null;
  /** Of a live session: files in its checkpoints that another live session has in its own. */
  sharedFiles: SharedFile[];
  /** Where it was copied from; null = not copied, as far as known. */
  forkedFrom: ForkOrigin | null;
  /** Pull requests linked to it. */
  pullRequests: PullRequest[];
  /** What the client ran in (cli, claude-vscode, sdk-py ...); null = not written. */
  entrypoint: string | null;
  /** Whether it was archived. */
  archived: boolean;
  /** When the agent's own retention deletes it; null = not known or never. */
  expiresAt: string | null;
  /** What to know about its files. */
  problems: Problem[];
}

/** A page of the list, newest `updatedAt` first. */
export interface SessionsResult {
  /** The page. */
  sessions: SessionSummary[];
  /** How many sessions fit the question, on all pages. */
  total: number;
  /** How far the first reading has come. */
  indexing: Indexing;
}

/**
 * How a subagent ended. runningOrLost = it was started and no end is stored; unknown = the call
 * that started it was not found.
 */
export type SubagentState = "completed" | "failed" | "stopped" | "runningOrLost" | "unknown";

/** Whose subagents to list. */
export interface SubagentsParams {
  /** The session's id. */
  sessionId: string;
}

/** One subagent of a session. */
export interface Subagent {
  /** Its id. */
  agentId: string;
  /** The subagent that started it; null = the session itself. */
  parentAgentId: string | null;
  /** The call that started it; null = not known. */
  toolUseId: string | null;
  /** Its agent type as the client wrote it; null = not written. */
  type: string | null;
  /** What it was told to do, in the words of the call; null = not written. */
  description: string | null;
  /** Model that answered; null = no response yet. */
  model: string | null;
  /** What it spent itself. */
  tokens: TokenCounts;
  /** How it ended. */
  state: SubagentState;
  /** URI of its transcript; null = its records stand in the session's own. */
  transcript: string | null;
}

/** All subagents of a session, first started first. */
export interface SubagentsResult {
  /** Nested ones too: `parentAgentId` tells whose they are. */
  agents: Subagent[];
}

/** How a call ended; pending = no result is stored. */
export type ToolCallState = "ok" | "error" | "denied" | "pending" | "interrupted";

/** Which calls to list. */
export interface ToolCallsParams extends SessionReference {
  /** Only calls that work on this file; null = all. */
  file?: string | null;
  /** Index of the first call wanted. */
  offset?: number;
  /** At most so many calls; null = all that follow. */
  limit?: number | null;
}

/** The subagent that a call started. */
export interface StartedSubagent {
  /** Its id. */
  agentId: string;
}

/** A call joined with its result. */
export interface ToolCall {
  /** Id that call and result share. */
  toolUseId: string;
  /** The tool's name. */
  name: string;
  /** uuid of the record that holds the call. */
  uuid: string;
  /** Ordinal of that record. */
  ordinal: number;
  /** When the call was made; null = not written. */
  at: string | null;
  /** How it ended. */
  state: ToolCallState;
  /** URIs of the files it works on. */
  files: string[];
  /** The call in one line of at most 200 characters. */
  summary: string;
  /** The subagent it started; null = none. */
  subagent: StartedSubagent | null;
  /** Whether its record lies on the active path. */
  onActivePath: boolean;
}

/** A page of the calls, in file order. */
export interface ToolCallsResult {
  /** The page. */
  calls: ToolCall[];
  /** Calls on all pages. */
  total: number;
}

/**
 * What a record is on the page. turn = what a person said or ran, output = what that put out,
 * compaction = where the conversation was summed up, summary = in which words; context = what the
 * client put in unasked; note = a line of the client's own, an interruption or an error; raw = a
 * record that no client so far reads, or no record at all, as it stands in the file.
 */
export type TranscriptKind =
  | "turn"
  | "compaction"
  | "summary"
  | "answer"
  | "thinking"
  | "call"
  | "result"
  | "output"
  | "context"
  | "attachment"
  | "note"
  | "raw";

/**
 * What a foldable part is. attachments = a row of those that follow each other; summarized = what
 * stands before the newest compaction; elsewhere = what the file holds beside this path.
 */
export type FoldKind =
  | "thinking"
  | "context"
  | "attachments"
  | "output"
  | "summarized"
  | "elsewhere";

/**
 * Where a link leads. file = the file of a call; spilled = the whole of an output; subagent, branch
 * = another readable transcript; transcript = this one without `before`; part = earlier or later
 * records of it; session = the text of a session that this one came from, or that goes on from it.
 */
export type LinkKind =
  | "file"
  | "spilled"
  | "image"
  | "subagent"
  | "branch"
  | "transcript"
  | "part"
  | "session";

/** Which conversation to write down. */
export interface TranscriptParams extends SessionReference {
  /** uuid of the record to read up to, on whichever branch; null = the active leaf. */
  leaf?: string | null;
  /** Client version that would resume; null = the installed one, else the newest rule. */
  forVersion?: string | null;
  /**
   * Ordinal of a record: only what stands above it; null = up to the end. So all of a transcript
   * can be read, part by part, in texts of bounded size.
   */
  before?: number | null;
}

/** Where a record stands in the text. */
export interface TranscriptSection {
  /** Its ordinal. */
  ordinal: number;
  /** Its uuid; empty for a line that is no record. */
  uuid: string;
  /** 0-based line on which it begins. */
  line: number;
  /** 0-based line on which it ends, inclusive; a turn ends with its last record. */
  endLine: number;
  /** One line for an outline; never empty. */
  label: string;
  /** What it is in the conversation; null = no part of one. */
  role: Role | null;
  /** Whether the next request would carry it. */
  fate: Fate;
  /** 0 = a turn, which a person or a compaction begins; 1 = a record inside of one. */
  level: number;
  /** What it is on the page. */
  kind: TranscriptKind;
  /** The subagent that a call of it started; null = none is known. */
  agentId: string | null;
}

/** Records of an older file that this conversation goes on from, above its own in the text. */
export interface TranscriptInherited {
  /** The session whose transcript holds them. */
  sessionId: string;
  /** uuid of the last record there that belongs to this conversation. */
  leaf: string;
  /** Where they stand, by line; ordinals are those of that transcript. */
  sections: TranscriptSection[];
  /** Records of that part above the text that are left out. */
  earlier: number;
}

/** Lines that may be folded away; the first one stays. */
export interface TranscriptFold {
  /** 0-based line on which it begins. */
  line: number;
  /** 0-based line on which it ends, inclusive. */
  endLine: number;
  /** What it is. */
  kind: FoldKind;
  /** Whether a reader who just came should find it folded. */
  folded: boolean;
}

/** A place in the text that leads somewhere. */
export interface TranscriptLink {
  /** 0-based line. */
  line: number;
  /** Where on the line it begins, in UTF-16 code units. */
  start: number;
  /** Where on the line it ends, exclusive. */
  end: number;
  /** Where it leads. */
  kind: LinkKind;
  /** URI: of a file, or of a document that `workspace/textDocumentContent` gives. */
  target: string;
}

/** A row that names records of the file which have no section, as they are not on this path. */
export interface TranscriptElsewhere {
  /** 0-based line. */
  line: number;
  /** The row in words. */
  label: string;
  /** How many they are. */
  records: number;
}

/**
 * A path as Markdown, and what preceded its compactions. Records that no client reads stand in the
 * active path where they stand in the file.
 */
export interface TranscriptResult {
  /** The text. In a very long one the oldest records are left out, and a line says how many. */
  text: string;
  /**
   * What of the files before it stands above its own records, the oldest first; empty for a
   * conversation that begins here, and where older records of its own are left out.
   */
  inherited: TranscriptInherited[];
  /** The records of this transcript that stand in the text, by line. */
  sections: TranscriptSection[];
  /** What may be folded away beside whole records, by line. */
  folds: TranscriptFold[];
  /** Places that lead somewhere, by line. */
  links: TranscriptLink[];
  /** Rows that stand for records which are not on this path, by line. */
  elsewhere: TranscriptElsewhere[];
  /** Records of the path above the text that are left out. */
  earlier: number;
  /** Records of the path below the text, which `before` leaves out. */
  later: number;
}

/** Which picture to give. */
export interface TranscriptImageParams {
  /** The target of a link of kind `image`. */
  document: string;
}

/** A picture. */
export interface TranscriptImageResult {
  /** As the record says: `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  mediaType: string;
  /** Its bytes. */
  base64: string;
  /** How many they are. */
  sizeBytes: number;
}

/** Which record to find, by one of two names. */
export interface TranscriptPlaceParams extends SessionReference {
  /** Its uuid; it is looked for in the session's subagents, too, if none is named. */
  uuid?: string | null;
  /** Its ordinal, which every record has. */
  ordinal?: number | null;
  /** Client version that would resume; null = the installed one, else the newest rule. */
  forVersion?: string | null;
}

/** A readable text, and the line in it. */
export interface TranscriptPlaceResult {
  /** URI of the document, which `workspace/textDocumentContent` gives. */
  document: string;
  /** The subagent whose transcript it is; null = the session's own. */
  agentId: string | null;
  /** The record that the text is read up to; null = the active leaf. */
  leaf: string | null;
  /** The record that the part ends before; null = it goes to the end. */
  before: number | null;
  /** Ordinal of the record that was found; of a repeated uuid the first. */
  ordinal: number;
  /** 0-based line on which it begins, or on which the row stands that names it. */
  line: number;
  /** Whether it can be read there; false = a row names it among others of its kind. */
  shown: boolean;
}

/**
 * project = the main checkout of the repository a session was started in, else its directory; agent
 * = the coding agent; subagent = the conversation itself, and each subagent with its own
 * transcript.
 */
export type UsageDimension =
  | "session"
  | "day"
  | "month"
  | "project"
  | "model"
  | "agent"
  | "subagent";

/** What to sum up, and by what. */
export interface UsageParams {
  /** A row for each that occurs together, in this order; null = the total alone. */
  by?: UsageDimension[] | null;
  /** The folder that `scope` speaks of; null = none. */
  folder?: string | null;
  /** How far around `folder` sessions count. */
  scope?: Scope;
  /** First day that counts; null = from the beginning. */
  since?: string | null;
  /** Last day that counts; null = to the end. */
  until?: string | null;
  /** Only this agent's sessions; null = all. */
  agent?: Agent | null;
  /** Only this session, which is read now; null = all that are read. */
  sessionId?: string | null;
  /** Name of the zone whose days count, as Europe/Berlin; null = that of the server's machine. */
  timeZone?: string | null;
  /** Also give the answer as a text to read. */
  withText?: boolean;
}

/** What some responses come to; each counts once, whichever files hold it. */
export interface UsageAmount {
  /** How many. */
  responses: number;
  /** Their tokens. */
  tokens: TokenCounts;
  /**
   * US dollars at list prices, or the user's own, of those with a known price; null = none of them
   * has one.
   */
  costUsd: number | null;
  /** Responses without a known price: their dollars come on top. */
  unpriced: number;
}

/** A sum, with what subagents spent of it told apart. */
export interface UsageSums {
  /** How many sessions have a part in it. */
  sessions: number;
  /** Of conversations and their subagents. */
  both: UsageAmount;
  /** Of conversations themselves. */
  own: UsageAmount;
  /** Of their subagents. */
  subagents: UsageAmount;
}

/** What counts as one project. */
export interface UsageProject {
  /** The directory; null = not written. */
  path: string | null;
  /** Its last part, else the name of the agent's folder for it. */
  name: string;
}

/** A sum by what `by` names. What it does not name is null. */
export interface UsageRow extends UsageSums {
  /** The session. */
  sessionId: string | null;
  /** What to call the session. */
  title: Title | null;
  /** The day, 2026-11-30; null also of responses without a time. */
  day: string | null;
  /** The month, 2026-11; null also of responses without a time. */
  month: string | null;
  /** The project. */
  project: UsageProject | null;
  /** The model, as its responses name it; null also where they name none. */
  model: string | null;
  /** The coding agent. */
  agent: Agent | null;
  /** The subagent; null also of the conversation itself. */
  subagentId: string | null;
}

/** Sums over what is read by now. */
export interface UsageResult {
  /**
   * By the first of `by`, then by the next: days and months in their order, all else by what it
   * cost, the dearest first.
   */
  rows: UsageRow[];
  /** All rows. */
  total: UsageSums;
  /** What to know about the numbers: what dollars mean, and what they leave out. */
  notes: Problem[];
  /** The same as a text to read; null = not asked for. */
  text: string | null;
  /** How far the first reading has come; what is not read yet is not in the answer. */
  indexing: Indexing;
}

/** Which session to follow, or to follow no longer. */
export interface WatchParams {
  /** The session's id. */
  sessionId: string;
}

/** A call on the active path that is not over: it runs, or was lost. */
export interface RunningCall {
  /** Its id. */
  toolUseId: string;
  /** The tool's name. */
  name: string;
  /** URI of the file it works on; null = none is named. */
  file: string | null;
  /** The call in one line of at most 200 characters. */
  summary: string;
  /** Whether the conversation goes on meanwhile: a subagent whose end was not told yet. */
  inBackground: boolean;
}

/** Where the session stands; `forkpoint/didChangeSession` tells what changes from here on. */
export interface WatchResult {
  /** Records in its transcript; the next one gets this ordinal. */
  total: number;
  /** uuid of the active leaf; null = the next prompt begins anew. */
  leaf: string | null;
  /** How the active path ends. */
  tip: Tip;
  /** Calls at its end without a result, and subagents that work in the background. */
  running: RunningCall[];
  /** The client that has the session open; null = none is known to. */
  live: LiveProcess | null;
}

/** Says that nothing more is told of the session. */
export interface UnwatchResult {
  /** The session's id, as asked. */
  sessionId: string;
}

/**
 * What an item is about. Of the last three, and of files that are not as Claude knows them, there
 * is an item each.
 */
export type WorkItemKind =
  | "agent"
  | "model"
  | "permissionMode"
  | "mode"
  | "worktree"
  | "cwd"
  | "fileReads"
  | "fileHistory"
  | "title"
  | "tag"
  | "addedDirectories"
  | "mcpServers"
  | "backgroundTasks";

/**
 * What becomes of it at a resume that is started in the session's directory. restored = it is as it
 * was; fallback = something else takes its place; notRestored = it is lost, or what Claude knows of
 * it is out of date; unknown = neither the transcript nor the disk can tell.
 */
export type AtResume = "restored" | "fallback" | "notRestored" | "unknown";

/** Whose work is asked about. */
export interface WorkStateParams {
  /** The session's id. */
  sessionId: string;
}

/** One thing that the transcript says of how the work stood. */
export interface WorkItem {
  /** What it is. */
  what: WorkItemKind;
  /**
   * Its name, path, or first words, as the agent wrote them. Of `fileHistory`, and of the files
   * that are as Claude knows them, their number.
   */
  value: string;
  /** What becomes of it. */
  atResume: AtResume;
  /** The same in words, for people. */
  sentence: string;
  /** uuid of the record that says so; null = the line has none, or several say so. */
  at: string | null;
}

/** What would be there again and what not. */
export interface WorkStateResult {
  /** Grouped by kind; none of a kind that the transcript does not speak of. */
  items: WorkItem[];
}

/** What can be asked: parameters and answer of each method. */
export interface Requests {
  /** Lists sessions, newest first, at once with what is known. */
  "forkpoint/sessions": { params: SessionsParams; result: SessionsResult };
  /** Tells where the client would go on, and the records that lead there. */
  "forkpoint/activePath": { params: ActivePathParams; result: ActivePathResult };
  /** Tells the ways a conversation went, as segments between branch points. */
  "forkpoint/branchTree": { params: BranchTreeParams; result: BranchTreeResult };
  /** Gives records with their content, and where their bytes lie in the file. */
  "forkpoint/records": { params: RecordsParams; result: RecordsResult };
  /** Gives the conversation as one readable text, with the place of every record. */
  "forkpoint/transcript": { params: TranscriptParams; result: TranscriptResult };
  /** Tells in which readable text a record stands, and on which line. */
  "forkpoint/transcriptPlace": { params: TranscriptPlaceParams; result: TranscriptPlaceResult };
  /** Gives a picture that stands in a transcript. */
  "forkpoint/transcriptImage": { params: TranscriptImageParams; result: TranscriptImageResult };
  /** Writes a session down to be kept or shared, part by part, without what must not go along. */
  "forkpoint/export": { params: ExportParams; result: ExportResult };
  /** Lists the versions that are kept of a file, over all sessions, or of a session's files. */
  "forkpoint/checkpoints": { params: CheckpointsParams; result: CheckpointsResult };
  /** Gives what a version of a file holds. */
  "forkpoint/checkpointContent": { params: CheckpointContentParams; result: CheckpointContentResult };
  /** Lists the files that have versions, with their number. */
  "forkpoint/checkpointFiles": { params: CheckpointFilesParams; result: CheckpointFilesResult };
  /** Tells which files a turn, or a whole session, changed. */
  "forkpoint/checkpointChanges": { params: CheckpointChangesParams; result: CheckpointChangesResult };
  /** Tells what going back to a prompt would do to the conversation and to files. */
  "forkpoint/rewindPreview": { params: RewindPreviewParams; result: RewindPreviewResult };
  /** Lists calls of tools with how they ended and the files they work on. */
  "forkpoint/toolCalls": { params: ToolCallsParams; result: ToolCallsResult };
  /** Finds what a tool call wrote or read in the file as it is now. */
  "forkpoint/locate": { params: LocateParams; result: LocateResult };
  /** Tells which tool call, of which prompt, wrote each line of a file as it is now. */
  "forkpoint/lineHistory": { params: LineHistoryParams; result: LineHistoryResult };
  /** Foretells what the prompt cache does for the next request, why, and what that costs. */
  "forkpoint/cacheImpact": { params: CacheImpactParams; result: CacheNote };
  /** Lists requests with what the prompt cache served, and where it broke, why, at what price. */
  "forkpoint/cacheHistory": { params: CacheHistoryParams; result: CacheHistoryResult };
  /** Lists the subagents of a session. */
  "forkpoint/subagents": { params: SubagentsParams; result: SubagentsResult };
  /** Tells what of the work a resume would bring back, checked against the disk. */
  "forkpoint/workState": { params: WorkStateParams; result: WorkStateResult };
  /** Finds words in prompts, answers, calls of tools and their outputs, of all sessions. */
  "forkpoint/search": { params: SearchParams; result: SearchResult };
  /** Lists prompts that were left behind, with what was answered to them. */
  "forkpoint/abandoned": { params: AbandonedParams; result: AbandonedResult };
  /** Tells which sessions are copies of each other, what shows it, and where they parted. */
  "forkpoint/family": { params: FamilyParams; result: FamilyResult };
  /** Follows a session from now on, and tells where it stands. */
  "forkpoint/watch": { params: WatchParams; result: WatchResult };
  /** Follows a session no longer. */
  "forkpoint/unwatch": { params: WatchParams; result: UnwatchResult };
  /** Sums up tokens and what they cost, by session, day, project, model or agent. */
  "forkpoint/usage": { params: UsageParams; result: UsageResult };
  /** Tells how the context filled up along a path, and where compactions emptied it. */
  "forkpoint/contextCurve": { params: ContextCurveParams; result: ContextCurveResult };
  /** Tells what could not be read as it should be. */
  "forkpoint/health": { params: HealthParams; result: HealthResult };
}

/** What the server tells: parameters of each notification. */
export interface Notifications {
  /** Sent when rows of the session list are no longer what they were. */
  "forkpoint/didChangeCatalog": DidChangeCatalogParams;
  /** Sent when something happened to a session that is followed. */
  "forkpoint/didChangeSession": DidChangeSessionParams;
}
