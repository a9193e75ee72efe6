/** Provides the syntax tree of an object, for rules that check more than its labels and selectors. */

import type { Path } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, entryOf, itemsOf, type MapEntry, type Node } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { lastAnswer, lastTwoAnswers } from '../framework/last-result.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Cached, so that trees are parsed once for all rules, and for all applied versions of a file. */
const documentsWith = lastAnswer((placeholders: readonly string[] | undefined) =>
  lastTwoAnswers((text: string) => {
    const blanked = blank(text, placeholders);
    return { blanked, spans: splitDocuments(blanked.text), roots: new Map<Span, Node | undefined>() };
  }),
);

/** The syntax tree of an object, or of the value that is a part of one. */
export function treeOf(
  { text, workspace, uri }: Pick<RuleContext, 'text' | 'workspace' | 'uri'>,
  object: ManifestObject,
): Node | undefined {
  const { blanked, spans, roots } = documentsWith(workspace.configs().of(uri)?.config.reading.placeholders)(text);
  const span = spans.find(({ start, end }) => start <= object.span.start && object.span.end <= end);
  if (span === undefined) return undefined;
  if (!roots.has(span)) roots.set(span, parseYaml(text, blanked, span).root);
  const root = roots.get(span);
  return object.inValues ? placeWith(root, object.span)?.node : objectIn(root, object);
}

/** The document itself, an item of its List, or a member of its Template. */
function objectIn(root: Node | undefined, { span }: ManifestObject): Node | undefined {
  const lists = [childOf(root, 'items'), childOf(root, 'objects')];
  const held = lists.flatMap((list) => itemsOf(list));
  return [root, ...held].find(
    (node) => node?.kind === 'map' && node.span.start === span.start && node.span.end === span.end,
  );
}

/** The steps of a site's path: `spec.terms[0]` is `['spec', 'terms', 0]`. */
export function stepsOf(path: string): Path {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** The target of a path: the node, the entry of the map that contains it, and its parent. */
export interface Place {
  readonly node: Node;
  readonly entry?: MapEntry;
  readonly parent?: Node;
}

/** Returns the target of a path from a root; undefined if it does not exist. */
export function placeAt(root: Node | undefined, path: Path): Place | undefined {
  let place: Place | undefined = root && { node: root };
  for (const step of path) {
    if (place === undefined) return undefined;
    if (typeof step === 'number') {
      const item: Node | undefined = place.node.kind === 'list' ? place.node.items[step] : undefined;
      place = item && { node: item, parent: place.node };
    } else {
      const entry: MapEntry | undefined = entryOf(place.node, step);
      place = entry && { node: entry.value, entry, parent: place.node };
    }
  }
  return place;
}

/** The node at a span: the outermost, if several nodes have the same span. */
export function placeWith(root: Node | undefined, span: Span): Place | undefined {
  let place: Place | undefined = root && { node: root };
  while (place !== undefined && (place.node.span.start !== span.start || place.node.span.end !== span.end)) {
    const parent: Node = place.node;
    const inside: readonly Place[] =
      parent.kind === 'scalar'
        ? []
        : parent.kind === 'list'
          ? parent.items.map((node) => ({ node, parent }))
          : parent.entries.map((entry) => ({ node: entry.value, entry, parent }));
    place = inside.find(({ node }) => node.span.start <= span.start && span.end <= node.span.end);
  }
  return place;
}
