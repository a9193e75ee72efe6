/** Reports ConfigMaps, Secrets, ServiceAccounts and PersistentVolumeClaims that nothing in the workspace uses. */

import type { Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { isInClosedScope } from '../../workspace/references/closed-scope.ts';
import { mayBeUsed } from '../../workspace/references/usage.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Unused extends Fact {
  readonly kind: string;
  readonly name: Written;
}

export const unusedObject = rule<Unused>({
  id: 'unused-object',
  severity: 'off',
  needs: 'stored',
  acrossFiles: true,
  summary: 'A ConfigMap, Secret, ServiceAccount or PersistentVolumeClaim to which no other object refers.',
  why: 'Such an object is often left over from a change. The rule is off by default, because programs can read objects to which no manifest refers. It reports an object only if all files of the scope are known, if no reference in the workspace names the object, and if the object has no label by which a dashboard or a sidecar finds it.',
  bad: [
    {
      title: 'A ConfigMap to which no object refers.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  currency: EUR
`,
    },
  ],
  good: [
    {
      title: 'A ConfigMap that a sidecar finds by its label.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels: {grafana_dashboard: '1'}
data:
  prices.json: '{}'
`,
    },
  ],
  withoutFix: 'Only the author knows whether a program reads the object.',
  *check(context) {
    const { file, workspace, catalogue } = context;
    for (const object of context.stored) {
      if (object.name === undefined || mayBeUsed(workspace, catalogue, { file, object })) continue;
      if (!isInClosedScope(context, { file, object }) || isInArguments(context.text, object.name.text)) continue;
      yield { span: object.name.span, kind: object.kind, name: object.name, tags: ['unnecessary'] };
    }
  },
  message: ({ kind, name }) => localize`No object in this workspace uses ${kind} '${shorten(name.text)}'.`,
  fixes: () => [],
});

/** Whether the file contains a name after a slash or an equals sign, as in the arguments of programs. */
function isInArguments(text: string, name: string): boolean {
  return text.includes(`/${name}`) || text.includes(`=${name}`);
}
