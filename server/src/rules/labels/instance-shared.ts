/** Reports applications with different names that have the same instance name. */

import type { LabelEntry } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { labeledObjectWith } from '../../workspace/index/index-entries.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface Shared extends Fact {
  readonly instance: string;
  readonly own: string;
  readonly other: string;
  readonly where: string;
}

const instanceKey = 'app.kubernetes.io/instance';
const nameKey = 'app.kubernetes.io/name';

/** The maximum number of other files that are examined. */
const maximumLooked = 50;

export const instanceShared = rule<Shared>({
  id: 'instance-shared',
  severity: 'off',
  needs: 'stored',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'Two applications with the same `app.kubernetes.io/instance`.',
  why: 'The label `app.kubernetes.io/instance` identifies one installation of an application, so each installation needs its own value, such as `wordpress-abcxyz` and `mysql-abcxyz`, not `abcxyz` for both. The rule reports an instance only if objects in the same scope and namespace share its value but differ in the value of `app.kubernetes.io/name`. It is off by default, because Helm charts usually set the same instance on all parts of a release.',
  withoutFix: 'Only the author can choose suitable names for the instances.',
  bad: [
    {
      title: 'A database with the instance of its client.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: wordpress
  labels:
    app.kubernetes.io/name: wordpress
    app.kubernetes.io/instance: blog
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: mysql
  labels:
    app.kubernetes.io/name: mysql
    app.kubernetes.io/instance: blog
`,
    },
  ],
  good: [
    {
      title: 'An instance that is used by one application only.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: wordpress
  labels:
    app.kubernetes.io/name: wordpress
    app.kubernetes.io/instance: wordpress-blog
`,
    },
  ],
  *check({ stored, file, workspace, catalogue }) {
    const scopes = workspace.scopes();
    for (const object of stored) {
      const entry = entryOf(object.labels?.entries, instanceKey);
      const instance = entry?.value.value;
      const own = entryOf(object.labels?.entries, nameKey)?.value.value;
      if (entry === undefined || typeof instance !== 'string' || typeof own !== 'string') continue;
      const from = placeOf({ file, object });
      const namespace = effectiveNamespace(workspace, catalogue, { file, object })?.text;
      const ids = workspace.carrying(instanceKey, instance).flatMap(({ files }) => files.flatMap((each) => each.ids));
      for (const id of ids.slice(0, maximumLooked)) {
        const found = labeledObjectWith(workspace, id);
        const other = found?.labeledObject.labels[nameKey];
        if (found === undefined || typeof other !== 'string') continue;
        // Each pair is reported once, for the name that comes last in string order.
        if (other >= own) continue;
        if (scopes.relation(from, placeOf(found), found) !== 'here') continue;
        if (effectiveNamespace(workspace, catalogue, found)?.text !== namespace) continue;
        const span = found.object.name?.span ?? found.object.kindSpan;
        const where = objectNameOf(found.object);
        const related = [{ file: found.file, span, message: localize`${where} has the same instance.` }];
        yield { span: entry.value.span, instance, own, other, where, related };
        break;
      }
    }
  },
  message: ({ instance, own, other, where }) =>
    localize`Instance '${shorten(instance)}' is shared by '${shorten(own)}' and '${shorten(other)}' (${where}); each instance should have its own name.`,
  fixes: () => [],
});

function entryOf(entries: readonly LabelEntry[] | undefined, wanted: string): LabelEntry | undefined {
  return entries?.find(({ key, conditional }) => key.text === wanted && !conditional);
}
