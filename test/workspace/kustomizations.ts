/** Formats the objects that kustomizations build as lines. */
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { format } from '../../server/src/engine/index.ts';
import type { LabelEntry, ManifestObject } from '../../server/src/manifests/model.ts';
import type { DataFiles } from '../../server/src/workspace/gitops/model.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { plainFileReading, readFile, workspaceIn } from '../../server/src/workspace/snapshot.ts';

export const root = 'file:///work';

/** Returns a workspace with some files; those that GitOps objects read as data are parsed as data. */
export function workspaceOf(files: Readonly<Record<string, string>>): Workspace {
  const readAs = (uses: DataFiles) =>
    Object.entries(files).map(([name, text]) => {
      const uri = `${root}/${name}`;
      return [uri, readFile(uri, text, catalogue, { ...plainFileReading, data: uses.get(uri) })] as const;
    });
  let workspace = workspaceIn([root], readAs(new Map()));
  for (let known = 0; workspace.scopes().dataFiles().size > known; ) {
    const uses = workspace.scopes().dataFiles();
    known = uses.size;
    workspace = workspaceIn([root], readAs(uses));
  }
  return workspace;
}

/**
 * The objects that the kustomization of a folder builds: a line for each object and for each of its maps and selectors.
 */
export function built(files: Readonly<Record<string, string>>, folder = root): string {
  const rendering = workspaceOf(files).rendering(folder, catalogue);
  return `${rendering?.objects.map(({ object }) => described(object)).join('\n')}`;
}

/** An object with its maps and selectors, in several lines. */
export function described(object: ManifestObject): string {
  const { kind, namespace, name, labelSites, selectorSites } = object;
  const where = namespace === undefined ? '' : ` in ${namespace.text}`;
  return [
    `${kind}/${name?.text}${where}`,
    ...labelSites.map(({ path, entries, open }) => `  ${path}: ${entriesText(entries)}${open ? ' and more' : ''}`),
    ...selectorSites.map((site) => {
      const text = site.selector?.ok ? format(site.selector.value, 'canonical') || 'nothing asked' : site.state;
      return `  ${site.path}: ${text}${site.open ? ' and more' : ''}`;
    }),
  ].join('\n');
}

function entriesText(entries: readonly LabelEntry[]): string {
  return entries.map(({ key, value }) => `${key.text}=${value.text}`).join(', ');
}

export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      topologySpreadConstraints:
        - {topologyKey: zone, maxSkew: 1, labelSelector: {matchLabels: {app: web}}}
`;

export const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n';
