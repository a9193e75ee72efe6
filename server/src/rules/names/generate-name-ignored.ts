/** Reports a `generateName` that has no effect because the object also has a `name`, or for which `kustomize build` fails because the object has none. */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { isIn } from '../../workspace/snapshot.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Ignored extends Fact {
  readonly prefix: Written;
  readonly object: ManifestObject;
  /** Whether the object has no name, although it is a resource of a kustomization. */
  readonly isRefused: boolean;
}

export const generateNameIgnored = rule<Ignored>({
  id: 'generate-name-ignored',
  severity: 'information',
  needs: 'stored',
  summary: 'A `generateName` that has no effect because `name` is also set, or that kustomize does not support.',
  why: 'The API server generates a name only if the object does not have one. `kubectl apply` needs a name, so use `kubectl create` for an object that has only `generateName`. `kustomize build` fails if a resource has no `name`.',
  bad: [
    {
      title: 'Both are set.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  generateName: prices-
`,
    },
  ],
  good: [
    {
      title: 'Only a `generateName`.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  generateName: prices-
`,
    },
  ],
  *check({ stored, file, workspace }) {
    for (const object of stored) {
      const { name, generateName } = object;
      if (generateName === undefined || generateName.text === '') continue;
      const fact = { span: generateName.span, prefix: generateName, object };
      if (name?.type === 'string' && name.text !== '') yield { ...fact, isRefused: false, tags: ['unnecessary'] };
      else if (
        name === undefined &&
        object.template === undefined &&
        isIn(workspace, placeOf({ file, object }), 'kustomization')
      )
        yield { ...fact, isRefused: true, severity: 'warning' };
    }
  },
  message: ({ object, isRefused }) =>
    isRefused
      ? localize`${object.kind} has only \`generateName\`; \`kustomize build\` fails, because resources need \`name\`.`
      : localize`\`generateName\` has no effect, because \`name\` is set.`,
  fixes({ prefix, isRefused }, { text }) {
    if (isRefused) return [];
    const edit = removeField(text, 'generateName', prefix.span);
    return edit === undefined ? [] : [{ title: localize`Remove \`generateName\``, edits: [edit], preferred: true }];
  },
});
