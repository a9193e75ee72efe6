/** Finds the labels of service accounts. */

import { isUnknown, type LabelSet, type Value } from '../../engine/index.ts';
import { candidatesIn } from '../index/index-entries.ts';
import type { Candidate, LabeledObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { namespaceOf } from './namespaces.ts';

/** Returns the labels of the service account of a pod. The account `default`, which the cluster creates, has no labels unless a manifest sets them; the labels of other accounts without an object are unknown. */
export function serviceAccountLabels(
  workspace: Workspace,
  target: Candidate | LabeledObjectInFile,
  account: Value,
  namespace: Value,
): LabelSet {
  if (isUnknown(account)) return { labels: {}, open: true };
  const files = workspace.scopes().filesAround(placeOf(target));
  workspace.questions?.note({ about: 'anything' });
  for (const uri of files) {
    const file = workspace.files.get(uri);
    for (const each of file === undefined ? [] : candidatesIn(workspace, file, ['/ServiceAccount'])) {
      if (each.object.name?.text !== account) continue;
      const own = namespaceOf(workspace, each.where)?.value;
      if (own === namespace || (own === undefined && typeof namespace !== 'string')) return each.labelSet;
    }
  }
  return account === 'default' ? { labels: {} } : { labels: {}, open: true };
}
