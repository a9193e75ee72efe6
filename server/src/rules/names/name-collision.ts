/** Reports objects with the same kind, namespace and name in one file, chart, kustomization or GitOps object. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { nodeAt } from '../../manifests/sites/catalogue-paths.ts';
import { textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { isChartTemplate } from '../../workspace/charts/chart-files.ts';
import type { GitopsObject } from '../../workspace/gitops/model.ts';
import { brokenEntryText } from '../../workspace/kustomize/broken-entry-text.ts';
import { nameIn, namesakesOf } from '../../workspace/kustomize/listed-together.ts';
import type { BrokenEntry } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { type Fact, maximumRelated, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';
import { gitopsNameOf, nameNote } from '../helpers/gitops-definitions.ts';
import { isHook, repeatedObjects } from '../helpers/repeated-objects.ts';
import { brokenEntries, isCollision } from '../helpers/root-renderings.ts';
import { shorten } from '../helpers/sentences.ts';

type Collision = CollidingObject | CollidingEntry | RepeatedName;

/** An entry of a kustomization that adds an object which it already contains. */
interface CollidingEntry extends Fact {
  readonly broken: BrokenEntry;
}

/** An object that a chart or a GitOps object contains twice. */
interface RepeatedName extends Fact {
  readonly object: ManifestObject;
  /** What the chart or the GitOps object is; absent if the chart is not executed. */
  readonly scope?: Scope;
}

interface CollidingObject extends Fact {
  readonly object: ManifestObject;
  readonly name: Written;
  /**
   * `file`: the last object of the file wins. `build`: kustomize refuses two resources with one identity. `cluster`: the
   * other object is a resource of the same kustomization with another API version.
   */
  readonly problem: 'file' | 'build' | 'cluster';
}

export const nameCollision = rule<Collision>({
  id: 'name-collision',
  severity: 'warning',
  acrossFiles: true,
  summary: 'Two objects with the same kind, namespace and name in one file, chart, kustomization or GitOps object.',
  why: 'In the cluster, both manifests define the same object, even if their API versions differ. In one file, the last object replaces the others; in one kustomization, `kustomize build` fails if both have the same API version, and otherwise the last one wins in the cluster. The hash in the name of a generated object is added last, so that a generator needs `behavior: merge` or `replace` to change an object that exists already, also one of a base. For kustomize, an object without a namespace is in the namespace `default`. For the objects of a chart, Helm 3 reports that the object already exists, and Helm 4 creates only one; charts are executed with their default values, and hooks are not reported. Flux lists the files of a folder without a kustomization and builds them with kustomize, and Argo CD applies only one of the objects with a warning.',
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
    yield* inKustomization(context);
    const repeatedNames = [...inScopes(context)];
    yield* repeatedNames;
    const reported = new Set(repeatedNames.map(({ span }) => span.start));
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
        if (reported.has(name.span.start)) continue;
        if (!isChartTemplate(file)) yield { span: name.span, object, name, problem: 'file', related };
        else if (![first, object].some(isHook)) yield { span: name.span, object, related };
        continue;
      }
      seen.set(identity, object);
      const related: Related[] = [];
      let isRefused = false;
      for (const otherFile of others) {
        if (related.length === maximumRelated) break;
        if (otherFile.manifest.unresolved) continue;
        const other = otherFile.manifest.objects.find(
          (each) => identityIn(context, each) === identity || isSameInBuild(context, each, object),
        );
        if (other?.name === undefined) continue;
        isRefused ||= isSameInBuild(context, other, object);
        const message = localize`The other ${other.kind} with this name.`;
        related.push({ file: otherFile, span: other.name.span, message });
      }
      const problem = isRefused ? 'build' : 'cluster';
      if (related.length > 0) yield { span: name.span, object, name, problem, related };
    }
  },
  message(collision) {
    if ('broken' in collision) {
      const { resource, path, is } = collision.broken;
      return brokenEntryText({ is, resource: shorten(resource), path: shorten(path) });
    }
    const { object } = collision;
    const what = `${object.kind} '${shorten(object.name?.text ?? '')}'`;
    if (!('problem' in collision)) return repeatedText(what, collision.scope?.gitops);
    const { problem } = collision;
    if (problem === 'file') return localize`${what} is defined twice in this file; the last one wins.`;
    if (problem === 'cluster')
      return localize`${what} is also defined in another resource of the same kustomization, with another API version; the last one wins.`;
    return localize`${what} is also defined in another resource of the same kustomization; \`kustomize build\` fails.`;
  },
  fixes: () => [],
});

/** Yields the generators and resources of a kustomization with the identity of another object. */
function* inKustomization(context: RuleContext): Iterable<CollidingEntry> {
  const { kustomization } = context.file;
  if (kustomization === undefined || kustomization.resources.length + kustomization.generators.length === 0) return;
  for (const broken of brokenEntries(context))
    if (isCollision(broken)) yield { span: broken.span, severity: 'error', broken };
}

/** Yields the objects that a chart or a GitOps object contains twice. */
function* inScopes(context: RuleContext): Iterable<RepeatedName> {
  const { manifest, workspace } = context;
  for (const { object, others, scope } of repeatedObjects(context)) {
    const written = manifest.objects.find(({ kindSpan }) => kindSpan.start === object.kindSpan.start);
    if (written?.name === undefined) continue;
    const message = localize`The other ${object.kind} with this name.`;
    const related = others.slice(0, maximumRelated).flatMap((other) => nameNote(workspace, other, message));
    yield { span: written.name.span, object: written, scope, related };
  }
}

function repeatedText(what: string, gitops: GitopsObject | undefined): string {
  if (gitops === undefined || gitops.kind === 'helm-release')
    return localize`${what} is defined twice in this chart; Helm 3 cannot install it, and Helm 4 keeps only one of the two.`;
  if (gitops.kind === 'argo-application')
    return localize`${what} is defined twice in ${gitopsNameOf(gitops)}; Argo CD applies only one of the two.`;
  return localize`${what} is defined twice in the files of ${gitopsNameOf(gitops)}; Flux cannot build them.`;
}

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

/** Whether two objects have the same identity in a build, which contains the API version, and for which objects without a namespace are in `default`. Defined by `ResId.Equals` in sigs.k8s.io/kustomize/kyaml/resid. */
function isSameInBuild(context: RuleContext, one: ManifestObject, other: ManifestObject): boolean {
  const [first, second] = [one, other].map((each) => identityIn(context, each, 'default'));
  return first !== undefined && first === second && one.group === other.group && one.version === other.version;
}

/** Returns the identity of an object in the cluster; undefined if it is unknown. `usual` is the namespace of objects without a namespace. */
function identityIn({ catalogue }: RuleContext, object: ManifestObject, usual = ''): string | undefined {
  const { group, version, kind, name, namespace, template, forCluster } = object;
  const namespaced = catalogue.kind(group, version, kind)?.namespaced;
  if (!forCluster || namespaced === undefined || typeof name?.value !== 'string' || name.value === '') return undefined;
  const where = namespaced ? (namespace?.value ?? usual) : '';
  // An object with an unknown namespace has no known identity: alternative objects often differ only in such a
  // namespace.
  return typeof where === 'string' ? [storedGroup(object), kind, where, name.value, template].join('\n') : undefined;
}
