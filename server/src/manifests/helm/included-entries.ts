/** Determines the map entries that a helper writes. The output of the helper is parsed as YAML and placed at the position of the action that includes the helper. */

import type { Span } from '../../text/span.ts';
import { regionsAround } from '../placeholders/conditionals.ts';
import type { BlankedText, Placeholder } from '../placeholders/placeholders.ts';
import type { MapEntry, MapNode, Node, Origin, ScalarNode } from '../yaml/tree.ts';
import { readLines } from './parse-output.ts';

export interface FillingParts {
  assumed(code: string): string | undefined;
  /** Returns the position of a key in the helper that an action includes. */
  originOf(code: string, key: string): Origin | undefined;
}

/** Returns the map that an action writes; undefined if its output is unknown or not a map. */
export function fillingOf(
  { written, start, end }: Pick<Placeholder, 'written' | 'start' | 'end'>,
  parts: FillingParts,
): MapNode | undefined {
  if (written === undefined) return undefined;
  const span = { start, end };
  // If the output of an action is unknown, the keys that it adds are unknown, too.
  if (written.text.trim() === `{{ ${written.code} }}`) return undefined;
  const read = readLines(written.text, { assumed: (code) => parts.assumed(code) });
  if (read === undefined) return undefined;
  const { root, blanked } = read;
  if (root === undefined) return withoutEntries(blanked, span);
  if (root.kind !== 'map') return undefined;
  const entries = root.entries.map((entry): MapEntry => {
    const origin = entry.key.pattern === undefined ? parts.originOf(written.code, entry.key.text) : undefined;
    const place = { span, ...(origin && { origin }) };
    return { ...entry, key: { ...entry.key, ...place }, value: at(entry.value, place), rendered: true };
  });
  // The output of an action directly before a key is a part of the key, which may then be any key.
  const isUncertain = entries.some(({ key }) => key.pattern !== undefined);
  return { ...root, span, entries, ...(isUncertain && { open: true, parts: [...(root.parts ?? []), ''] }) };
}

/** Returns the map for an action that writes nothing itself, or only the output of other actions. */
function withoutEntries({ placeholders, conditionals }: BlankedText, span: Span): MapNode {
  const parts = placeholders.map(({ start, written }) => {
    const around = regionsAround(conditionals, start);
    return [...around.map(({ condition }) => condition), written?.code ?? ''].join(', ');
  });
  const treeSize = { size: 1, depth: 1, repeats: false };
  return { kind: 'map', span, flow: false, entries: [], open: parts.length > 0, parts, treeSize };
}

/** Returns a copy of the node in which all parts have the position of the action. */
function at(node: Node, place: Pick<ScalarNode, 'span' | 'origin'>): Node {
  const { span } = place;
  if (node.kind === 'scalar') return { ...node, ...place };
  if (node.kind === 'list') return { ...node, span, items: node.items.map((item) => at(item, place)) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: { ...entry.key, ...place },
    value: at(entry.value, place),
    rendered: true as const,
  }));
  return { ...node, span, entries };
}
