// A text that is being read becomes another one: where does its reader go on?

/** A text of records; lines are 0-based. */
export interface Text {
  lineCount: number;
  /** By line; a turn and the first record in it have one uuid. */
  sections: readonly Part[];
}

interface Part {
  uuid: string;
  level: number;
  line: number;
  /** Inclusive. */
  endLine: number;
}

/** What of a text a reader sees, and where the cursor is. */
export interface Reader {
  top: number;
  bottom: number;
  cursor: number;
  /** It was put there as what it read was gone: that it sees the end says nothing. */
  wasMoved: boolean;
}

/** What to do about a reader, in this order. */
export interface Move {
  /** Line for the cursor; undefined = it is where it should be. */
  cursor?: number | undefined;
  /** Line to show on top; undefined = what is seen stays where it is. */
  top?: number | undefined;
  /** It goes along with the end: that is seen, too. */
  toEnd: boolean;
  /** See `Reader`. */
  wasMoved: boolean;
}

/**
 * Who reads the end goes along with it; who reads elsewhere is left there.
 *
 * After a rewind a text may end before what was seen of it. Then the record that was on top stays
 * there, and where it is gone the first one that is new comes there.
 */
export function placeAfter(before: Text, after: Text, reader: Reader): Move {
  const seesEnd = reader.bottom >= before.lineCount - 1;
  const isAtEnd = seesEnd && (!reader.wasMoved || reader.cursor >= before.lineCount - 1);
  if (reader.bottom < after.lineCount)
    return { toEnd: isAtEnd, wasMoved: reader.wasMoved && seesEnd && !isAtEnd };
  const first = firstNew(before, after);
  const goesTo = (line: number) => {
    const same = sameLine(before, after, line);
    return same === line ? undefined : (same ?? first);
  };
  return {
    cursor: goesTo(reader.cursor),
    top: goesTo(reader.top),
    toEnd: isAtEnd,
    wasMoved: !isAtEnd,
  };
}

/** Where a line stands in the other text; undefined = its record is gone. */
function sameLine(before: Text, after: Text, line: number): number | undefined {
  const record = before.sections.filter((each) => each.line <= line).at(-1);
  if (!record) return line;
  const there = after.sections.find(
    ({ uuid, level }) => uuid === record.uuid && level === record.level,
  );
  return there && Math.min(there.line + line - record.line, there.endLine);
}

/** Where the first record begins that is new; of a text that is only shorter the last one. */
function firstNew(before: Text, { sections }: Text): number {
  const known = new Set(before.sections.map(({ uuid }) => uuid));
  const record = sections.find(({ uuid }) => !known.has(uuid)) ?? sections.at(-1);
  return record?.line ?? 0;
}
