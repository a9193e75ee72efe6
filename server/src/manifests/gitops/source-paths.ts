/** Finds the paths of folders and files in GitOps objects, with their positions. */

import type { ManifestObject } from '../model.ts';
import { childOf, itemsOf, mayHoldMore, type Node, nodeAt, type ScalarNode, textOf } from '../yaml/tree.ts';
import { argoGroup, fluxGroup, helmGroup, operatorGroup } from './spec.ts';

/** A path in the `spec` of a GitOps object. */
export interface SourcePath {
  readonly node: ScalarNode;
  /** The target of the path: the folder of a source, a values file for its chart, or the folder of a component. */
  readonly is: 'folder' | 'values' | 'component';
  /** The index of the source in `GitopsFacts.sources`; undefined if the source has no folder. */
  readonly source: number | undefined;
  /**
   * The base of the path, unless the path itself specifies one: the folder of the source, or the root of its
   * repository.
   */
  readonly from: 'folder' | 'root';
  /** Whether the controller ignores the path if the file or folder does not exist. */
  readonly isOptional: boolean;
}

/** Returns the paths in a GitOps object, or in the template of an ApplicationSet; none for objects of other kinds. */
export function sourcePaths(object: ManifestObject): readonly SourcePath[] {
  const { group, gitopsSpec: spec } = object;
  if (spec === undefined) return [];
  if (group === fluxGroup) {
    const components = pathsAt('component', childOf(spec, 'components'), isSet(spec, 'ignoreMissingComponents'), 0);
    return [...pathsAt('folder', childOf(spec, 'path'), false, 0), ...components];
  }
  if (group === operatorGroup) return pathsAt('folder', nodeAt(spec, 'sync', 'path'), false, 0);
  if (group === helmGroup) {
    const chart = nodeAt(spec, 'chart', 'spec');
    const values = pathsAt('values', childOf(chart, 'valuesFiles'), isSet(chart, 'ignoreMissingValuesFiles'), 0);
    return [
      ...pathsAt('folder', childOf(chart, 'chart'), false, 0),
      ...values.map((each) => ({ ...each, from: 'root' as const })),
    ];
  }
  let number = 0;
  return argoSources(applicationSpec(object)).flatMap((source) => {
    const path = childOf(source, 'path');
    const isChart = childOf(source, 'chart') !== undefined;
    const hasFolder = !isChart && (path !== undefined || childOf(source, 'ref') === undefined);
    const at = hasFolder ? number++ : undefined;
    const [helm, kustomize] = [childOf(source, 'helm'), childOf(source, 'kustomize')];
    return [
      ...pathsAt('folder', isChart ? undefined : path, false, at),
      ...pathsAt('values', childOf(helm, 'valueFiles'), isSet(helm, 'ignoreMissingValueFiles'), at),
      ...pathsAt('component', childOf(kustomize, 'components'), isSet(kustomize, 'ignoreMissingComponents'), at),
    ];
  });
}

/** Matches a path that starts with the name of a source of the Application, such as `$values/prod.yaml`. */
const reference = /^\$([\w-]{1,100})\/(.*)$/s;

/** Splits a path that starts with the name of another source into this name and the path; undefined for all other paths. */
export function referenceOf({ text }: ScalarNode): { readonly name: string; readonly path: string } | undefined {
  const [, name, path = ''] = reference.exec(text) ?? [];
  return name === undefined ? undefined : { name, path };
}

/** Returns the URL of the source that has the given name in an Application or ApplicationSet; undefined if there is none. */
export function referredRepository(object: ManifestObject, name: string): string | undefined {
  const source = argoSources(applicationSpec(object)).find((each) => textOf(childOf(each, 'ref')) === name);
  return textOf(childOf(source, 'repoURL'));
}

/** A path of a values file that starts with the name of a source that does not exist. */
interface UnknownReference {
  readonly node: ScalarNode;
  readonly name: string;
  readonly known: readonly string[];
}

/** Returns the values files in `sources` that start with a name that no source has; Argo CD rejects these. With `source`, such a name is a build variable. */
export function unknownReferences(object: ManifestObject): readonly UnknownReference[] {
  const listed = childOf(applicationSpec(object), 'sources');
  const sources = itemsOf(listed);
  const names = sources.map((source) => childOf(source, 'ref')).filter((ref) => ref !== undefined);
  const isUnclear = listed?.kind !== 'list' || listed.open || [...sources, ...names].some(mayHoldMore);
  return (isUnclear ? [] : sourcePaths(object)).flatMap(({ node, is }) => {
    const { name } = (is === 'values' && referenceOf(node)) || {};
    const known = names.flatMap((ref) => textOf(ref) ?? []);
    return name === undefined || known.includes(name) ? [] : [{ node, name, known }];
  });
}

/** Returns the `spec` of an Application, or the `spec` in the template of an ApplicationSet; undefined for all other objects. */
export function applicationSpec({ group, kind, gitopsSpec }: ManifestObject): Node | undefined {
  if (group !== argoGroup) return undefined;
  if (kind === 'ApplicationSet') return nodeAt(gitopsSpec, 'template', 'spec');
  return kind === 'Application' ? gitopsSpec : undefined;
}

/** Returns the syntax nodes of the sources in the `spec` of an Application. */
export function argoSources(spec: Node | undefined): readonly Node[] {
  const listed = itemsOf(childOf(spec, 'sources'));
  return listed.length > 0 ? listed : [childOf(spec, 'source')].filter((source) => source !== undefined);
}

function pathsAt(is: SourcePath['is'], at: Node | undefined, isOptional: boolean, source: number | undefined) {
  const nodes = at?.kind === 'scalar' ? [at] : itemsOf(at);
  return nodes.flatMap((node): readonly SourcePath[] =>
    node.kind === 'scalar' && node.type !== 'null' ? [{ node, is, source, from: 'folder', isOptional }] : [],
  );
}

function isSet(map: Node | undefined, key: string): boolean {
  return textOf(childOf(map, key)) === 'true';
}
