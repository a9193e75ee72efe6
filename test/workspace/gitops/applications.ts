/** Writes Applications of Argo CD, and formats what they apply as lines. */

import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { Session } from '../../../server/src/session.ts';
import { relativePath } from '../../../server/src/workspace/uri.ts';
import { lines } from '../../harness/margin.ts';
import { MemoryFiles } from '../../harness/memory-files.ts';
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

const log = {
  info: () => undefined,
  warn: () => undefined,
  bug: (where: string, error: unknown) => {
    throw new Error(where, { cause: error });
  },
};

/** Loads files as a session does: templates are parsed with their charts. */
export async function loaded(files: Readonly<Record<string, string>>) {
  const source = new MemoryFiles(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  const { workspace } = new Session({ catalogue, log });
  await workspace.load(
    source,
    [root],
    () => undefined,
    () => false,
  );
  /** The names of the objects of all GitOps objects. */
  const names = () => {
    const now = workspace.snapshot();
    const scopes = now.scopes().all();
    return scopes
      .flatMap(({ gitops, path }) => (gitops === undefined ? [] : (now.rendering(path, catalogue)?.objects ?? [])))
      .map(({ object }) => object.name?.text)
      .join(' ');
  };
  const write = (path: string, text: string) => {
    source.texts.set(`${root}/${path}`, text);
    return workspace.refresh(source, [{ uri: `${root}/${path}`, gone: false }]);
  };
  return {
    workspace,
    source,
    names,
    write,
    edit: (path: string, text: string) => workspace.edit(`${root}/${path}`, text),
  };
}
