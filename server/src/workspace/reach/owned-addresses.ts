/** Finds the object of a cluster that has an address, which is then no address outside of the cluster. */

import { type AddressRange, parseRange } from '../../engine/index.ts';
import { isWithin } from '../../engine/reach/addresses.ts';
import { addressFieldsOf } from '../../manifests/kinds/address-fields.ts';
import { childOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import type { WorkspaceFile } from '../model.ts';
import { treeOf } from '../object-trees.ts';
import type { Cluster, ClusterObject } from './cluster.ts';

/** Returns an object of a cluster to which all addresses of a range belong; undefined if there is none. */
export function ownerOfAddresses(
  { addressed }: Cluster,
  range: AddressRange,
  readText: (file: WorkspaceFile) => string,
): ClusterObject | undefined {
  return addressed.find(({ object, file, workspace }) => {
    const root = treeOf({ text: readText(file), workspace, uri: file.uri }, object);
    const paths = addressFieldsOf(object) ?? [];
    return paths.some((path) => textsAt(root, path.split('.')).some((text) => owns(text, range)));
  });
}

function textsAt(node: Node | undefined, [step, ...steps]: readonly string[]): readonly string[] {
  if (node?.kind === 'list')
    return itemsOf(node).flatMap((item) => textsAt(item, step === undefined ? [] : [step, ...steps]));
  if (step === undefined) return node?.kind === 'scalar' && node.pattern === undefined ? [node.text] : [];
  return textsAt(childOf(node, step), steps);
}

function owns(text: string, range: AddressRange): boolean {
  const owned = parseRange(text);
  return owned !== undefined && isWithin(range, owned);
}
