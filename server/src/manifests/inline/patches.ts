/** Finds the labels in the patch of `kubectl patch`. */

import type { LabelEntry, LabelSite, ManifestObject, Written } from '../model.ts';
import { blank } from '../placeholders/placeholders.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, entryOf, itemsOf, type Node, type ScalarNode, textOf } from '../yaml/tree.ts';
import type { CommandWord } from './command-words.ts';
import { type Letters, part, verbatim } from './source-map.ts';

/** Returns the syntax tree of a patch in JSON or YAML, with offsets in the text of the word; undefined unless the patch is exactly one document. */
export function patchTree({ letters }: CommandWord): Node | undefined {
  const blanked = blank(letters.text);
  const [span, ...others] = splitDocuments(blanked.text);
  return span === undefined || others.length > 0 ? undefined : parseYaml(letters.text, blanked, span).root;
}

const places = [
  ['metadata', 'labels'],
  ['spec', 'template', 'metadata', 'labels'],
] as const;

/** Returns the labels that a patch sets, in an object that represents the command. */
export function patchedLabels(word: CommandWord & { readonly is: 'patch' }): readonly ManifestObject[] {
  const root = patchTree(word);
  if (root === undefined) return [];
  const labelSites = word.type === 'json' ? pointedSites(word, root) : mergedSites(word, root);
  if (labelSites.length === 0) return [];
  const span = { start: word.at.start, end: word.letters.endOf(word.letters.text.length - 1) };
  const shared = { group: '', version: '', kind: word.command, kindSpan: word.at, span, labelSites };
  const none = { selectorSites: [], templates: [], labelKeySites: [], inherited: [] };
  return [{ ...shared, ...none, forCluster: false, inline: true }];
}

/** Returns the labels that the operations of a JSON patch set. A key that contains an escaped character is omitted. */
function pointedSites({ letters }: CommandWord, root: Node): readonly LabelSite[] {
  return itemsOf(root).flatMap((operation): readonly LabelSite[] => {
    const [path, value] = [childOf(operation, 'path'), childOf(operation, 'value')];
    if (!/^(?:add|replace)$/.test(textOf(childOf(operation, 'op')) ?? '')) return [];
    if (path?.kind !== 'scalar' || path.pattern !== undefined || value?.kind !== 'scalar') return [];
    const [, map = '', key = ''] = /^\/((?:spec\/template\/)?metadata\/labels)\/([^/~]+)$/.exec(path.text) ?? [];
    const whole = written(letters, path);
    const start = whole.text.length - key.length;
    if (key === '' || whole.letters?.text !== path.text) return [];
    const part = writtenPart(whole, key, start);
    const at = map.replaceAll('/', '.');
    const site = { path: at, keySpan: whole.span, span: whole.span, open: false };
    const entry = { key: part, value: written(letters, value), merged: false, conditional: false };
    return [{ ...site, place: { path: at, holds: 'labels' }, entries: [entry] }];
  });
}

/** Returns the end of a scalar as a scalar of its own. */
function writtenPart(whole: Written, text: string, start: number): Written {
  const inside = part(whole.letters ?? verbatim(whole.text), start, whole.text.length);
  return { ...whole, text, value: text, span: { start: inside.startOf(0), end: whole.span.end }, letters: inside };
}

/** Returns the labels that a patch sets which is merged into an object. */
function mergedSites(word: CommandWord, root: Node): readonly LabelSite[] {
  return places.flatMap((path): readonly LabelSite[] => {
    const holder = path.slice(0, -1).reduce<Node | undefined>((node, key) => childOf(node, key), root);
    const entry = entryOf(holder, path.at(-1) ?? '');
    if (entry?.value.kind !== 'map') return [];
    const entries = entry.value.entries.flatMap(({ key, value }): readonly LabelEntry[] => {
      // The value null removes the label.
      if (value.kind !== 'scalar' || value.type === 'null') return [];
      const parts = { key: written(word.letters, key), value: written(word.letters, value) };
      return [{ ...parts, merged: false, conditional: false }];
    });
    if (entries.length === 0) return [];
    const site = { path: path.join('.'), keySpan: spanOf(word.letters, entry.key), entries, open: false };
    return [{ ...site, place: { path: site.path, holds: 'labels' }, span: spanOf(word.letters, entry.value) }];
  });
}

function spanOf(letters: Letters, { span }: Pick<Node, 'span'>) {
  return { start: letters.startOf(span.start), end: letters.endOf(span.end - 1) };
}

/** Returns a scalar at its position in the file, without its quotes. */
function written(letters: Letters, { text, type, style, pattern, span }: ScalarNode): Written {
  const quote = style === 'plain' ? 0 : 1;
  const inside = part(letters, span.start + quote, span.end - quote);
  const at = text === '' ? { start: letters.startOf(span.start), end: letters.startOf(span.start) } : undefined;
  return {
    text,
    value: pattern === undefined ? text : { unknown: text },
    type,
    style: 'plain',
    span: at ?? { start: inside.startOf(0), end: inside.endOf(inside.text.length - 1) },
    letters: inside,
  };
}
