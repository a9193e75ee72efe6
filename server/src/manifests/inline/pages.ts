/** Finds the manifests in a Markdown page or a script: in fenced code blocks, and in here-documents. */

import type { Span } from '../../text/span.ts';
import { mayHoldObjects } from '../parse-manifest.ts';
import { blankOut } from '../placeholders/placeholders.ts';
import type { Host } from './host-language.ts';
import { codeParts } from './markdown.ts';

/** The placeholders that a shell or the reader of a page replaces, in addition to the common placeholders. */
export const pagePlaceholders: readonly string[] = [
  ...['$NAME', '_NAME_', '{NAME}'],
  // At the beginning of a value, a bracket begins a list, which no text can follow.
  ...['[NAME]@', '[NAME]-', '[NAME].'],
];

export interface PageText {
  /**
   * A text of the same length as the page, in which each manifest is a YAML document at its original position; all
   * other text is replaced with blanks.
   */
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Returns the manifests in a text; undefined if there are none, and for languages other than Markdown and shell. */
export function manifestsIn(text: string, host: Host): PageText | undefined {
  if ((host !== 'markdown' && host !== 'shell') || !mayHoldObjects(text)) return undefined;
  const spans = host === 'markdown' ? inMarkdown(text) : hereDocuments(text, { start: 0, end: text.length });
  const manifests = spans.filter(({ start, end }) => isManifest(text.slice(start, end)));
  if (manifests.length === 0) return undefined;
  let page = '';
  for (const { start, end, isExpanded } of manifests.toSorted((a, b) => a.start - b.start)) {
    if (start < page.length) continue;
    // Pages also mark comments as other languages do.
    const content = text.slice(start, end).replace(/^([ \t]{0,100})\/\/(?=[ \t])/gm, '$1##');
    page += separated(text, page.length, start) + (isExpanded ? withoutCommands(content) : content);
  }
  return { text: page + blankOut(text.slice(page.length)), spans: manifests };
}

interface Content extends Span {
  /** Whether the shell replaces commands in the content, because the delimiter of the here-document is not quoted. */
  readonly isExpanded?: true;
}

const commandPattern = /\$\((?:[^()\n]|\([^()\n]{0,200}\)){1,300}\)|`[^`\n]{1,300}`/g;

/** Replaces the commands in the content of a here-document, which may contain quotes and any other character, with placeholders of equal lengths. */
function withoutCommands(content: string): string {
  return content.replace(commandPattern, ({ length }) => '$X'.repeat(length / 2) + (length % 2 === 0 ? '' : 'X'));
}

/** Whether the content of a code block or here-document may be a manifest: it may contain objects, and no line is a block quote. */
function isManifest(text: string): boolean {
  return mayHoldObjects(text) && !/^[ \t]*>/m.test(text);
}

/** Returns the blanked text between two manifests, with `---` on the line before the second manifest as a separator. */
function separated(text: string, from: number, to: number): string {
  const line = text.lastIndexOf('\n', to - 2) + 1;
  const rest = blankOut(text.slice(Math.max(line, from), to));
  // The line that opens a manifest always has at least three characters.
  return blankOut(text.slice(from, Math.max(line, from))) + (line < from ? rest : `---${rest.slice(3)}`);
}

function inMarkdown(text: string): readonly Content[] {
  return codeParts(text).flatMap(({ start, end, host }): readonly Content[] => {
    // Inline code does not start at the beginning of a line, and cannot be a manifest.
    if (text[start - 1] !== '\n') return [];
    if (host === 'yaml') return [{ start, end }];
    return host === 'shell' || host === 'text' ? hereDocuments(text, { start, end }) : [];
  });
}

const opening = /<<[ \t]?(?:'([A-Za-z_]\w{0,40})'|"([A-Za-z_]\w{0,40})"|([A-Za-z_]\w{0,40}))/;

/** The maximum number of here-documents without an end in a text, because each requires a search through the rest of the text. */
const maximumUnclosed = 20;

/** Returns the contents of the here-documents in a part of a text. Contents that are indented with tabs (`<<-`) are not YAML and are omitted. */
function hereDocuments(text: string, part: Span): readonly Content[] {
  const found: Content[] = [];
  let unclosed = 0;
  for (let at = part.start; at < part.end && unclosed < maximumUnclosed; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 || next >= part.end ? part.end : next;
    const [, single, double, plain] = opening.exec(text.slice(at, Math.min(end, at + 500))) ?? [];
    const word = single ?? double ?? plain;
    const close = word === undefined ? -1 : closingLine(text, { start: end + 1, end: part.end }, word);
    if (close === -1) {
      if (word !== undefined) unclosed++;
      at = end + 1;
    } else {
      found.push({ start: end + 1, end: close, ...(plain !== undefined && { isExpanded: true }) });
      at = close + 1;
    }
  }
  return found;
}

/** Returns the offset of the line that consists only of a given word; -1 if there is none. */
function closingLine(text: string, { start, end }: Span, word: string): number {
  for (let at = start; at < end; ) {
    const next = text.indexOf('\n', at);
    const stop = next === -1 || next > end ? end : next;
    if (stop - at < word.length + 50 && text.slice(at, stop).trim() === word) return at;
    at = stop + 1;
  }
  return -1;
}
