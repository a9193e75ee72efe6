/** Reports occurrences of `${` that Flux rejects because no valid variable follows. */

import { writtenVariables } from '../../manifests/gitops/written-variables.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { definitionNote } from '../helpers/gitops-definitions.ts';
import { shorten } from '../helpers/sentences.ts';
import { type Substitution, substitutedTexts } from '../helpers/substituted-texts.ts';

interface Malformed extends Fact {
  /** The malformed text, beginning with `${`. */
  readonly text: string;
  readonly kustomization: string;
  /** Whether it is certainly no misspelled variable. */
  readonly isOther: boolean;
}

const kustomization = fluxKustomization('shop', './apps', {
  more: `  postBuild:
    substitute:
      REGION: eu
`,
});

const script = (text: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: scripts
  namespace: shop
data:
  start.sh: |
    echo ${text}
`;

export const gitopsVariableMalformed = rule<Malformed>({
  id: 'gitops-variable-malformed',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A `${` that is not a variable, in an object in which a Flux Kustomization replaces variables.',
  why: 'Flux replaces variables in the whole text of an object, including scripts and dashboards. A `${` that is not followed by a name, and optionally by an operator that Flux supports, makes the whole Kustomization fail. To keep the text, write two dollar signs, or set the label or annotation `kustomize.toolkit.fluxcd.io/substitute: disabled` of the object.',
  bad: [
    {
      title: 'An array of a shell script.',
      file: 'apps/scripts.yaml',
      text: script(`\${HOSTS[0]}`),
      beside: { 'flux/shop.yaml': kustomization },
    },
  ],
  good: [
    {
      title: 'Two dollar signs keep the text.',
      file: 'apps/scripts.yaml',
      text: script(`$\${HOSTS[0]}`),
      beside: { 'flux/shop.yaml': kustomization },
    },
  ],
  *check(context) {
    for (const { span, substitutions, isBuilt } of substitutedTexts(context)) {
      for (const start of writtenVariables(context.text, span).malformed) {
        const applied = substitutions.find(({ scope }) => isBuilt(scope, start));
        if (applied === undefined) continue;
        const [text = ''] = /^\$\{[^}\r\n]{0,50}\}?/.exec(context.text.slice(start, start + 60)) ?? [];
        const { gitops } = applied.scope;
        const related = definitionNote(context.workspace, gitops);
        const span = { start, end: start + text.length };
        const isOther = isOfOther(text, applied);
        yield { span, text, kustomization: gitops.facts.name, related, isOther };
      }
    }
  },
  message: ({ text, kustomization: name }) =>
    localize`'${shorten(text)}' is not a valid Flux variable, so Kustomization '${shorten(name)}' fails. To keep it as text, write '$${shorten(text)}'.`,
  // The text of another program is kept; a misspelled variable is not.
  fixes: ({ span, isOther }) =>
    isOther
      ? [
          {
            title: localize`Keep the text with a second '$'`,
            edits: [{ span: { start: span.start, end: span.start + 1 }, text: '$$' }],
            preferred: true,
          },
        ]
      : [],
});

/** Whether a text is an expression of another program: it is closed, its name is not a variable of the Kustomization, and no operator follows the name. */
function isOfOther(text: string, { variables }: Substitution): boolean {
  const name = /^[A-Za-z_]\w*/.exec(text.slice(2))?.[0] ?? '';
  const rest = text.slice(2 + name.length);
  return rest.endsWith('}') && !rest.startsWith('-') && !variables.values.has(name);
}
