/** Of which template was a document rendered? `helm template` writes it into a comment: `# Source: web/templates/a.yaml`. */

export interface RenderedPart {
  /** The offset from which on it holds. */
  readonly from: number;
  /** Undefined where nothing says it. */
  readonly source: string | undefined;
}

const lines = /^(?:---|# Source: )[^\r\n]*/gm;

/** The parts of a text, in order; a new document forgets what the one before came from. */
export function renderedParts(text: string): readonly RenderedPart[] {
  if (!text.includes('# Source: ')) return [];
  return [...text.matchAll(lines)].map(({ 0: line, index }) => {
    const source = line.startsWith('---') ? undefined : line.slice('# Source: '.length).trim();
    return { from: index, source };
  });
}

/** The template that an offset came from. */
export function sourceAt(parts: readonly RenderedPart[], offset: number): string | undefined {
  return parts.findLast(({ from }) => from <= offset)?.source;
}
