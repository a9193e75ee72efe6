/** Finds the objects that a GitOps object builds, the files that it names, and the GitOps objects that apply a file. */

import { childOf, itemsOf, type Node, nodeAt } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { isInWorkspace } from '../../workspace/kustomize/kustomization-paths.ts';
import type { EffectiveObject, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { resolveUri } from '../../workspace/uri.ts';
import type { FileView, View } from '../view.ts';

/** Whether an object creates other GitOps objects, each of which is a scope. */
export function createsScopes(scopes: readonly Scope[]): boolean {
  return scopes.some(({ gitops }) => gitops?.facts.from !== undefined);
}

/** The objects of some scopes, and whether there may be more. */
export interface BuiltByScopes {
  readonly objects: readonly EffectiveObject[];
  readonly isPartial: boolean;
}

/** The maximum number of scopes that are rendered for one object. */
const maximumScopes = 20;

/** Returns what some scopes build. */
export function builtBy({ workspace, catalogue }: View, scopes: readonly Scope[]): BuiltByScopes {
  const renderings = scopes.slice(0, maximumScopes).map(({ path }) => workspace.rendering(path, catalogue));
  const isWhole = renderings.every((each) => each?.isWhole) && scopes.every(({ closed }) => closed === true);
  return {
    objects: renderings.flatMap((each) => each?.objects ?? []),
    isPartial: !isWhole || scopes.length > maximumScopes,
  };
}

/** A folder or file that a GitOps object names, and the URIs that it may stand for. */
interface GitopsPath {
  readonly span: Span;
  readonly candidates: readonly string[];
}

/** Returns the folders and files of values that the GitOps objects of a file name. */
export function gitopsPaths({ workspace, file }: FileView): readonly GitopsPath[] {
  return file.manifest.objects.flatMap((object) => {
    const { gitopsSpec } = object;
    const scopes = gitopsSpec === undefined ? [] : scopesDefinedBy(workspace, file.uri, object);
    const [scope] = scopes;
    if (gitopsSpec === undefined || scope?.gitops === undefined || createsScopes(scopes)) return [];
    const { facts, located, contents } = scope.gitops;
    return facts.sources.flatMap((source, index) => {
      const place = located[index];
      const { path, valueFiles } = nodesOf(gitopsSpec, source.index);
      const inside = place === undefined ? [] : [place.folder, ...(contents[index]?.resources ?? [])];
      // Those of a HelmRelease are relative to the root of the source.
      const base = place && source.tool === 'helm' ? { folder: place.root, root: place.root } : place;
      const values = valueFiles.map((node) => fileOfValues(node, base, workspace));
      const known = path?.kind === 'scalar' && path.pattern === undefined ? pathAt(path, inside, workspace) : undefined;
      return [known, ...values].flatMap((each) => each ?? []);
    });
  });
}

/** The nodes of a source; `index` is its number in a list of sources. */
function nodesOf(spec: Node, index = 0): { readonly path: Node | undefined; readonly valueFiles: readonly Node[] } {
  const sources = itemsOf(childOf(spec, 'sources'));
  const source = sources.length > 0 ? sources[index] : childOf(spec, 'source');
  const path =
    childOf(source ?? spec, 'path') ?? nodeAt(spec, 'chart', 'spec', 'chart') ?? nodeAt(spec, 'sync', 'path');
  const valueFiles = nodeAt(source, 'helm', 'valueFiles') ?? nodeAt(spec, 'chart', 'spec', 'valuesFiles');
  return { path, valueFiles: itemsOf(valueFiles) };
}

function pathAt(node: Node | undefined, candidates: readonly string[], workspace: Workspace): GitopsPath | undefined {
  const inside = candidates.filter((uri) => isInWorkspace(workspace, uri));
  return node?.kind !== 'scalar' || inside.length === 0 ? undefined : { span: node.span, candidates: inside };
}

/** A file of values: relative to the folder, or from the root of a repository, which may be that of another source. */
function fileOfValues(
  node: Node,
  place: { readonly folder: string; readonly root: string } | undefined,
  workspace: Workspace,
): GitopsPath | undefined {
  if (node.kind !== 'scalar' || place === undefined || /[*?[{]/.test(node.text)) return undefined;
  const fromRoot = /^(?:\$\w{1,100})?\/(.*)$/s.exec(node.text);
  const [folder, path] = fromRoot === null ? [place.folder, node.text] : [place.root, fromRoot[1] ?? ''];
  return pathAt(node, [resolveUri(folder, path)], workspace);
}
