/** Reports replacements, numbers of replicas, generators and removals of a kustomization whose object, label or annotation does not exist. */

import type { GeneratorEntry } from '../../manifests/kustomize/model.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { itemsOf } from '../../manifests/yaml/tree.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { brokenEntryText } from '../../workspace/kustomize/broken-entry-text.ts';
import type { BrokenEntry } from '../../workspace/model.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { gitopsPatchesIn, isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { brokenEntries, isCollision, rootRenderings } from '../helpers/root-renderings.ts';
import { shorten } from '../helpers/sentences.ts';

interface Broken extends Fact {
  readonly broken: BrokenEntry;
}

export const kustomizeObjectMissing = rule<Broken>({
  id: 'kustomize-object-missing',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A replacement, a number of replicas, a merging generator or a removed label whose object does not exist.',
  why: 'A replacement copies a value from one object to others. If its source matches no object or the source has no such field, `kustomize build` fails, and the finding is an error. It also fails if a target does not have the field, unless `create` is set. If a target matches no object, kustomize ignores it without a message, so the intended change is missing. `kustomize build` also fails if `replicas` names an object that does not exist, or if a generator with `behavior: merge` or `replace` does, and if a JSON patch removes a label, an annotation or a part of a selector that the object does not have, also in a Flux Kustomization or an Application. Only labels, annotations and the keys of ConfigMaps and Secrets are checked as fields.',
  withoutFix: 'Only the author knows whether the entry is wrong or the object was renamed.',
  bad: [
    {
      title: 'A misspelled source.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
  - name: prices
    literals: [currency=EUR]
  - name: shop
replacements:
  - source:
      kind: ConfigMap
      name: price
      fieldPath: data.currency
    targets:
      - select:
          kind: ConfigMap
          name: shop
        fieldPaths: [metadata.annotations.currency]
        options:
          create: true
`,
    },
  ],
  good: [{ title: 'The name of the source.', change: ['name: price\n      field', 'name: prices\n      field'] }],
  *check(context) {
    for (const object of context.stored) yield* ofGitops(context, object);
    const { kustomization } = context.file;
    if (kustomization === undefined) return;
    const { replacements, replicas, generators, changes } = kustomization;
    const mayBeBroken = replacements.length > 0 || replicas !== undefined || changes.length > 0;
    if (!mayBeBroken && generators.every(isNew)) return;
    for (const broken of brokenEntries(context)) {
      if (isCollision(broken)) continue;
      // Several kustomizations of one root may include a component, and kustomize ignores the target in some of them.
      if (broken.is === 'no target' && (kustomization.component || !buildsObjects(context))) continue;
      const isMild = broken.is === 'no target' || broken.is === 'no target field';
      yield { span: broken.span, broken, ...(!isMild && { severity: 'error' as const }) };
    }
  },
  message({ broken: { is, resource, path } }) {
    const [named, field] = [shorten(resource), shorten(path)];
    return brokenEntryText({ is, resource: named, path: field });
  },
  fixes: () => [],
});

function buildsObjects(context: RuleContext): boolean {
  return rootRenderings(context)[0]?.objects.length !== 0;
}

/** Yields the labels and annotations that the patches of a Flux Kustomization or an Application remove although no object in its folders has them. */
function* ofGitops(context: RuleContext, object: ManifestObject): Iterable<Broken> {
  const { workspace, catalogue, uri } = context;
  if (!gitopsPatchesIn(object).some((patches) => itemsOf(patches).length > 0)) return;
  const scopes = scopesDefinedBy(workspace, uri, object);
  if (!scopes.every((scope) => isAppliedAsWritten(context, scope, object, gitopsPatchesIn))) return;
  const renderings = scopes.map(({ path }) => workspace.rendering(path, catalogue));
  const [first, ...others] = renderings;
  if (first === undefined || !renderings.every((each) => each?.isWhole)) return;
  const places = new Set<number>();
  for (const broken of first.broken) {
    const isSame = (each: BrokenEntry) => each.uri === uri && each.span.start === broken.span.start;
    if (broken.is !== 'not removed' || broken.uri !== uri || places.has(broken.span.start)) continue;
    places.add(broken.span.start);
    if (others.every((other) => other?.broken.some(isSame))) yield { span: broken.span, broken, severity: 'error' };
  }
}

function isNew({ behavior }: GeneratorEntry): boolean {
  return behavior === 'create';
}
