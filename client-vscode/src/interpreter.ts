// Which Python runs the server? The choice alone: what is found on the machine is handed in.

import { t } from "@vscode/l10n";

export const OLDEST_PYTHON = [3, 11] as const;

/** A Python that might do. */
export interface Candidate {
  /** Who names it. What a person set is taken or complained about, never passed over. */
  source: "setting" | "pythonExtension" | "path";
  /** Program and arguments that come before those of Python. */
  command: readonly string[];
}

/** What a Python said when asked. */
export interface Probed {
  /** Path of the interpreter itself. */
  executable: string;
  version: readonly number[];
  /** Packages that the server needs and that this Python lacks. */
  missing: readonly string[];
}

/** Asks a Python; undefined = it does not start or gives no sensible answer. */
export type Probe = (command: readonly string[]) => Promise<Probed | undefined>;

export type Choice =
  | { kind: "found"; command: readonly string[]; probed: Probed }
  | { kind: "notFound"; sentence: string };

interface Tried {
  candidate: Candidate;
  probed: Probed | undefined;
}

/** Takes the first that is new enough and has all packages; else says in one sentence what to do. */
export async function chooseInterpreter(
  candidates: readonly Candidate[],
  probe: Probe,
): Promise<Choice> {
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const probed = await probe(candidate.command);
    if (probed && isNewEnough(probed) && probed.missing.length === 0)
      return { kind: "found", command: candidate.command, probed };
    tried.push({ candidate, probed });
  }
  return { kind: "notFound", sentence: whatIsMissing(tried) };
}

/** The setting alone when it is set; else the Python extension's choice, then the usual names. */
export function candidatesFrom(
  setting: string | readonly string[],
  pythonExtension: string | undefined,
  platform: NodeJS.Platform,
): Candidate[] {
  const command = (typeof setting === "string" ? [setting.trim()] : setting).filter(Boolean);
  if (command.length > 0) return [{ source: "setting", command }];
  const names = [["python3"], ["python"], ...(platform === "win32" ? [["py", "-3"]] : [])];
  const onPath = names.map((each): Candidate => ({ source: "path", command: each }));
  if (!pythonExtension) return onPath;
  return [{ source: "pythonExtension", command: [pythonExtension] }, ...onPath];
}

function isNewEnough({ version: [major = 0, minor = 0] }: Probed): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_PYTHON;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

function whatIsMissing(tried: readonly Tried[]): string {
  const lacking = tried.find(({ probed }) => probed && isNewEnough(probed))?.probed;
  if (lacking) return packagesMissing(lacking);
  const needed = OLDEST_PYTHON.join(".");
  const first = tried[0];
  if (first?.candidate.source === "setting")
    return t(
      "Forkpoint needs Python {0} or newer: the setting forkpoint.python names {1}. Correct it.",
      needed,
      first.probed
        ? t("{0}, which is {1}", spelled(first.candidate), first.probed.version.join("."))
        : t("{0}, which does not start", spelled(first.candidate)),
    );
  return t(
    "Forkpoint needs Python {0} or newer: none found (tried {1}). Install one, or set forkpoint.python.",
    needed,
    tried.map(spelledWithVersion).join(", "),
  );
}

function packagesMissing({ missing, executable }: Probed): string {
  const pip = `"${executable}" -m pip install ${missing.join(" ")}`;
  return missing.length === 1
    ? t("Forkpoint needs the Python package {0}: run {1}", missing.join(), pip)
    : t("Forkpoint needs the Python packages {0}: run {1}", missing.join(", "), pip);
}

function spelled({ command }: Candidate): string {
  return command.join(" ");
}

function spelledWithVersion({ candidate, probed }: Tried): string {
  if (!probed) return spelled(candidate);
  return t("{0} is {1}", spelled(candidate), probed.version.join("."));
}
