/** States changed connections as sentences of a review. */

import { groupsOf, sentenceOf } from '../reach/connection-change-lines.ts';
import type { ConnectionChange } from '../reach/connection-changes.ts';
import type { ComparedTrees } from '../trees/compared-trees.ts';
import type { Statement } from './model.ts';

/** Returns a statement for each target and its ports. */
export function connectionSentences(
  { connections, areSeveral }: ComparedTrees,
  kind: ConnectionChange['kind'],
): readonly Statement[] {
  return groupsOf(connections.changes.filter((each) => each.kind === kind)).map((group) => ({
    text: sentenceOf(group, areSeveral),
    count: group.sources.length,
  }));
}
