/** Which entries does a helper write into a map? What it writes is read as YAML, and stands where it is included. */

import type { Span } from '../../text/span.ts';
import { splitDocuments } from '../documents.ts';
import type { Origin } from '../manifest.ts';
import { type Hole, type Masked, mask } from '../masks.ts';
import { readInOrder } from '../read-yaml.ts';
import type { MapEntry, MapNode, Node, ScalarNode } from '../tree.ts';

export interface FillingParts {
  assumed(code: string): string | undefined;
  /** Where a key is written by the helper that an action includes. */
  originOf(code: string, key: string): Origin | undefined;
}

/** The map that a hole writes; undefined where that is not known, or no map. */
export function fillingOf({ written, span }: Hole, parts: FillingParts): MapNode | undefined {
  if (written === undefined || written.text.length > maximumLength) return undefined;
  // What nobody can look into adds entries that have no other name.
  if (written.text.trim() === `{{ ${written.code} }}`) return undefined;
  const masked: Masked = { ...mask(written.text), assumed: (code) => parts.assumed(code), inner: true };
  const withParts: Masked = {
    ...masked,
    holes: masked.holes.map((hole) => ({ ...hole, written: codeOf(written.text, hole.span) })),
  };
  const documents = splitDocuments(masked.text);
  const [document] = documents;
  if (document === undefined || documents.length > 1) return undefined;
  const read = readInOrder(written.text, withParts, document);
  if (read === undefined) return undefined;
  const { root } = read;
  if (root === undefined) return withoutEntries(withParts, span);
  if (root.kind !== 'map') return undefined;
  const entries = root.entries.map((entry): MapEntry => {
    const origin = entry.key.pattern === undefined ? parts.originOf(written.code, entry.key.text) : undefined;
    const place = { span, ...(origin && { origin }) };
    return { ...entry, key: { ...entry.key, ...place }, value: at(entry.value, place), told: true };
  });
  return { ...root, span, entries };
}

/** No helper writes so much into a map. */
const maximumLength = 60_000;

function codeOf(text: string, { start, end }: Span): { readonly code: string; readonly text: string } {
  const action = text.slice(start, end);
  return { code: action.slice(2, -2).trim(), text: action };
}

/** What writes nothing, or only what other actions write. */
function withoutEntries({ holes, conditionals }: Masked, span: Span): MapNode {
  const parts = holes.map(({ offset, written }) => {
    const around = conditionals.filter(({ start, end }) => start <= offset && offset < end);
    return [...around.map(({ condition }) => condition), written?.code ?? ''].join(', ');
  });
  const extent = { size: 1, depth: 1, repeats: false };
  return { kind: 'map', span, flow: false, entries: [], open: parts.length > 0, parts, extent };
}

/** The whole node stands where the action does. */
function at(node: Node, place: Pick<ScalarNode, 'span' | 'origin'>): Node {
  const { span } = place;
  if (node.kind === 'scalar') return { ...node, ...place };
  if (node.kind === 'list') return { ...node, span, items: node.items.map((item) => at(item, place)) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: { ...entry.key, ...place },
    value: at(entry.value, place),
    told: true as const,
  }));
  return { ...node, span, entries };
}
