/** Provides the syntax trees of objects, for callers that need more than labels and selectors. */

import type { Path } from '../engine/index.ts';
import { lastAnswer, lastAnswers } from '../engine/last-result.ts';
import { getOrAdd } from '../engine/memoize.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { type BlankedText, blank } from '../manifests/placeholders/placeholders.ts';
import { blankManifest } from '../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../manifests/yaml/documents.ts';
import { parseYaml } from '../manifests/yaml/parse-yaml.ts';
import { splitTemplate } from '../manifests/yaml/template-documents.ts';
import {
  childOf,
  entryOf,
  itemsOf,
  type MapEntry,
  type MapNode,
  movedTo,
  type Node,
  type ScalarNode,
  startOf,
} from '../manifests/yaml/tree.ts';
import type { Span } from '../text/span.ts';
import { isChartTemplate } from './charts/chart-files.ts';
import type { Workspace } from './model.ts';

interface FileText {
  readonly text: string;
  readonly workspace: Workspace;
  readonly uri: string;
}

/** The number of characters in the files whose syntax trees are cached: the files of the overlays of a base, in two states. */
const maximumCharacters = 500_000;

/** The result is cached, so that each document is parsed once for all rules and all applied versions of a file, also if several overlays apply it. */
const documentsWith = lastAnswer((placeholders: readonly string[] | undefined) => ({
  template: lastAnswers((text) => documentsOf(blank(text, placeholders)), lengthOf, maximumCharacters),
  manifest: lastAnswers((text) => documentsOf(blankManifest(text, placeholders)), lengthOf, maximumCharacters),
}));

function lengthOf({ length }: string): number {
  return length;
}

function documentsOf(blanked: BlankedText) {
  return {
    blanked,
    spans: splitTemplate(blanked),
    roots: new Map<Span, Node | undefined>(),
    /** The syntax trees of patches in literal block scalars, by their offsets. */
    patches: new Map<number, Node | undefined>(),
  };
}

function documentsIn({ text, workspace, uri }: FileText) {
  const documents = documentsWith(workspace.configs().of(uri)?.config.reading.placeholders);
  const file = workspace.files.get(uri);
  return (file && isChartTemplate(file) ? documents.template : documents.manifest)(text);
}

/** Returns the text of a file in which template actions and placeholders are replaced. */
export function blankedText(context: FileText): BlankedText {
  return documentsIn(context).blanked;
}

export function documentTrees(context: FileText): readonly Node[] {
  return documentsIn(context).spans.flatMap((span) => rootAround(context, span) ?? []);
}

function rootAround(context: FileText, around: Span): Node | undefined {
  const { blanked, spans, roots } = documentsIn(context);
  const span = spans.find(({ start, end }) => start <= around.start && around.end <= end);
  if (span === undefined) return undefined;
  if (!roots.has(span)) roots.set(span, parseYaml(context.text, blanked, span).root);
  return roots.get(span);
}

/** Returns the syntax tree of an object; for an object that represents values of a chart, the node of the value. */
export function treeOf(context: FileText, object: ManifestObject): Node | undefined {
  const root = rootAround(context, object.span);
  return object.inValues ? targetWith(root, object.span)?.node : objectIn(root, object);
}

/** Returns the syntax tree of a patch, which may be inside a string of its file; undefined if the string contains several patches. */
export function patchTreeOf(context: FileText, patch: ManifestObject): MapNode | undefined {
  const { text } = context;
  const { start, end } = patch.span;
  const scalar = scalarAt(context, start);
  if (scalar === undefined) {
    // A patch in a literal block scalar has its position in the file.
    const lines = { start: text.lastIndexOf('\n', start - 1) + 1, end };
    const { blanked, patches } = documentsIn(context);
    const tree = treeOf(context, patch) ?? getOrAdd(patches, start, () => parseYaml(text, blanked, lines).root);
    return tree?.kind === 'map' ? tree : undefined;
  }
  const blanked = blankManifest(scalar.text);
  const [span, ...others] = splitDocuments(blanked.text);
  const root = span === undefined || others.length > 0 ? undefined : parseYaml(scalar.text, blanked, span).root;
  return root?.kind === 'map' ? movedTo(root, startOf(scalar)) : undefined;
}

/** Returns the syntax tree of the YAML in a literal block scalar, with its positions in the file; undefined for all other nodes. */
export function literalTree(context: FileText, node: Node | undefined): Node | undefined {
  const { text } = context;
  if (node?.kind !== 'scalar' || node.style !== 'block' || text[node.span.start] !== '|') return undefined;
  const lines = { start: text.indexOf('\n', node.span.start) + 1, end: node.span.end };
  const { blanked, patches } = documentsIn(context);
  return getOrAdd(patches, lines.start, () => parseYaml(text, blanked, lines).root);
}

/** Returns the scalar that begins at an offset of a file. */
function scalarAt(context: FileText, offset: number): ScalarNode | undefined {
  let node = rootAround(context, { start: offset, end: offset });
  while (node !== undefined && node.kind !== 'scalar') {
    const inside: readonly Node[] = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    node = inside.find((each) => each.span.start <= offset && offset < each.span.end);
  }
  return node?.span.start === offset ? node : undefined;
}

/** Returns the node of an object: the root of its document, an item of a List, or an object in a Template. */
function objectIn(root: Node | undefined, { span }: ManifestObject): Node | undefined {
  const lists = [childOf(root, 'items'), childOf(root, 'objects')];
  const held = lists.flatMap((list) => itemsOf(list));
  return [root, ...held].find(
    (node) => node?.kind === 'map' && node.span.start === span.start && node.span.end === span.end,
  );
}

/** Returns the steps of a path in an object: for `spec.terms[0]`, they are `['spec', 'terms', 0]`. */
export function stepsOf(path: string): Path {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** A node that a path refers to, the map entry that contains it, and its parent. */
export interface PathTarget {
  readonly node: Node;
  readonly entry?: MapEntry;
  readonly parent?: Node;
}

/** Returns the target of a path, starting at a root node; undefined if it does not exist. */
export function targetAt(root: Node | undefined, path: Path): PathTarget | undefined {
  let target: PathTarget | undefined = root && { node: root };
  for (const step of path) {
    if (target === undefined) return undefined;
    if (typeof step === 'number') {
      const item: Node | undefined = target.node.kind === 'list' ? target.node.items[step] : undefined;
      target = item && { node: item, parent: target.node };
    } else {
      const entry: MapEntry | undefined = entryOf(target.node, step);
      target = entry && { node: entry.value, entry, parent: target.node };
    }
  }
  return target;
}

/** Returns the outermost node with the given span; undefined if there is none. */
export function targetWith(root: Node | undefined, span: Span): PathTarget | undefined {
  let target: PathTarget | undefined = root && { node: root };
  while (target !== undefined && (target.node.span.start !== span.start || target.node.span.end !== span.end)) {
    const parent: Node = target.node;
    const inside: readonly PathTarget[] =
      parent.kind === 'scalar'
        ? []
        : parent.kind === 'list'
          ? parent.items.map((node) => ({ node, parent }))
          : parent.entries.map((entry) => ({ node: entry.value, entry, parent }));
    target = inside.find(({ node }) => node.span.start <= span.start && span.end <= node.span.end);
  }
  return target;
}
