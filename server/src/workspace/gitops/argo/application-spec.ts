/** Creates the `spec` of an Application from its ApplicationSet, with the positions of the template. */

import { getOrAdd } from '../../../engine/memoize.ts';
import { knownData } from '../../../manifests/gitops/argo.ts';
import type { GitopsFacts } from '../../../manifests/gitops/model.ts';
import { type Data, isMap, isScalar, textOf } from '../../../manifests/helm/value.ts';
import { childOf, type Node, nodeAt } from '../../../manifests/yaml/tree.ts';
import type { Span } from '../../../text/span.ts';
import { entryFor, listOf, mapOf, scalarOf } from '../../kustomize/edit-tree.ts';
import { applicationOf } from './application-set.ts';
import { unknownPattern } from './set-template.ts';

/** The data of ApplicationSets, from which each of their Applications is created. */
const dataOfSets = new WeakMap<Node, Data>();

/** Returns the `spec` of an Application that a set creates, from the `spec` of the set; undefined if it is not known. */
export function applicationSpec(set: Node, from: NonNullable<GitopsFacts['from']>): Node | undefined {
  const application = applicationOf(getOrAdd(dataOfSets, set, knownData), from.generator, from.parameters);
  const spec = application !== undefined && isMap(application) ? application['spec'] : undefined;
  const template = nodeAt(set, 'template', 'spec');
  return spec === undefined ? undefined : nodeOf(spec, template, (template ?? set).span);
}

/** Returns a syntax tree for data, at the positions of a similar tree; nodes that the similar tree lacks are at `span`. */
export function nodeOf(data: Data, like: Node | undefined, span: Span): Node {
  const at = like?.span ?? span;
  if (isScalar(data)) return scalarAt(data, like, at);
  if (Array.isArray(data)) {
    const items = like?.kind === 'list' ? like.items : [];
    return listOf(
      data.map((item, index) => nodeOf(item, items[index], at)),
      at,
    );
  }
  const entries = Object.entries(isMap(data) ? data : {}).map(([key, value]) => {
    const written = like?.kind === 'map' ? like.entries.find((entry) => entry.key.text === key)?.key : undefined;
    return entryFor(written ?? scalarOf(key, at), nodeOf(value, childOf(like, key), at));
  });
  return mapOf(entries, at);
}

function scalarAt(data: string | number | boolean | null, like: Node | undefined, span: Span): Node {
  const text = textOf(data);
  const pattern = unknownPattern(text);
  const type =
    data === null ? 'null' : typeof data === 'string' ? 'string' : typeof data === 'number' ? 'number' : 'boolean';
  const node = { ...scalarOf(text, span), type, ...(like?.kind === 'scalar' && { style: like.style }) } as const;
  return pattern === undefined ? node : { ...node, pattern };
}
