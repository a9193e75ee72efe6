/** Reports objects with the same kind, namespace and name in one file or in the resources of one kustomization. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { nodeAt } from '../../manifests/sites/catalogue-paths.ts';
import { textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { nameIn, namesakesOf } from '../../workspace/kustomize/listed-together.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, maximumRelated, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';
import { shorten } from '../helpers/sentences.ts';

interface Collision extends Fact {
  readonly object: ManifestObject;
  readonly name: Written;
  /** Whether the other objects are in other files of the same kustomization. */
  readonly inOtherFiles: boolean;
}

export const nameCollision = rule<Collision>({
  id: 'name-collision',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  summary: 'Two objects with the same kind, namespace and name in one file or in the resources of one kustomization.',
  why: 'In the cluster, both manifests define the same object, even if their API versions differ. In one file, the last object replaces the others; in one kustomization, `kustomize build` fails if both have the same API version.',
  withoutFix: 'Only the author knows which of the two objects is intended, and which name the other one should have.',
  bad: [
    {
      title: 'A copy with an unchanged name.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  currency: EUR
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  currency: USD
`,
    },
  ],
  good: [
    {
      title: 'Two objects with different names.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
`,
    },
  ],
  *check(context) {
    const { file, workspace } = context;
    const isConditional = conditionalPaths(context);
    const seen = new Map<string, ManifestObject>();
    const namesakes = namesakesOf(workspace, file.uri);
    const { stored } = context;
    const repeated = repeatedIn(stored.map(nameIn));
    for (const object of stored) {
      const others = namesakes(object);
      // Most names are unique, so their objects need no further examination.
      if (others.length === 0 && !repeated.has(nameIn(object))) continue;
      const identity = identityIn(context, object);
      if (identity === undefined || object.name === undefined || isConditional(object.span)) continue;
      if (others.length === 0 && isPlacedBySelector(object)) continue;
      const { name } = object;
      const first = seen.get(identity);
      if (first?.name !== undefined) {
        if (isNextRevision(context, first, object)) {
          seen.set(identity, object);
          continue;
        }
        const related = [{ file, span: first.name.span, message: localize`The first ${first.kind} with this name.` }];
        yield { span: name.span, object, name, inOtherFiles: false, related };
        continue;
      }
      seen.set(identity, object);
      const related: Related[] = [];
      for (const otherFile of others) {
        if (related.length === maximumRelated) break;
        if (otherFile.manifest.unresolved) continue;
        // The identities of kustomize contain the API version, so objects of two versions do not collide in a build.
        const other = otherFile.manifest.objects.find(
          (each) =>
            each.group === object.group && each.version === object.version && identityIn(context, each) === identity,
        );
        if (other?.name === undefined) continue;
        const message = localize`The other ${other.kind} with this name.`;
        related.push({ file: otherFile, span: other.name.span, message });
      }
      if (related.length > 0) yield { span: name.span, object, name, inOtherFiles: true, related };
    }
  },
  message({ object, name, inOtherFiles }) {
    const what = `${object.kind} '${shorten(name.text)}'`;
    if (!inOtherFiles) return localize`${what} is defined twice in this file; the last one wins.`;
    return localize`${what} is also defined in another resource of the same kustomization; \`kustomize build\` fails.`;
  },
  fixes: () => [],
});

function repeatedIn(names: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const name of names) (once.has(name) ? again : once).add(name);
  return again;
}

/** Whether the templates of two objects have different names, which are those of revisions: Knative keeps both. */
function isNextRevision(context: RuleContext, before: ManifestObject, object: ManifestObject): boolean {
  const [first, next] = [before, object].map((each) => {
    const [path, root] = [each.templates[0]?.path, treeOf(context, each)];
    return path && root && textOf(nodeAt(root, `${path}.metadata.name`));
  });
  return first !== undefined && next !== undefined && first !== next;
}

/** Whether Config Sync selects the clusters or namespaces of an object, so that an object of the same name may be in others. */
function isPlacedBySelector({ labelSites }: ManifestObject): boolean {
  return labelSites.some(
    ({ path, entries }) => path === 'metadata.annotations' && entries.some(({ key }) => selectsPlaces.test(key.text)),
  );
}

const selectsPlaces = /^config(?:management|sync)\.gke\.io\/(?:namespace|cluster|cluster-name)-selector$/;

/** Returns the identity of an object in the cluster; undefined if it is unknown. */
function identityIn({ catalogue }: RuleContext, object: ManifestObject): string | undefined {
  const { group, version, kind, name, namespace, template, forCluster } = object;
  const namespaced = catalogue.kind(group, version, kind)?.namespaced;
  if (!forCluster || namespaced === undefined || typeof name?.value !== 'string' || name.value === '') return undefined;
  const where = namespaced ? (namespace?.value ?? '') : '';
  // An object with an unknown namespace has no known identity: alternative objects often differ only in such a
  // namespace.
  return typeof where === 'string' ? [storedGroup(object), kind, where, name.value, template].join('\n') : undefined;
}
