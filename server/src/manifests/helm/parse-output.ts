/** Parses rendered lines as YAML. Template actions that remain in the lines are treated as unknown values. */

import type { Span } from '../../text/span.ts';
import { type BlankedText, blank } from '../placeholders/placeholders.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseValid } from '../yaml/parse-yaml.ts';
import type { Node, ScalarNode } from '../yaml/tree.ts';
import { quotedText, textOfQuoted } from './actions.ts';
import { conditionalEntry, partMark, unknownPart } from './made-map.ts';
import { onlyAction } from './output.ts';
import { known, type Layer, open, type Value } from './value.ts';

export interface ReadLines {
  readonly blanked: BlankedText;
  /** The parsed content; undefined if the text contains only actions. */
  readonly root: Node | undefined;
}

/** The maximum length of parsed output, in UTF-16 code units. */
const maximumLength = 60_000;

/** Parses template output; undefined if it is not valid YAML, or contains more than one document. */
export function readLines(text: string, knownValues: Pick<BlankedText, 'assumed'>): ReadLines | undefined {
  if (text.length > maximumLength) return undefined;
  const plain = blank(text);
  const placeholders = plain.placeholders.map((placeholder) => ({
    ...placeholder,
    written: codeOf(text, placeholder),
  }));
  const blanked: BlankedText = { ...plain, ...knownValues, inner: true, placeholders };
  const documents = splitDocuments(blanked.text);
  const [document] = documents;
  if (document === undefined || documents.length > 1) return undefined;
  const read = parseValid(text, blanked, document);
  return read && { blanked, root: read.root };
}

function codeOf(text: string, { start, end }: Span): { readonly code: string; readonly text: string } {
  const action = text.slice(start, end);
  const code = action.slice(2, -2).trim();
  return { code: code.startsWith(partMark) ? textOfQuoted(code.slice(partMark.length)) : code, text: action };
}

/** Returns the layers of the map in rendered lines; undefined if the lines do not contain a map with known entries. */
export function madeOfLines(text: string, assumed: BlankedText['assumed']): readonly Layer[] | undefined {
  const read = readLines(text, assumed === undefined ? {} : { assumed });
  if (read?.root?.kind !== 'map') return undefined;
  const { entries, open: isOpen, parts = [] } = read.root;
  if ((isOpen && parts.length === 0) || parts.includes('')) return undefined;
  if (new Set(entries.map(({ key }) => key.text)).size < entries.length) return undefined;
  const certain = new Map<string, Value>();
  const layers: Layer[] = [];
  for (const { key, value, conditional, condition } of entries) {
    if (value.kind !== 'scalar' || key.pattern !== undefined) return undefined;
    if (!conditional) certain.set(key.text, valueOfScalar(value));
    else if (condition === undefined) return undefined;
    else layers.push(conditionalEntry(condition, key.text, valueOfScalar(value), ({ text }) => text));
  }
  return [{ kind: 'entries', entries: certain }, ...layers, ...parts.map(unknownPart)];
}

function valueOfScalar({ text, pattern, assumed, type }: ScalarNode): Value {
  if (pattern === undefined) {
    if (type === 'boolean') return known(/^(?:y|yes|true|on)$/i.test(text));
    if (type === 'null') return known(null);
    return known(type === 'number' && String(Number(text)) === text ? Number(text) : text);
  }
  const code = onlyAction(text);
  const data = assumed?.includes('{{') ? undefined : assumed;
  return { ...open(code ?? quotedText(text), data), text, ...(assumed !== undefined && { usual: assumed }) };
}
