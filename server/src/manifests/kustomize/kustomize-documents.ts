/** Recognizes documents that a kustomization uses but that are not objects: JSON patches, built-in transformers, replacements and configurations. The values that these documents write into objects are stored only if they cannot be part of a Secret. */

import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, type MapEntry, movedTo, type Node, startOf, treeSizeAround, treeSizeOf } from '../yaml/tree.ts';

/** The lists of field specs that a transformer configuration may contain. */
const configurationFields = [
  'commonLabels',
  'labels',
  'templateLabels',
  'commonAnnotations',
  'namespace',
  'namePrefix',
  'nameSuffix',
  'nameReference',
  'varReference',
  'images',
  'replicas',
] as const;

const configurationNames: ReadonlySet<string> = new Set(configurationFields);

const replacement = /fieldPaths:|^[ -]*select:/m;
const operation = /op["']?[ \t]*:/;
const configuration = new RegExp(`^(?:${configurationFields.join('|')}):[ \\t]*(?:\\r?\\n[ \\t]*)?[-[]`, 'm');

/** Tests quickly whether a text may contain documents that a kustomization uses but that are not objects. Most texts contain none. */
export function mayBeForKustomize(text: string): boolean {
  return [operation, replacement, configuration].some((form) => form.test(text)) || text.includes('builtin');
}

/** The maximum number of nodes in a document that is stored; aliases can expand a document without limit. */
const maximumSize = 5_000;

/** Whether a tree, with its aliases expanded, is small enough to be stored. */
export function isSmall(root: Node): boolean {
  const { size, depth } = treeSizeOf(root);
  return size <= maximumSize && depth <= 100;
}

/** Whether a document is of a type that kustomizations use, and small enough to be stored. */
export function isForKustomize(root: Node): boolean {
  if (!isSmall(root)) return false;
  if (root.kind === 'list') {
    return root.items.length > 0 && (isOperations(root.items) || root.items.every(isReplacement));
  }
  if (root.kind !== 'map') return false;
  const apiVersion = childOf(root, 'apiVersion');
  if (apiVersion !== undefined) return apiVersion.kind === 'scalar' && apiVersion.text === 'builtin';
  return isReplacement(root) || configurationFields.some((field) => childOf(root, field)?.kind === 'list');
}

function isReplacement(node: Node): boolean {
  const targets = childOf(node, 'targets');
  return targets?.kind === 'list' && targets.items.some((item) => childOf(item, 'select')?.kind === 'map');
}

/** Whether a list is a JSON patch, some of whose operations may be incomplete. */
function isOperations(items: readonly Node[]): boolean {
  return items.some(isOperation) && items.every(({ kind }) => kind === 'map');
}

function isOperation(node: Node): boolean {
  return childOf(node, 'op')?.kind === 'scalar' && childOf(node, 'path')?.kind === 'scalar';
}

/** The fields of transformers that contain patches as strings. */
const patchFields = new Set(['patch', 'patches', 'jsonOp']);

/** Fields that contain the data of ConfigMaps and Secrets, or literals from which such data is generated. */
const contents = new Set(['data', 'stringData', 'binaryData', 'literals', 'valuesInline']);

/** Returns the part of a document that is stored: patches in strings are parsed, and the data of ConfigMaps and Secrets is omitted. */
export function kept(root: Node): Node {
  if (root.kind === 'scalar') return root;
  if (root.kind === 'list') return { ...root, items: root.items.map(withoutContent) };
  // A kustomization may omit `apiVersion`, and some of its lists have the same names as lists in a transformer
  // configuration.
  const isConfiguration = childOf(root, 'apiVersion') === undefined && !isReplacement(root);
  const entries = root.entries.flatMap((entry): readonly MapEntry[] => {
    const name = entry.key.text;
    if (isConfiguration) return configurationNames.has(name) ? [entry] : [];
    if (contents.has(name)) return [];
    return [patchFields.has(name) ? { ...entry, value: patchesOf(entry.value) } : entry];
  });
  return { ...root, entries };
}

/** Returns the documents in a string as a list; all spans in the documents are the start of the string. */
function patchesOf(node: Node): Node {
  if (node.kind !== 'scalar') return node;
  const blanked = blankManifest(node.text);
  const items = splitDocuments(blanked.text).flatMap((span) => {
    const { root } = parseYaml(node.text, blanked, span);
    return root === undefined || !isSmall(root) ? [] : kept(movedTo(root, startOf(node)));
  });
  return { kind: 'list', span: node.span, flow: false, items, open: false, treeSize: treeSizeAround(items, false) };
}

/** Whether the value at the path of a JSON patch is not stored, because it may be the data of a Secret. */
export function isContentPath(path: string): boolean {
  return path === '' || contents.has(path.split('/')[1] ?? '');
}

/** Returns an operation of a JSON patch, without its value if the value is data of a ConfigMap or Secret. */
function withoutContent(node: Node): Node {
  if (node.kind !== 'map') return node;
  const path = childOf(node, 'path');
  const isKept = path?.kind === 'scalar' ? !isContentPath(path.text) : isReplacement(node);
  return isKept ? node : { ...node, entries: node.entries.filter(({ key }) => key.text !== 'value') };
}
