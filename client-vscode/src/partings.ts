// Which places show where a session and the one that it came from part?

import { t } from "@vscode/l10n";
import type { FamilyMember } from "./protocol";
import type { Place } from "./views/tree";

export interface Partings {
  /** What there is to say of it. */
  sentence: string;
  /** The last record of both in the session itself, or where its text begins; undefined = nowhere. */
  here: Place | undefined;
  /** The same record in the session that it came from; undefined = it is gone, or has it no more. */
  there: Place | undefined;
}

export function partingsOf(members: readonly FamilyMember[], sessionId: string): Partings {
  const member = members.find((each) => each.sessionId === sessionId);
  const origin = members.find((each) => each.sessionId === member?.parentId);
  if (!member || !origin) return nowhere(t("This session came from no other one that is here."));
  const { parting, sentence } = member;
  if (!parting) return nowhere(t("{0} Where they part is not known.", sentence));
  return {
    sentence,
    here: placeIn(member, parting.ordinal ?? parting.prompt?.ordinal),
    there: placeIn(origin, parting.originOrdinal ?? undefined),
  };
}

function nowhere(sentence: string): Partings {
  return { sentence, here: undefined, there: undefined };
}

function placeIn({ sessionId, title }: FamilyMember, ordinal?: number): Place | undefined {
  return title && ordinal !== undefined ? { session: { sessionId, title }, ordinal } : undefined;
}
