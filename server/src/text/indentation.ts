/** Detects the indentation of a YAML text from its first map and its first list below a key. */

export interface Indentation {
  /** The number of columns by which a map is indented below its key. */
  readonly step: number;
  /** Whether a list is indented below its key. */
  readonly lists: boolean;
}

/** The maximum number of lines that are examined: a file usually keeps its style. */
const linesLookedAt = 1000;

/** Returns the indentation of a text. The default is two columns, with indented lists. */
export function indentationOf(text: string): Indentation {
  let step: number | undefined;
  let lists: boolean | undefined;
  let key: number | undefined;
  for (const line of text.split('\n', linesLookedAt)) {
    const content = line.trimEnd();
    if (content === '' || content.trimStart().startsWith('#')) continue;
    const indent = content.length - content.trimStart().length;
    const isItem = /^-(?: |$)/.test(content.slice(indent));
    if (key !== undefined && isItem) lists ??= indent > key;
    else if (key !== undefined && indent > key) step ??= indent - key;
    if (step !== undefined && lists !== undefined) break;
    key = content.endsWith(':') ? indent + (isItem ? 2 : 0) : undefined;
  }
  return { step: step ?? 2, lists: lists ?? true };
}
