// Where in a readable transcript does a record stand?

/** Lines of a readable transcript that one record, or one turn, takes; the ends are inclusive. */
export interface Section {
  ordinal: number;
  line: number;
  endLine: number;
}

/**
 * The section of a record: the one with the nearest ordinal that is not after it.
 *
 * Of several with that ordinal (a turn begins with its prompt) the first in the text.
 */
export function sectionOf<S extends Section>(
  sections: readonly S[],
  ordinal: number,
): S | undefined {
  let nearest: S | undefined;
  for (const section of sections)
    if (section.ordinal <= ordinal && (!nearest || section.ordinal > nearest.ordinal))
      nearest = section;
  return nearest ?? sections[0];
}

/** The section of a record itself: the first in the text; undefined = the text does not show it. */
export function sectionAt<S extends Section>(
  sections: readonly S[],
  ordinal: number,
): S | undefined {
  return sections.find((section) => section.ordinal === ordinal);
}

/** A section's own lines, without those of the records that stand in its turn. */
export function ownLines<S extends Section>(
  sections: readonly S[],
): { section: S; line: number; endLine: number }[] {
  return sections.map((section, at) => {
    const next = sections[at + 1]?.line ?? Number.POSITIVE_INFINITY;
    return { section, line: section.line, endLine: Math.min(section.endLine, next - 1) };
  });
}
