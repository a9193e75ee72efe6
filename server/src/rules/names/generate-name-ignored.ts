/** Reports a `generateName` that has no effect because the object also has a `name`. */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Ignored extends Fact {
  readonly prefix: Written;
  readonly object: ManifestObject;
}

export const generateNameIgnored = rule<Ignored>({
  id: 'generate-name-ignored',
  severity: 'information',
  needs: 'stored',
  summary: 'A `generateName` that has no effect because `name` is also set.',
  why: 'The API server generates a name only if the object does not have one. `kubectl apply` needs a name, so use `kubectl create` for an object that has only `generateName`.',
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
  *check({ stored }) {
    for (const object of stored) {
      const { name, generateName } = object;
      if (generateName === undefined || generateName.text === '' || name?.type !== 'string' || name.text === '')
        continue;
      yield { span: generateName.span, prefix: generateName, object, tags: ['unnecessary'] };
    }
  },
  message: () => localize`\`generateName\` has no effect, because \`name\` is set.`,
  fixes({ prefix }, { text }) {
    const edit = removeField(text, 'generateName', prefix.span);
    return edit === undefined ? [] : [{ title: localize`Remove \`generateName\``, edits: [edit], preferred: true }];
  },
});
