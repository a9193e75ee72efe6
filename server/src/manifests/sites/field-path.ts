/** Parses field paths in kustomize replacements, such as `spec.template.metadata.labels.[app.kubernetes.io/name]`. */

import type { Edit } from '../../text/edit.ts';
import type { Span } from '../../text/span.ts';
import type { Written } from '../model.ts';
import { pieceOf, replacePieces } from './string-pieces.ts';

/** A part of a field path: a key, a list index, `*`, or a condition on list items (`[name=web]`). */
export interface FieldPathPart {
  /** The text of the part without escaping backslashes, and without brackets around a key. */
  readonly text: string;
  /** The range of the part within the path. */
  readonly span: Span;
  readonly form: 'plain' | 'escaped' | 'brackets';
}

/** Splits a path into its parts. Dots after a backslash or inside brackets do not separate parts, and a dot at the start has no effect. */
export function partsOfFieldPath(path: string): readonly FieldPathPart[] {
  const parts: FieldPathPart[] = [];
  const first = path.startsWith('.') ? 1 : 0;
  let start = first;
  let text = '';
  let isIn = false;
  const end = (at: number) => {
    // Brackets that do not contain `=` surround a key that contains dots.
    const key = /^\[([^=]*)\]$/s.exec(text)?.[1];
    const isEscaped = text.length < at - start;
    if (key !== undefined) parts.push({ text: key, span: { start: start + 1, end: at - 1 }, form: 'brackets' });
    else parts.push({ text, span: { start, end: at }, form: isEscaped ? 'escaped' : 'plain' });
    start = at + 1;
    text = '';
  };
  for (let at = first; at < path.length; at++) {
    const character = path[at] ?? '';
    if (character === '\\' && path[at + 1] === '.') text += path[++at];
    else if (character === '.' && !isIn) end(at);
    else {
      if (character === '[') isIn = true;
      if (character === ']') isIn = false;
      text += character;
    }
  }
  end(path.length);
  return parts;
}

/** Returns the key at the end of a path; undefined if the last part is a list index, `*` or a condition. */
export function lastKey(parts: readonly FieldPathPart[]): FieldPathPart | undefined {
  const last = parts.at(-1);
  return last === undefined || last.text === '' || /^(?:\*|\d+|\[.*\])$/s.test(last.text) ? undefined : last;
}

/** Whether the parts before the last part match the path of a field, such as `spec.ingress[2].from`. A condition or `*` matches any list item. */
export function leadsInto(parts: readonly FieldPathPart[], path: string): boolean {
  const steps = path.replaceAll(']', '').split(/[.[]/);
  if (steps.length !== parts.length - 1) return false;
  return steps.every((step, at) => {
    const { text = '' } = parts[at] ?? {};
    return text === step || (/^\d+$/.test(step) && (text === '*' || (text.startsWith('[') && text.includes('='))));
  });
}

/** Returns the label key to which a path certainly refers, with its own range, judging by the names of the fields before it; undefined if there is none. */
export function labelKeyInPath(written: Written): Written | undefined {
  if (typeof written.value !== 'string' || written.origin !== undefined) return undefined;
  const parts = partsOfFieldPath(written.text);
  const key = lastKey(parts);
  const [map, above] = [parts.at(-2)?.text ?? '', parts.at(-3)?.text ?? ''];
  const isSelector =
    map === 'selector' && above === 'spec' && parts.length === 3 && !/^match[A-Z]/.test(key?.text ?? '');
  const isMap =
    map === 'matchLabels' || map === 'nodeSelector' || (map === 'labels' && above === 'metadata') || isSelector;
  const span = key && isMap ? pieceOf(written, key.span) : undefined;
  if (key === undefined || span === undefined) return undefined;
  const { anchored } = written;
  return { text: key.text, value: key.text, type: 'string', style: 'plain', span, ...(anchored && { anchored }) };
}

/** Returns the edits that replace the key at the end of the path. */
export function withLastKey(written: Written, to: string): readonly Edit[] {
  const key = lastKey(partsOfFieldPath(written.text));
  if (key === undefined) return [];
  // In an unquoted scalar, a bracket can begin a list, so dots are escaped; in double quotes, a backslash begins an
  // escape sequence, so brackets are used.
  const inBrackets = written.style === 'double' ? `[${to}]` : to.replaceAll('.', '\\.');
  const text = key.form === 'brackets' || !to.includes('.') ? to : inBrackets;
  return replacePieces(written, [{ span: key.span, text }]);
}
