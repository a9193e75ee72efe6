/** Is an object written twice in what is applied together? */

import type { ManifestObject, Written } from '../manifests/manifest.ts';
import type { Scopes } from '../workspace/scopes.ts';
import { folderOf, resolveUri } from '../workspace/uri.ts';
import type { Workspace, WorkspaceFile } from '../workspace/workspace.ts';
import { conditionalPlaces, storedObjects } from './object-places.ts';
import { type Fact, type RuleContext, rule } from './rule.ts';
import { shorten } from './say.ts';

interface Collision extends Fact {
  readonly object: ManifestObject;
  readonly name: Written;
  /** Undefined for one in the same file. */
  readonly otherFile?: WorkspaceFile;
}

export const nameCollision = rule<Collision>({
  id: 'name-collision',
  severity: 'warning',
  acrossFiles: true,
  summary: 'Two objects of one kind, namespace and name in one file or in the resources of one kustomization.',
  why: 'They are one object to the cluster, whatever their API versions are. From one file the last one applied takes the place of the others; kustomize refuses to build them.',
  withoutFix: 'Which of the two is meant, and what the other should be called, only a person knows.',
  bad: [
    {
      title: 'A copy whose name was not changed.',
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
      title: 'One object.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
`,
    },
  ],
  *check(context) {
    const { text, file, workspace } = context;
    const isConditional = conditionalPlaces(text);
    const seen = new Map<string, ManifestObject>();
    const around = filesBeside(workspace, file.uri);
    for (const object of storedObjects(context)) {
      const identity = identityIn(context, object);
      if (identity === undefined || object.name === undefined || isConditional(object.span)) continue;
      const { name } = object;
      const first = seen.get(identity);
      if (first?.name !== undefined) {
        const related = [{ file, span: first.name.span, message: `The first ${first.kind} of this name.` }];
        yield { span: name.span, object, name, related };
        continue;
      }
      seen.set(identity, object);
      for (const otherFile of around) {
        if (!mayHold(otherFile, object, name.text) || otherFile.manifest.unresolved) continue;
        const other = otherFile.manifest.objects.find((each) => identityIn(context, each) === identity);
        if (other?.name === undefined) continue;
        const related = [{ file: otherFile, span: other.name.span, message: `The other ${other.kind} of this name.` }];
        yield { span: name.span, object, name, otherFile, related };
      }
    }
  },
  say({ object, name, otherFile }) {
    const what = `${object.kind} '${shorten(name.text)}'`;
    if (otherFile === undefined) return `${what} is there before in this file: only the last one applied stays.`;
    return `${what} is also there in another resource of the same kustomization, which cannot be built.`;
  },
  mend: () => [],
});

/** What makes an object the same to the cluster; undefined where that is not known. */
function identityIn({ catalogue }: RuleContext, object: ManifestObject): string | undefined {
  const { group, version, kind, name, namespace, template, forCluster } = object;
  const namespaced = catalogue.kind(group, version, kind)?.namespaced;
  if (!forCluster || namespaced === undefined || typeof name?.value !== 'string' || name.value === '') return undefined;
  const where = namespaced ? (namespace?.value ?? '') : '';
  // A namespace that is not known may be any: alternatives are written so.
  return typeof where === 'string' ? [group, kind, where, name.value, template].join('\n') : undefined;
}

/** What the scopes know of a file rules most of them out, without a look at their objects. */
function mayHold({ scope }: WorkspaceFile, { group, kind }: ManifestObject, name: string): boolean {
  const [start, end] = [`${group}\n${kind}\n`, `\n${name}`];
  return scope.identities.some((each) => each.endsWith(end) && each.startsWith(start));
}

const resourceLists = new WeakMap<Scopes, ReadonlyMap<string, readonly (readonly string[])[]>>();

/** The other files that some kustomization lists among its resources together with a file. */
function filesBeside(workspace: Workspace, uri: string): readonly WorkspaceFile[] {
  // They stay as they are for as long as the scopes do.
  const scopes = workspace.scopes();
  let lists = resourceLists.get(scopes);
  if (lists === undefined) {
    lists = listsOf(workspace);
    resourceLists.set(scopes, lists);
  }
  const beside = new Set(lists.get(uri)?.flat());
  beside.delete(uri);
  return [...beside].flatMap((each) => {
    const file = workspace.files.get(each);
    return file === undefined ? [] : [file];
  });
}

function listsOf(workspace: Workspace): ReadonlyMap<string, readonly (readonly string[])[]> {
  const lists = new Map<string, (readonly string[])[]>();
  for (const [uri, { kustomization }] of workspace.scopes().facts()) {
    if (kustomization === undefined) continue;
    const folder = folderOf(uri);
    const resources = kustomization.resources.map((path) => resolveUri(folder, path));
    for (const each of new Set(resources)) lists.set(each, [...(lists.get(each) ?? []), resources]);
  }
  return lists;
}
