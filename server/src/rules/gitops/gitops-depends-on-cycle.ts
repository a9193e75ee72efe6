/** Reports Flux objects that wait for each other because of their `dependsOn` fields. */

import { fluxGroup, helmGroup } from '../../manifests/gitops/spec.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { shorten } from '../helpers/sentences.ts';

interface Cycle extends Fact {
  readonly object: ManifestObject;
  /** The names of the objects that wait for each other, beginning and ending with the reported object. */
  readonly names: readonly string[];
  readonly related: readonly Related[];
}

const kustomization = (name: string, dependency: string) =>
  fluxKustomization(name, `./${name}`, {
    more: `  dependsOn:
    - name: ${dependency}
`,
  });

export const gitopsDependsOnCycle = rule<Cycle>({
  id: 'gitops-depends-on-cycle',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A Flux Kustomization or HelmRelease that depends on itself, directly or through other objects.',
  why: 'Flux applies an object only after all objects in `dependsOn` are ready. Objects that depend on each other wait forever, and none of their resources are applied.',
  withoutFix: 'Only the author knows which dependency is wrong.',
  bad: [
    {
      title: 'An object that depends on itself.',
      text: kustomization('shop', 'shop'),
    },
  ],
  good: [
    {
      title: 'A dependency in one direction.',
      text: kustomization('shop', 'infrastructure'),
      beside: { 'infrastructure.yaml': kustomization('infrastructure', 'crds') },
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      for (const site of dependenciesOf(object)) {
        const path = pathBack(context, { file: context.file, object }, site);
        if (path === undefined) continue;
        const related = path.slice(0, -1).map((each): Related => {
          const message = localize`'${shorten(each.object.name?.text ?? '')}' is defined here.`;
          return { file: each.file, span: each.object.name?.span ?? each.object.kindSpan, message };
        });
        const names = [object, ...path.map((each) => each.object)].map(({ name }) => name?.text ?? '');
        yield { span: site.name.span, object, names, related };
      }
    }
  },
  message({ object, names }) {
    if (names.length === 2)
      return localize`${object.kind} '${shorten(names[0] ?? '')}' depends on itself, so it is never applied.`;
    const path = names.slice(0, 5).map(shorten).join(' > ');
    return localize`These wait for each other, so none is applied: ${path}.`;
  },
  fixes: () => [],
});

/** Returns the dependencies of an object (`spec.dependsOn`) whose names are known. */
function dependenciesOf({ group, references = [] }: ManifestObject): readonly ReferenceSite[] {
  if (group !== fluxGroup && group !== helmGroup) return [];
  return references.filter(({ path, name }) => path.startsWith('spec.dependsOn') && typeof name.value === 'string');
}

/** The maximum number of objects that are visited in the search from one dependency. */
const maximumFollowed = 500;

/** Returns the objects on the shortest path of dependencies that leads from a dependency back to its own object; undefined if there is no such path. */
function pathBack(context: RuleContext, owner: ObjectInFile, site: ReferenceSite): readonly ObjectInFile[] | undefined {
  const keyOf = ({ file, object }: ObjectInFile) => `${file.uri} ${object.kindSpan.start}`;
  const own = keyOf(owner);
  const seen = new Set<string>();
  const waiting = [{ from: owner, site, path: [] as readonly ObjectInFile[] }];
  // Entries are appended to the list while it is iterated.
  for (const { from, site: next, path } of waiting) {
    const target = onlyTarget(context, from, next);
    if (target === undefined) continue;
    const longer = [...path, target];
    const key = keyOf(target);
    if (key === own) return longer;
    if (seen.has(key) || seen.size > maximumFollowed) continue;
    seen.add(key);
    for (const each of dependenciesOf(target.object)) waiting.push({ from: target, site: each, path: longer });
  }
  return undefined;
}

/** Returns the object to which a dependency refers; undefined if this is uncertain. */
function onlyTarget(
  { workspace, catalogue }: RuleContext,
  from: ObjectInFile,
  site: ReferenceSite,
): ObjectInFile | undefined {
  const targets = targetsOf(workspace, catalogue, from, site);
  const [only, ...others] = targets;
  if (only === undefined || others.length > 0 || only.relation !== 'here' || only.answer !== 'yes') return undefined;
  return only.object && { file: only.file, object: only.object };
}
