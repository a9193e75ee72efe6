/**
 * Finds the template that a document was rendered from. `helm template` writes it into a comment: `# Source:
 * web/templates/a.yaml`.
 */

export interface RenderedPart {
  /** The offset at which the part begins. */
  readonly from: number;
  /** The template; undefined if no comment names it. */
  readonly source: string | undefined;
}

const lines = /^(?:---|# Source: )[^\r\n]*/gm;

/** Splits a text into parts by template, in order. A template applies up to the end of its document. */
export function renderedParts(text: string): readonly RenderedPart[] {
  if (!text.includes('# Source: ')) return [];
  return [...text.matchAll(lines)].map(({ 0: line, index }) => {
    const source = line.startsWith('---') ? undefined : line.slice('# Source: '.length).trim();
    return { from: index, source };
  });
}

/** Returns the template that the text at an offset was rendered from. */
export function sourceAt(parts: readonly RenderedPart[], offset: number): string | undefined {
  return parts.findLast(({ from }) => from <= offset)?.source;
}
