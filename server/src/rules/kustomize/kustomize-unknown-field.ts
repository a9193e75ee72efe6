/** Does kustomize know every field of a kustomization? */

import type { Written } from '../../manifests/model.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownField extends Fact {
  readonly field: Written;
}

export const kustomizeUnknownField = rule<UnknownField>({
  id: 'kustomize-unknown-field',
  severity: 'warning',
  summary: 'A field of a kustomization that kustomize does not know.',
  why: 'Kustomize refuses to build a kustomization with a field that it does not know; the rest of it is modelled here all the same. The fields are those of kustomize v5.5.0.',
  withoutFix: 'Which field is meant is not known.',
  bad: [
    {
      title: 'A letter is missing.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefx: shop-
`,
    },
  ],
  good: [
    {
      title: 'What it knows.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: shop-
`,
    },
  ],
  *check({ file }) {
    for (const field of file.kustomization?.unknownFields ?? []) yield { span: field.span, field };
  },
  say({ field }) {
    return `Kustomize does not know the field '${shorten(field.text)}', and cannot build this.`;
  },
  mend: () => [],
});
