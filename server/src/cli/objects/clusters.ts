/** Lists the clusters that the paths of a command select. */

import { clustersIn, type ScopedCluster } from '../../workspace/reach/applied-clusters.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { isSelected } from './applied-objects.ts';
import { selectedOnly } from './narrowing.ts';

/** Returns the clusters in which the objects that a command selects are applied. */
export function clustersOf(indexed: Pick<Indexed, 'session' | 'selection'>): readonly ScopedCluster[] {
  const { session } = indexed;
  const catalogueOf = (uri: string) => session.workspace.catalogueOf(uri);
  return clustersIn(session.snapshot(), catalogueOf, (each) => isSelected(indexed, each), selectedOnly(indexed));
}
