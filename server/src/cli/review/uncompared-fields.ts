/** Finds what a review does not compare, because of which it must not say that nothing changes: fields on which other objects may depend, and charts and kustomizations that can no longer be built. */

import { objectName } from '../../features/presentation/object-names.ts';
import type { Rendering } from '../../workspace/model.ts';
import { podNetworkOf } from '../../workspace/reach/pod-network.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import type { Tree } from '../objects/objects-of-tree.ts';
import { listedNames } from '../output/names.ts';
import { changedPaths, type Pair } from './object-pairs.ts';

/** Returns sentences about the ports and keys that are gone: references to objects are compared, but not those to their ports and keys. */
export function lostParts(trees: readonly [Tree, Tree], changed: readonly Pair[]): readonly string[] {
  const withPorts = changed.filter((pair) => losesPorts(trees, pair));
  const withKeys = changed.filter((pair) => losesKeys(trees, pair));
  return [
    ...(withPorts.length === 0
      ? []
      : [
          `Ports of ${namesOf(withPorts)} change: whether Services, routes and monitors still find them is not compared.`,
        ]),
    ...(withKeys.length === 0
      ? []
      : [`Keys of ${namesOf(withKeys)} are gone: whether pods still read them is not compared.`]),
  ];
}

/** Returns a sentence about GitOps objects that follow another revision, if there are any. */
export function otherRevisions(trees: readonly [Tree, Tree], changed: readonly Pair[]): readonly string[] {
  const following = changed.filter((pair) => {
    const { removed, added } = changedPaths(trees, pair);
    return (
      sourceKinds.test(pair.named.kind) && [...removed, ...added].some((path) => revisionFields.has(path.at(-1) ?? ''))
    );
  });
  if (following.length === 0) return [];
  return [
    `${namesOf(following)} ${following.length === 1 ? 'follows' : 'follow'} another revision, whose files are not read.`,
  ];
}

function namesOf(pairs: readonly Pair[]): string {
  return listedNames(pairs.map(({ named }) => shownName(named, false)));
}

/** The names of fields that contain ports, or names of ports. */
const portFields: ReadonlySet<string> = new Set(
  'containerPort hostPort metricsPort nodePort port ports servicePort targetPort'.split(' '),
);
const revisionFields: ReadonlySet<string> = new Set('branch commit revision semver tag targetRevision'.split(' '));
/** Kinds of GitOps objects whose fields name a revision of files. */
const sourceKinds = /^(?:Application|ApplicationSet|Bucket|GitRepository|HelmChart|OCIRepository)$/;

function losesPorts(trees: readonly [Tree, Tree], pair: Pair): boolean {
  const { named, before, after } = pair;
  // A schema has fields of such names, but no ports. The ports of policies are compared.
  const areOthers = named.kind === 'CustomResourceDefinition' || /NetworkPolicy$/.test(named.kind);
  if (before === undefined || after === undefined || areOthers) return false;
  const kept = new Set(portsOf(after));
  if (portsOf(before).some((port) => !kept.has(port))) return true;
  return changedPaths(trees, pair).removed.some((path) => path.some((field) => portFields.has(field)));
}

function losesKeys(trees: readonly [Tree, Tree], pair: Pair): boolean {
  if (!/^(?:ConfigMap|Secret)$/.test(pair.named.kind)) return false;
  const { removed, added } = changedPaths(trees, pair);
  const kept = new Set(added.map((path) => path.join('\0')));
  const isData = (path: readonly string[]) => /^(?:binaryData|data|stringData)$/.test(path[0] ?? '');
  return removed.some((path) => isData(path) && !kept.has(path.join('\0')));
}

/** Returns the ports of an object and of its pods as texts, without their positions. */
function portsOf({ object }: AppliedObject): readonly string[] {
  const pods = [object.ports, ...object.templates.map(({ ports }) => ports)];
  const found = [
    ...pods.flatMap((ports) => [...(ports?.names ?? []), ...podNetworkOf(ports).ports]),
    ...(object.servicePorts ?? []),
  ];
  return found.map((port) => JSON.stringify(port));
}

/** Returns sentences about the charts and kustomizations that Helm and kustomize can build in the old tree, but not in the new one. */
export function newFailures([before, after]: readonly [Tree, Tree]): readonly string[] {
  const known = new Set(failuresIn(before));
  return [...new Set(failuresIn(after))].filter((each) => !known.has(each));
}

function* failuresIn({ session, selection, root }: Tree): Iterable<string> {
  const workspace = session.snapshot();
  const shown = (uri: string) => (uri === root ? 'The root folder' : relativePath(root, uri));
  for (const scope of workspace.scopes().all()) {
    if (!isRendered(scope) || !selection.concerns(scope)) continue;
    const rendering = workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path));
    if (rendering === undefined) continue;
    for (const { uri, reason } of rendering.failures ?? [])
      yield `Helm cannot render ${relativePath(root, uri)}: ${reason}.`;
    // kustomize fails if a patch without a target matches nothing.
    const isIdle = rendering.idle.some(({ entry }) => entry.target === undefined && !entry.allowNoTargetMatch);
    const twice = scope.kind === 'kustomization' ? repeatedIn(rendering.objects) : undefined;
    if (twice !== undefined) yield `${shown(scope.path)} contains ${twice} twice, so kustomize cannot build it.`;
    if (isIdle && rendering.isWhole)
      yield `${shown(scope.path)} has a patch that matches no object, so kustomize cannot build it.`;
  }
}

/** Returns the first object that is in a list twice, such as `Service/web`. */
function repeatedIn(objects: Rendering['objects']): string | undefined {
  const known = new Set<string>();
  for (const { object } of objects) {
    const { group, kind, namespace, name } = object;
    if (typeof name?.value !== 'string') continue;
    const key = `${group}\n${kind}\n${namespace?.text ?? ''}\n${name.value}`;
    if (known.has(key)) return objectName(object);
    known.add(key);
  }
  return undefined;
}
