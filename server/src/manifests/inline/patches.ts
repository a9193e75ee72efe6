/** Parses the patch of `kubectl patch` as a part of the object that it changes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { pointerSegment } from '../kustomize/replaced-paths.ts';
import type { ManifestObject } from '../model.ts';
import { readObject } from '../parse-manifest.ts';
import { blank } from '../placeholders/placeholders.ts';
import { withSelectors } from '../sites/sites.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import {
  childOf,
  itemsOf,
  type Node,
  type ScalarNode,
  textOf,
  treeSizeAround,
  treeSizeAroundEntries,
} from '../yaml/tree.ts';
import type { CommandWord } from './paths-and-names.ts';
import { kindsOf } from './resources.ts';
import { LetterList, type Letters, part } from './source-map.ts';

type PatchWord = CommandWord & { readonly is: 'patch' };

/** Returns the syntax tree of a patch in JSON or YAML, with offsets in the text of the word; undefined unless the patch is exactly one document. */
export function patchTree({ letters }: CommandWord): Node | undefined {
  const blanked = blank(letters.text);
  const [span, ...others] = splitDocuments(blanked.text);
  return span === undefined || others.length > 0 ? undefined : parseYaml(letters.text, blanked, span).root;
}

/** Returns the labels, annotations and selectors that a patch sets, in objects that represent the command. */
export function patchedParts(word: PatchWord, catalogue: Catalogue): readonly ManifestObject[] {
  const span = { start: word.at.start, end: word.letters.endOf(word.letters.text.length - 1) };
  const shared = { group: '', version: '', kind: word.command, kindSpan: word.at, span };
  const none = { templates: [], labelKeySites: [], inherited: [], forCluster: false, inline: true as const };
  return patchedObjects(word, catalogue).flatMap(({ object, isKnown }) => {
    // The value null removes the label. Other fields named labels may contain something else.
    const labelSites = object.labelSites
      .filter(({ path, place }) => path === `metadata.${place.holds}` || place.of !== undefined)
      .map((site) => ({ ...site, entries: site.entries.filter(({ value }) => value.type !== 'null') }))
      .filter(({ entries }) => entries.length > 0);
    const selectorSites = object.selectorSites
      .filter(({ state }) => isKnown && state === 'present')
      .map((site) => (word.type === 'json' ? site : withSelectors({ ...site, open: true })));
    return labelSites.length + selectorSites.length === 0 ? [] : [{ ...shared, ...none, labelSites, selectorSites }];
  });
}

interface PatchedObject {
  readonly root: Node;
  readonly object: ManifestObject;
  /** Whether the command names the kind of the object; otherwise, only the fields that most kinds share have a meaning. */
  readonly isKnown: boolean;
}

/** Returns the objects that a patch or, for a JSON patch, each of its operations describes, with only the fields that it sets, at their positions in the file. */
export function patchedObjects(word: PatchWord, catalogue: Catalogue): readonly PatchedObject[] {
  const tree = patchTree(word);
  if (tree === undefined) return [];
  const kinds = word.resource === undefined ? [] : kindsOf(catalogue, word.resource);
  const [only, ...others] = kinds;
  const isKnown = only !== undefined && others.length === 0;
  const { group, kind } = isKnown ? only : { group: 'apps', kind: 'Deployment' };
  const version = catalogue.kind(group, '', kind)?.versions[0] ?? '';
  const type = { group, version, kind, kindSpan: word.at };
  const roots = word.type === 'json' ? pointedFields(word, tree) : [positioned(tree, word.letters)];
  return roots.flatMap((root) => readObject(root, catalogue, type).map((object) => ({ root, object, isKnown })));
}

/** Returns a tree with the positions of its nodes in the file; the quotes of scalars are not part of their spans. */
function positioned(node: Node, letters: Letters): Node {
  const span = { start: letters.startOf(node.span.start), end: letters.endOf(node.span.end - 1) };
  switch (node.kind) {
    case 'scalar':
      return positionedScalar(node, letters);
    case 'list':
      return { ...node, span, items: node.items.map((item) => positioned(item, letters)) };
    case 'map': {
      const entries = node.entries.map((entry) => ({
        ...entry,
        key: positionedScalar(entry.key, letters),
        value: positioned(entry.value, letters),
      }));
      return { ...node, span, entries };
    }
  }
}

function positionedScalar(node: ScalarNode, letters: Letters): ScalarNode {
  const { style, span } = node;
  const quote = style === 'plain' ? 0 : 1;
  const inside = part(letters, span.start + quote, span.end - quote);
  const start = letters.startOf(span.start + quote);
  const end = inside.text === '' ? start : inside.endOf(inside.text.length - 1);
  return { ...node, style: 'plain', span: { start, end }, letters: inside };
}

/** The maximum number of fields in the pointer of an operation; those of real objects have fewer. */
const maximumKeys = 20;

/** Returns the field that each operation of a JSON patch sets, in a map of the object's fields. */
function pointedFields({ letters }: CommandWord, root: Node): readonly Node[] {
  return itemsOf(root).flatMap((operation): readonly Node[] => {
    const [path, value] = [childOf(operation, 'path'), childOf(operation, 'value')];
    if (!/^(?:add|replace)$/.test(textOf(childOf(operation, 'op')) ?? '')) return [];
    if (path?.kind !== 'scalar' || path.pattern !== undefined || value === undefined) return [];
    const pointer = positionedScalar(path, letters).letters;
    // In a pointer with escape sequences of JSON, the positions of the keys are unknown.
    const keys = pointer?.text === path.text ? keysOf(pointer) : [];
    if (keys.length === 0 || keys.length > maximumKeys) return [];
    return [pointedField(keys, positioned(value, letters), true)];
  });
}

/** Returns the keys of a JSON pointer such as `/metadata/labels/example.com~1team`. */
export function keysOf(letters: Letters): readonly ScalarNode[] {
  return [...letters.text.matchAll(/\/([^/]*)/g)].map(({ 1: key = '', index }): ScalarNode => {
    const written = part(letters, index + 1, index + 1 + key.length);
    const list = new LetterList(pointerSegment);
    for (const { 0: piece, index: at } of key.matchAll(/~[01]|[^~]|~/g)) {
      const text = piece === '~1' ? '/' : piece === '~0' ? '~' : piece;
      list.add(text, written.startOf(at), written.endOf(at + piece.length - 1));
    }
    const span = { start: written.startOf(0), end: key === '' ? written.startOf(0) : written.endOf(key.length - 1) };
    return { kind: 'scalar', span, text: list.text, style: 'plain', type: 'string', letters: list };
  });
}

/** Returns an object with only the field to which the keys point; `open` states whether the object may have other fields. */
export function pointedField(keys: readonly ScalarNode[], value: Node, open: boolean): Node {
  return keys.reduceRight((inner, key) => around(key, inner, open), value);
}

function around(key: ScalarNode, value: Node, open: boolean): Node {
  const shared = { span: value.span, flow: true, open };
  if (/^(?:\d+|-)$/.test(key.text))
    return { ...shared, kind: 'list', items: [value], treeSize: treeSizeAround([value], false) };
  const entries = [{ key, value, merged: false, conditional: false }];
  return { ...shared, kind: 'map', entries, treeSize: treeSizeAroundEntries(entries, false) };
}
