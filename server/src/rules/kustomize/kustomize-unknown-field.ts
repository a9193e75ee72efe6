/** Reports fields of a kustomization that kustomize does not know. */

import type { FieldFault } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownField extends Fact {
  readonly fault: Extract<FieldFault, { readonly is: 'unknown' }>;
}

export const kustomizeUnknownField = rule<UnknownField>({
  id: 'kustomize-unknown-field',
  severity: 'warning',
  needs: 'kustomization',
  summary: 'An unknown field in a kustomization.',
  why: '`kustomize build` fails for a kustomization with an unknown field. The known fields are those of kustomize v5.8.0. All other fields of the kustomization are still evaluated.',
  withoutFix: 'Only the author knows which field is intended.',
  bad: [
    {
      title: 'A misspelled field.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefx: shop-
`,
    },
  ],
  good: [
    {
      title: 'Known fields.',
      change: ['namePrefx: shop-', 'namePrefix: shop-'],
    },
  ],
  *check({ file }) {
    for (const fault of file.kustomization?.faults ?? [])
      if (fault.is === 'unknown') yield { span: fault.key.span, fault };
  },
  message({ fault: { key, path } }) {
    const name = shorten(key.text);
    return path === ''
      ? localize`Unknown field '${name}'; \`kustomize build\` fails.`
      : localize`Unknown field '${name}' in \`${path}\`; \`kustomize build\` fails.`;
  },
  fixes: () => [],
});
