/** Finds objects that a chart or a GitOps object contains twice. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { helmFails } from '../../manifests/rendered-objects.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { hookKey } from '../../workspace/gitops/chart-hooks.ts';
import { isGitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import type { EffectiveObject, ObjectInFile, Rendering, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { RuleContext } from '../framework/rule.ts';
import { isActive } from './certain-cluster.ts';

/** An object of a file that its chart or GitOps object contains again, at other positions. */
export interface RepeatedObject {
  readonly object: ManifestObject;
  readonly others: readonly ObjectInFile[];
  readonly scope: Scope;
}

/** Yields the objects of a file that are repeated elsewhere, or before in the same file, in a chart as it is executed or in the files of a GitOps object. */
export function* repeatedObjects(context: RuleContext): Iterable<RepeatedObject> {
  const { workspace, executed = workspace, uri } = context;
  const found = new Set<number>();
  for (const scope of executed.scopes().ofFile(uri)) {
    if (!isListed(context, scope)) continue;
    for (const same of repeatedIn(context, executed, scope)) {
      for (const { object } of same.filter(({ file }) => file.uri === uri)) {
        // Of the objects in one file, the first one is not reported.
        const others = same.filter((other) => other.file.uri !== uri || isBefore(other.object, object));
        if (others.length === 0 || found.has(object.kindSpan.start)) continue;
        found.add(object.kindSpan.start);
        yield { object, others, scope };
      }
    }
  }
}

/** Whether an object is a hook of a chart, which Helm creates and deletes independently of other objects. */
export function isHook({ labelSites }: ManifestObject): boolean {
  return labelSites.some(
    ({ path, entries }) => path === 'metadata.annotations' && entries.some(({ key }) => key.text === hookKey),
  );
}

/** Whether the objects of a scope are those of a chart, or those of files that a GitOps object lists without a kustomization. */
function isListed({ workspace }: RuleContext, scope: Scope): boolean {
  if (!isGitopsScope(scope)) return scope.release !== undefined;
  const isKustomized = scope.gitops.contents.some((content) => content?.kustomized);
  return !isKustomized && isActive(workspace, scope);
}

type Same = readonly ObjectInFile[];

const inRenderings = new WeakMap<Rendering, readonly Same[]>();
const inDirectories = new WeakMap<Workspace, Map<Scope, readonly Same[]>>();

/** Returns the objects of a scope that certainly have the same identity, unless a template writes them at one position. */
function repeatedIn({ catalogue, uri }: RuleContext, executed: Workspace, scope: Scope): readonly Same[] {
  if (scope.gitops?.kind === 'argo-application') {
    // The rendering contains only the last of the objects.
    const known = getOrAdd(inDirectories, executed, () => new Map<Scope, readonly Same[]>());
    return getOrAdd(known, scope, () => sameIn(writtenObjects(executed, scope), catalogue));
  }
  const rendering = executed.rendering(scope.path, catalogue);
  if (rendering === undefined || (isInTemplates(uri) && rendering.outputs?.has(uri) !== true)) return [];
  return getOrAdd(inRenderings, rendering, () => sameIn(rendering.objects.filter(isWritten), catalogue));
}

/** Returns the objects in the directories of an Application, which applies them as they are written. */
function writtenObjects(workspace: Workspace, { gitops }: Scope): readonly ObjectInFile[] {
  return (gitops?.contents ?? []).flatMap((content) =>
    (content?.resources ?? []).flatMap((uri) => {
      const file = workspace.files.get(uri);
      return file === undefined ? [] : objectsOf(workspace, file).map((object) => ({ file, object }));
    }),
  );
}

function isWritten({ written }: EffectiveObject): boolean {
  return written;
}

function sameIn(objects: readonly ObjectInFile[], catalogue: Catalogue): readonly Same[] {
  const byIdentity = new Map<string, ObjectInFile[]>();
  for (const each of objects) {
    const identity = identityOf(each, catalogue);
    if (identity === undefined) continue;
    const same = getOrAdd(byIdentity, identity, () => []);
    if (!same.some((other) => other.file.uri === each.file.uri && isAt(other.object, each.object))) same.push(each);
  }
  return [...byIdentity.values()].filter(({ length }) => length > 1);
}

function identityOf({ file, object }: ObjectInFile, catalogue: Catalogue): string | undefined {
  const { group, version, kind, name, namespace, conditions = [], forCluster } = object;
  const namespaced = catalogue.kind(group, version, kind)?.namespaced;
  const isCertain = forCluster && conditions.every((each) => each === helmFails) && !isHook(object);
  if (!isCertain || namespaced === undefined || name === undefined) return undefined;
  const where = namespaced && namespace !== undefined ? certainText(namespace, file.uri) : '';
  const called = certainText(name, file.uri);
  if (where === undefined || called === undefined || called === '') return undefined;
  return JSON.stringify([storedGroup(object), version, kind, where, called]);
}

/** Matches the actions whose output is the same in all templates of a chart: those that read only the release and the chart. */
const commonAction = /\{\{-?\s*(?:\$?\.(?:Release|Chart)\.\w+|include\s+"[^"{}]+"\s+[.$])\s*(?:\|\s*quote\s*)?-?\}\}/g;

/** Returns a text that equals that of another scalar only if both have the same value; undefined if the value is unknown. */
function certainText({ text, value }: Written, uri: string): string | undefined {
  if (typeof value === 'string') return value;
  if (!text.includes('{{') || text.replace(commonAction, '').includes('{{')) return undefined;
  return `${uri.slice(0, uri.lastIndexOf('/templates/'))}: ${text}`;
}

function isAt(one: ManifestObject, other: ManifestObject): boolean {
  return one.kindSpan.start === other.kindSpan.start;
}

function isBefore(one: ManifestObject, other: ManifestObject): boolean {
  return one.kindSpan.start < other.kindSpan.start;
}
