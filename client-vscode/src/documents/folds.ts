// What of a readable transcript folds, and what of that is folded when it is opened?

/** Lines that fold below the first of them; 0-based, the end inclusive. */
export interface Fold {
  line: number;
  endLine: number;
}

interface FirstFolded extends Fold {
  folded: boolean;
}

/**
 * All that folds, by line: of parts that begin on one line VS Code takes the first that it is given.
 *
 * Those that were named come before whole records: they say what is folded at first.
 */
export function foldsOf(
  named: readonly FirstFolded[],
  sections: readonly Fold[],
  lineCount: number,
): Fold[] {
  const first = new Map<number, Fold>();
  for (const { line, endLine } of [...named, ...sections])
    if (endLine > line && endLine < lineCount && !first.has(line))
      first.set(line, { line, endLine });
  return [...first.values()].sort((a, b) => a.line - b.line);
}

/** What is folded for somebody who comes to a line, which stays in sight. */
export function foldedAtFirst(named: readonly FirstFolded[], seen: number): Fold[] {
  return named.filter(({ folded, line, endLine }) => folded && (seen <= line || seen > endLine));
}
