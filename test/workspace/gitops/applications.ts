/** Writes Applications of Argo CD, and formats what they apply as lines. */

import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { relativePath } from '../../../server/src/workspace/uri.ts';
import { lines } from '../../harness/margin.ts';
import { built, root, workspaceOf } from '../kustomizations.ts';

export type Files = Readonly<Record<string, string>>;

/** An Application with a source and a destination, as flow YAML. */
export function app(name: string, source: string, destination = 'namespace: prod', more = ''): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {source: {repoURL: https://example.com/shop.git, ${source}}, destination: {${destination}}${more}}
`;
}

/** An ApplicationSet. */
export function set(spec: string): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\nspec:\n${lines(spec).replace(/^/gm, '  ')}\n`;
}

/** A ConfigMap; `more` continues its metadata. */
export function configMap(name: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\n`;
}

/** All scopes, each with its files. */
export function scopes(files: Files): string {
  return workspaceOf(files)
    .scopes()
    .all()
    .map((scope) => {
      const members = [...scope.files].map((uri) => relativePath(root, uri)).join(', ');
      const open = scope.closed === true ? '' : ` (${scope.closed.openBecause.join(' ')})`;
      return `${scope.kind} ${relativePath(root, scope.path)}: ${members}${open}`;
    })
    .join('\n');
}

/** The objects of an Application: `kind/name in namespace`. */
export function objects(files: Files, path = 'app.yaml'): string {
  const rendering = workspaceOf(files).rendering(`${root}/${path}`, catalogue);
  if (rendering === undefined) return 'nothing';
  return rendering.objects
    .map(({ object: { kind, name, namespace } }) => `${kind}/${name?.text}${namespace ? ` in ${namespace.text}` : ''}`)
    .join('\n');
}

/** The objects of an Application with their labels and selectors. */
export function detailed(files: Files, path = 'app.yaml'): string {
  return built(files, `${root}/${path}`);
}
