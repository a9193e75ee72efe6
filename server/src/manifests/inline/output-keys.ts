/** Finds the label keys in output options of kubectl: JSONPath, custom columns, sort keys and Go templates. */

import type { GroupKind, LabelKeyField } from '../../engine/catalogue/types.ts';
import type { LabelKeySite } from '../model.ts';
import { LetterList, type Letters, part } from './source-map.ts';

/** Matches a map of labels and the text up to its key: a dot, an opening bracket and quote, or (in a Go template) a space and a quote. */
const maps = /(?:(template\.)?metadata\.labels|(nodeSelector)|(matchLabels|spec\.selector))(?:\.|\[\\?['"]|\s\\?")/g;
/** Matches a label key after a dot; the next pattern matches a label key in quotes. A backslash before a dot makes the dot part of the key. */
const behindDot = /(?:[\w/-]|\\\.)+/y;
const inQuotes = /(?:[\w./-]|\\\.)+(?=\\?['"])/y;

const pod: GroupKind = { group: '', kind: 'Pod' };
const node: GroupKind = { group: '', kind: 'Node' };

/**
 * The label keys in the value of `-o`, `--template`, `--sort-by` or `--for`.
 * @param plain the value, in which unknown parts are not characters of a key
 * @param of the kind that the command prints
 * @param text the whole file
 */
export function outputKeys(
  letters: Letters,
  plain: string,
  of: GroupKind | undefined,
  text: string,
): readonly LabelKeySite[] {
  return [...plain.matchAll(maps)].flatMap((found): readonly LabelKeySite[] => {
    const [before, template, nodeSelector, selector] = found;
    const start = found.index + before.length;
    const isPath = before.endsWith('.');
    const pattern = isPath ? behindDot : inQuotes;
    pattern.lastIndex = start;
    const [raw = ''] = pattern.exec(plain) ?? [];
    const end = start + raw.length;
    const isTemplate = plain.includes('{{');
    // A path that continues after the key refers to a different key, or to a field of a different map.
    if (raw === '' || (isPath && /[\\*\0$<%]/.test(plain[end] ?? ''))) return [];
    if ((isTemplate && isPath && !/^\w+$/.test(raw)) || (selector === 'spec.selector' && /^match[A-Z]/.test(raw)))
      return [];
    const kind = nodeSelector !== undefined ? node : template === undefined && selector === undefined ? of : pod;
    const form = isTemplate ? (isPath ? 'word' : undefined) : formOf(letters, start, end, text);
    const field: LabelKeyField = { path: 'labelKeys', ...(kind && { of: kind }), ...(form && { form }) };
    const key = unescaped(part(letters, start, end));
    const span = { start: key.startOf(0), end: key.endOf(key.text.length - 1) };
    const written = { text: key.text, value: key.text, type: 'string', style: 'plain', span, letters: key } as const;
    return [{ path: 'labelKeys', place: field, key: written }];
  });
}

/** Returns the notation of a label key. It is `jsonpath`, in which dots are escaped by backslashes, if the key contains a backslash that is not itself escaped, or is in single quotes. */
function formOf(letters: Letters, start: number, end: number, text: string): 'jsonpath' | 'word' {
  const backslash = letters.text.slice(start, end).indexOf('\\');
  if (backslash !== -1) {
    const at = start + backslash;
    return letters.endOf(at) - letters.startOf(at) === 1 ? 'jsonpath' : 'word';
  }
  const at = letters.startOf(start);
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 1000), at);
  return !before.includes('"') && before.split("'").length % 2 === 0 ? 'jsonpath' : 'word';
}

/** Returns a key without its backslashes; the span of an escaped dot includes the backslash. */
function unescaped(letters: Letters): Letters {
  const list = new LetterList();
  const { text } = letters;
  for (let at = 0; at < text.length; at++) {
    const escaped = text[at] === '\\' ? 1 : 0;
    list.add(text[at + escaped] ?? '', letters.startOf(at), letters.endOf(at + escaped));
    at += escaped;
  }
  return list;
}
