/** Reports a namespace with the objects of only one file if its name is similar to the name of another namespace in the scope. */

import type { Value } from '../../engine/index.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import type { Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { isInClosedScope } from '../../workspace/references/closed-scope.ts';
import { hasNoNamespace } from '../../workspace/selection/namespaces.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { type NearNamespace, nearOwnNamespace } from '../helpers/near-namespace.ts';
import { selectsOthers } from '../helpers/selects-others.ts';
import { shorten } from '../helpers/sentences.ts';

interface Misspelled extends Fact {
  readonly near: NearNamespace;
  /** The names of the namespace in all objects of the file. */
  readonly names: readonly Written[];
}

export const namespaceMisspelled = rule<Misspelled>({
  id: 'namespace-misspelled',
  severity: 'information',
  needs: 'stored',
  acrossFiles: true,
  asApplied: true,
  summary: 'The only object or file in its namespace, if a different namespace in the scope has a similar name.',
  why: 'If the misspelled namespace exists, the object is created in it, separately from the other objects; if the namespace does not exist, the API server rejects the object. The rule reports a namespace only if the scope is known completely, if nothing else in the workspace names the namespace, and if a Namespace has the other name, or several objects are in a namespace with the other name. If several objects of the file are in the namespace, a Namespace must have the other name, and other files must use it.',
  bad: [
    {
      title: 'A misspelled namespace.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: prod
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: prd
`,
    },
  ],
  good: [
    {
      title: 'A namespace that may exist in the cluster.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: prd
`,
    },
  ],
  *check(context) {
    const { file, workspace, catalogue } = context;
    const seen = new Set<string>();
    const byNamespace = once(() => {
      const names = new Map<Value, Written[]>();
      for (const { namespace } of context.stored)
        if (namespace !== undefined && namespace.origin === undefined)
          getOrAdd(names, namespace.value, () => []).push(namespace);
      return names;
    });
    for (const object of context.stored) {
      const where = { file, object };
      if (object.namespace === undefined || hasNoNamespace(catalogue, where)) continue;
      // If the selector of the object matches something in the other namespace, `selects-nothing` reports it.
      if (object.selectorSites.some(selectsOthers)) continue;
      const near = nearOwnNamespace(workspace, where);
      if (near === undefined || seen.has(near.wanted.text) || !isInClosedScope(context, where)) continue;
      const { wanted, actual, at } = near;
      seen.add(wanted.text);
      const names = byNamespace().get(wanted.value) ?? [];
      const related =
        at === undefined ? [] : [{ ...at, message: localize`Namespace '${shorten(actual)}' is defined here.` }];
      yield { span: wanted.span, near, names, related };
    }
  },
  message: ({ near: { wanted, actual }, names }) =>
    names.length > 1
      ? localize`No other file has objects in namespace '${shorten(wanted.text)}'. Closest: namespace '${shorten(actual)}'.`
      : localize`No other object is in namespace '${shorten(wanted.text)}'. Closest: namespace '${shorten(actual)}'.`,
  fixes: ({ near: { actual }, names }) => [
    {
      title: localize`Change the namespace to '${shorten(actual)}'`,
      edits: names.map((name) => replaceScalar(name, actual)),
      preferred: false,
    },
  ],
});
