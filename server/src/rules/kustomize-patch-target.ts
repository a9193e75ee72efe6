/** Does a patch of a kustomization meet anything? */

import type { PatchEntry } from '../manifests/kustomization.ts';
import type { Rendering } from '../workspace/kustomize/renderings.ts';
import { type Fact, type RuleContext, rule } from './rule.ts';

interface Idle extends Fact {
  readonly entry: PatchEntry;
}

export const kustomizePatchTarget = rule<Idle>({
  id: 'kustomize-patch-target',
  severity: 'warning',
  about: 'kustomization',
  acrossFiles: true,
  summary: 'A patch of a kustomization that matches none of its objects.',
  why: 'A patch without a target that meets nothing stops kustomize. One with a target is left out without a word: the change that somebody wanted is not made, often since a name or a label was changed in the base.',
  withoutFix: 'What the patch was meant for is not known: the target may be wrong, or the object gone.',
  bad: [
    {
      title: 'The name differs by a letter.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
  - name: prices
    literals: [currency=EUR]
patches:
  - target:
      kind: ConfigMap
      name: price
    patch: |-
      - op: add
        path: /metadata/labels
        value: {team: shop}
`,
    },
  ],
  good: [
    {
      title: 'Names are regular expressions.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
  - name: prices
    literals: [currency=EUR]
patches:
  - target:
      kind: ConfigMap
      name: price.*
    patch: |-
      - op: add
        path: /metadata/labels
        value: {team: shop}
`,
    },
  ],
  *check(context) {
    const { kustomization, uri } = context.file;
    if (kustomization === undefined || kustomization.changes.length === 0) return;
    const renderings = renderingsOf(context);
    if (renderings.length === 0 || !renderings.every(({ isWhole }) => isWhole)) return;
    for (const entry of kustomization.changes) {
      if (entry.allowNoTargetMatch || (kustomization.component && isForWhateverIsThere(entry))) continue;
      const isIdle = ({ idle }: Rendering) =>
        idle.some((each) => each.uri === uri && each.entry.span.start === entry.span.start);
      if (renderings.every(isIdle)) yield { span: entry.span, entry };
    }
  },
  say({ entry }) {
    if (entry.target !== undefined) return 'No object of this kustomization matches the target: nothing is patched.';
    return 'No object of this kustomization is what this patch names: kustomize cannot build it.';
  },
  mend: () => [],
});

/** A component may be meant for many kustomizations, of which not all have such a kind. */
function isForWhateverIsThere({ target }: PatchEntry): boolean {
  return target !== undefined && target.name === undefined;
}

/** What is built of all the roots that a kustomization takes part in. */
function renderingsOf({ workspace, catalogue, uri }: RuleContext): readonly Rendering[] {
  return workspace
    .scopes()
    .building(uri)
    .flatMap(({ path }) => workspace.rendering(path, catalogue) ?? []);
}
