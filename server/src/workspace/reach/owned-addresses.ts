/** Finds the object of a cluster that has an address, which is then no address outside of the cluster. */

import { type AddressRange, parseAddress, parseRange } from '../../engine/index.ts';
import { isWithin } from '../../engine/reach/addresses.ts';
import { addressAnnotationsOf, addressFieldsOf } from '../../manifests/kinds/address-fields.ts';
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
    const texts = addressAnnotationsOf(object);
    if (texts.some((text) => owns(text, range))) return true;
    const paths = addressFieldsOf(object) ?? [];
    if (paths.length === 0) return false;
    const root = treeOf({ text: readText(file), workspace, uri: file.uri }, object);
    return paths.some((path) => textsAt(root, path.split('.')).some((text) => owns(text, range)));
  });
}

/** Returns the texts at a path. A map at the end of the path is a block: its first and last address, or its addresses. */
function textsAt(node: Node | undefined, [step, ...steps]: readonly string[]): readonly string[] {
  if (node?.kind === 'list')
    return itemsOf(node).flatMap((item) => textsAt(item, step === undefined ? [] : [step, ...steps]));
  if (step !== undefined) return textsAt(childOf(node, step), steps);
  if (node?.kind !== 'map') return node === undefined || node.pattern !== undefined ? [] : [node.text];
  const [start = '', stop = start] = ['start', 'stop'].flatMap((end) => textsAt(childOf(node, end), []));
  return [...textsAt(childOf(node, 'cidr'), []), ...(start === '' ? [] : [`${start}-${stop}`])];
}

/** Whether one of the addresses, blocks and ranges in a text contains a range. */
function owns(text: string, range: AddressRange): boolean {
  return text.split(/[\s,;"'[\]]+/).some((each) => {
    const owned = parseRange(each) ?? rangeBetween(each);
    return owned !== undefined && isWithin(range, owned);
  });
}

/** Parses a range of addresses: `192.0.2.1-192.0.2.9`. */
function rangeBetween(text: string): AddressRange | undefined {
  const [first, last, more] = text.split('-').map(parseAddress);
  if (first === undefined || last === undefined || more !== undefined || first.family !== last.family) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}
