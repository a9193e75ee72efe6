/** Provides the taints that the nodes and node pools of the workspace declare. */

import { everything, type Taint } from '../../engine/index.ts';
import type { Candidate } from '../../workspace/model.ts';
import { nodeTaints } from '../../workspace/selection/node-fits.ts';
import type { FileView } from '../view.ts';

export interface DeclaredTaint extends Taint {
  readonly key: string;
  readonly node: Candidate;
}

/** The maximum number of nodes whose taints are read. */
const maximumNodes = 200;

/** Returns the taints with known keys of the first nodes and pools. */
export function declaredTaints({ workspace }: FileView): readonly DeclaredTaint[] {
  const found: DeclaredTaint[] = [];
  let examined = 0;
  for (const node of workspace.find('/Node', everything)) {
    if (examined++ === maximumNodes) break;
    const taints = nodeTaints(node);
    for (const taint of taints === 'unknown' ? [] : taints)
      if (typeof taint.key === 'string' && taint.key !== '') found.push({ ...taint, key: taint.key, node });
  }
  return found;
}
