/** Reads the variables of Flux that a generated ConfigMap or Secret provides. */

import { variablesOf } from '../gitops/spec.ts';
import { childOf, itemsOf, type MapEntry, type MapNode, type Node, treeSizeAroundEntries } from '../yaml/tree.ts';
import { withoutQuotes } from './content-hash.ts';
import type { GeneratorEntry } from './model.ts';

const otherFields = ['files', 'env', 'envs'] as const;

/**
 * Returns the content that the literals of a generator write, if all keys are names of variables; of a Secret, the values
 * are unknown. Undefined if a part of the content is in another file.
 */
export function generatedVariables(kind: GeneratorEntry['kind'], item: Node): MapNode | undefined {
  const literals = childOf(item, 'literals');
  if (literals === undefined || otherFields.some((field) => childOf(item, field) !== undefined)) return undefined;
  const entries = itemsOf(literals)
    .map(entryOf)
    .filter((each) => each !== undefined);
  if (entries.length < itemsOf(literals).length) return undefined;
  const data = mapOf(entries, literals.span);
  const key = { kind: 'scalar', span: literals.span, text: 'data', style: 'plain', type: 'string' } as const;
  return variablesOf('', kind, mapOf([{ key, value: data, merged: false, conditional: false }], item.span));
}

function entryOf(item: Node): MapEntry | undefined {
  const equals = item.kind === 'scalar' && item.pattern === undefined ? item.text.indexOf('=') : -1;
  if (item.kind !== 'scalar' || equals < 1) return undefined;
  const scalar = { ...item, style: 'plain', type: 'string' } as const;
  const value = { ...scalar, text: withoutQuotes(item.text.slice(equals + 1)) };
  return { key: { ...scalar, text: item.text.slice(0, equals) }, value, merged: false, conditional: false };
}

function mapOf(entries: readonly MapEntry[], span: Node['span']): MapNode {
  return { kind: 'map', span, flow: false, entries, open: false, treeSize: treeSizeAroundEntries(entries, false) };
}
