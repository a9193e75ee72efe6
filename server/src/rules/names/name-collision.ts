/** Reports objects with the same kind, namespace and name in one file or in the resources of one kustomization. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Scopes } from '../../workspace/scopes/model.ts';
import { folderOf, resolveUri } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
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
        const related = [{ file, span: first.name.span, message: localize`The first ${first.kind} with this name.` }];
        yield { span: name.span, object, name, inOtherFiles: false, related };
        continue;
      }
      seen.set(identity, object);
      const related = others.flatMap((otherFile) => {
        if (otherFile.manifest.unresolved) return [];
        // The identities of kustomize contain the API version, so objects of two versions do not collide in a build.
        const other = otherFile.manifest.objects.find(
          (each) =>
            each.group === object.group && each.version === object.version && identityIn(context, each) === identity,
        );
        if (other?.name === undefined) return [];
        const message = localize`The other ${other.kind} with this name.`;
        return [{ file: otherFile, span: other.name.span, message }];
      });
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

/** The resources that one kustomization lists. */
interface ResourceList {
  readonly uris: readonly string[];
}

const resourceLists = new WeakMap<ReturnType<Scopes['structure']>, ReadonlyMap<string, readonly ResourceList[]>>();

/** For each list, the files by kind and name of their objects, for names that occur in several files. */
const sharedNames = new WeakMap<Scopes, Map<ResourceList, ReadonlyMap<string, readonly string[]>>>();

/** Returns a function that finds files with an object of the same kind and name, among the other files that a kustomization lists together with a file. Uses only the summaries of files that the scopes are computed from, not the objects themselves. */
function namesakesOf(workspace: Workspace, uri: string) {
  const lists = listsOf(workspace).get(uri) ?? [];
  const scopes = workspace.scopes();
  const known = getOrAdd(sharedNames, scopes, () => new Map<ResourceList, ReadonlyMap<string, readonly string[]>>());
  const shared = lists
    .map((list) => getOrAdd(known, list, () => sharedIn(scopes, list)))
    .filter(({ size }) => size > 0);
  return (object: ManifestObject): readonly WorkspaceFile[] => {
    if (shared.length === 0) return [];
    const uris = new Set(shared.flatMap((files) => files.get(nameIn(object)) ?? []));
    uris.delete(uri);
    return [...uris].flatMap((each) => workspace.files.get(each) ?? []);
  };
}

function sharedIn(scopes: Scopes, { uris }: ResourceList): ReadonlyMap<string, readonly string[]> {
  const first = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const uri of new Set(uris)) {
    for (const identity of scopes.facts().get(uri)?.identities ?? []) {
      const name = withoutNamespace(identity);
      const before = first.get(name);
      if (before === undefined) first.set(name, uri);
      else if (before !== uri) getOrAdd(shared, name, () => [before]).push(uri);
    }
  }
  return shared;
}

function withoutNamespace(identity: string): string {
  const namespace = identity.indexOf('\n', identity.indexOf('\n') + 1);
  return identity.slice(0, namespace) + identity.slice(identity.lastIndexOf('\n'));
}

/** Returns the stored group, the kind and the name of an object in the form that `withoutNamespace` returns. */
function nameIn(object: ManifestObject): string {
  return `${storedGroup(object)}\n${object.kind}\n${object.name?.text ?? ''}`;
}

/** Returns, for each file, the resource lists that contain it. The result is cached as long as only names change. */
function listsOf(workspace: Workspace): ReadonlyMap<string, readonly ResourceList[]> {
  const facts = workspace.scopes().structure();
  const cached = resourceLists.get(facts);
  if (cached !== undefined) return cached;
  const lists = new Map<string, readonly ResourceList[]>();
  // Reuses the URI strings of the files, because newly created strings would stay in memory.
  const known = new Map([...facts.keys()].map((uri) => [uri, uri]));
  for (const [uri, { kustomization }] of facts) {
    if (kustomization === undefined) continue;
    const folder = folderOf(uri);
    const uris = kustomization.resources.flatMap((path) => known.get(resolveUri(folder, path)) ?? []);
    const list: ResourceList = { uris };
    for (const each of new Set(uris)) lists.set(each, lists.get(each)?.concat(list) ?? [list]);
  }
  resourceLists.set(facts, lists);
  return lists;
}
