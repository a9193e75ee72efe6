/** The paths of folders and files that GitOps objects name, where they are written. */

import type { ManifestObject } from '../model.ts';
import { childOf, itemsOf, type Node, nodeAt, type ScalarNode, textOf } from '../yaml/tree.ts';
import { argoGroup, fluxGroup, helmGroup, operatorGroup } from './spec.ts';

/** A path in the `spec` of a GitOps object. */
export interface SourcePath {
  readonly node: ScalarNode;
  /** The folder of a source, a file of values of its chart, or the folder of a component. */
  readonly is: 'folder' | 'values' | 'component';
  /** The number of the source in `GitopsFacts.sources`; undefined if the source has no folder. */
  readonly source: number | undefined;
  /** What the path is relative to, unless it says otherwise: the folder of the source, or the root of its repository. */
  readonly from: 'folder' | 'root';
  /** The controller ignores the path if nothing exists there. */
  readonly isOptional: boolean;
}

/** Returns the paths in a GitOps object; none for an object of another kind, and for an ApplicationSet. */
export function sourcePaths({ group, kind, gitopsSpec: spec }: ManifestObject): readonly SourcePath[] {
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
  if (group !== argoGroup || kind !== 'Application') return [];
  let number = 0;
  return argoSources(spec).flatMap((source) => {
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

/** The name of a source of an Application, at the start of a path: `$values/prod.yaml`. */
const reference = /^\$([\w-]{1,100})\/(.*)$/s;

/** Splits a path that starts with the name of another source; undefined for every other path. */
export function referenceOf({ text }: ScalarNode): { readonly name: string; readonly path: string } | undefined {
  const [, name, path = ''] = reference.exec(text) ?? [];
  return name === undefined ? undefined : { name, path };
}

/** Returns the URL of the source of an Application with a name; undefined if there is none. */
export function referredRepository({ gitopsSpec }: ManifestObject, name: string): string | undefined {
  const source = argoSources(gitopsSpec).find((each) => textOf(childOf(each, 'ref')) === name);
  return textOf(childOf(source, 'repoURL'));
}

/** Returns the sources of an Application, by its `spec`. */
export function argoSources(spec: Node | undefined): readonly (Node | undefined)[] {
  const listed = itemsOf(childOf(spec, 'sources'));
  return listed.length > 0 ? listed : [childOf(spec, 'source')];
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
