/** States what new Applications of Argo CD do not do on their own: synchronize, and create their namespace. */

import { wholeTree } from '../../compare/update-data.ts';
import { childOf, itemsOf, knownTextOf } from '../../manifests/yaml/tree.ts';
import { shownName } from '../objects/compared-names.ts';
import type { Tree } from '../trees/tree.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** The maximum number of statements. */
const mostStatements = 3;

/** Returns statements about new Applications that are not synchronized automatically, and about new namespaces that nothing creates. The objects are counted elsewhere. */
export function newApplications(after: Tree, added: readonly Pair[], all: readonly Pair[]): readonly Statement[] {
  const known = new Set(
    all.flatMap(({ named, after: fresh }) => (fresh && named.kind === 'Namespace' ? named.name : [])),
  );
  const used = new Set(all.flatMap(({ named, before }) => (before && named.namespace) ?? []));
  const statements = added.flatMap((pair): readonly Statement[] => {
    const { named, after: fresh } = pair;
    if (fresh === undefined || named.kind !== 'Application' || named.group !== 'argoproj.io') return [];
    const root = wholeTree({ side: after.side, applied: fresh });
    const [spec, policy] = [childOf(root, 'spec'), childOf(childOf(root, 'spec'), 'syncPolicy')];
    if (spec === undefined || (policy !== undefined && policy.kind !== 'map')) return [];
    const namespace = knownTextOf(childOf(childOf(spec, 'destination'), 'namespace'));
    const options = childOf(policy, 'syncOptions');
    const texts = itemsOf(options).map((item) => knownTextOf(item)?.replaceAll(' ', ''));
    const name = shownName(named, true);
    const isManual = childOf(policy, 'automated') === undefined;
    const isMissing =
      namespace !== undefined &&
      !known.has(namespace) &&
      !used.has(namespace) &&
      !isProvided.has(namespace) &&
      !texts.some((text) => text === undefined || /^CreateNamespace=true$/i.test(text));
    const sync = isManual ? [`${name} has no automated sync: a merge alone applies none of its objects.`] : [];
    const creation = isMissing
      ? [
          `Namespace ${namespace} is not in these manifests, and ${name} does not set \`CreateNamespace=true\`: its sync fails unless the namespace exists.`,
        ]
      : [];
    return [...sync, ...creation].map((text) => ({ text, count: 0 }));
  });
  return statements.slice(0, mostStatements);
}

/** The namespaces of every cluster. */
const isProvided: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease', 'argocd']);
