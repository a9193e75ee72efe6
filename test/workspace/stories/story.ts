/** Queries of a workspace for scope stories: files written in the test, and results as lines. */

import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { Listing } from '../../../server/src/workspace/live/folder-listing.ts';
import type { ObjectInFile, Workspace } from '../../../server/src/workspace/model.ts';
import { everyCluster } from '../../../server/src/workspace/scopes/model.ts';
import { placeOf } from '../../../server/src/workspace/scopes/scope-facts.ts';
import { everyClusterFile } from '../../../server/src/workspace/selection/external-objects.ts';
import type { Match } from '../../../server/src/workspace/selection/model.ts';
import { selectionOf } from '../../../server/src/workspace/selection/selection.ts';
import { objectsOf, readFile, workspaceIn } from '../../../server/src/workspace/snapshot.ts';
import { canonicalUri, relativePath } from '../../../server/src/workspace/uri.ts';
import { readFixture } from '../../harness/margin.ts';

const root = 'file:///work';

/** The snapshot of a fixture; its root is the only workspace folder, unless others are given. */
export function story(fixture: string, folders: readonly string[] = [''], listing?: Listing): Workspace {
  const files = readFixture(fixture).map(({ name, text }) => [uriOf(name), text] as const);
  const read = files.map(([uri, text]) => [uri, readFile(uri, text, catalogue)] as const);
  const cluster = everyClusterFile(catalogue);
  return workspaceIn(
    folders.map((folder) => uriOf(folder).replace(/\/$/, '')),
    [[cluster.uri, cluster], ...read],
    { listing },
  );
}

/** The URI of a file of a fixture. */
export function uriOf(name: string): string {
  return canonicalUri(`${root}/${name}`);
}

function shown(uri: string): string {
  if (uri === everyCluster) return '(every cluster)';
  return relativePath(root, uri) || '.';
}

/** Every scope, its files below it, and why it is open. */
export function scopesOf(workspace: Workspace): string {
  const lines = workspace
    .scopes()
    .all()
    .map((scope) => {
      const name = scope.name === undefined ? '' : ` '${scope.name}'`;
      const files = [...scope.files].map((uri) => `  ${shown(uri)}`).toSorted();
      const reasons = scope.closed === true ? [] : scope.closed.openBecause.map((reason) => `  open: ${reason}`);
      return [`${scope.kind} ${shown(scope.path)}${name}`, ...files, ...reasons].join('\n');
    });
  return lines.toSorted().join('\n');
}

/** The relation of each of some files to each other one. */
export function relationsOf(workspace: Workspace, ...names: readonly string[]): string {
  const rows = names.map((from) => {
    const others = names.filter((to) => to !== from);
    return `${from}: ${others.map((to) => `${to} ${workspace.scopes().relation(uriOf(from), uriOf(to))}`).join(', ')}`;
  });
  return rows.join('\n');
}

/** The matches of every label selector of an object; objects are named `Kind/name`, with the file if that is needed. */
export function selectionsOf(workspace: Workspace, name: string, file?: string): string {
  const owners = objectsIn(workspace).filter(
    (each) => `${each.object.kind}/${each.object.name?.text}` === name && (!file || each.file.uri === uriOf(file)),
  );
  const [owner, ...others] = owners;
  if (owner === undefined || others.length > 0) throw new Error(`There are ${owners.length} objects ${name}.`);
  const lines = owner.object.selectorSites.flatMap((site) => {
    if (site.selector === undefined || site.fact.targets.length === 0) return [];
    const selection = selectionOf(workspace, catalogue, owner, site);
    return [
      site.path,
      ...groupLines('here', selection.matches),
      ...groupLines('maybe', selection.maybe),
      ...groupLines('elsewhere', selection.elsewhere),
    ];
  });
  if (lines.length === 0) throw new Error(`${name} has no selector.`);
  return lines.join('\n');
}

function groupLines(group: string, matches: readonly Match[]): readonly string[] {
  return matches.map((match) => {
    const namespace = match.object.namespace === undefined ? '' : `${match.object.namespace.text}/`;
    const name = match.object.name?.text ?? `${match.object.generateName?.text ?? ''}*`;
    const reasons = match.reasons.length === 0 ? '' : `: ${match.reasons.join('; ')}`;
    return `  ${group} ${namespace}${match.object.kind}/${name} ${shown(match.file.uri)}${reasons}`;
  });
}

function objectsIn(workspace: Workspace): readonly ObjectInFile[] {
  return [...workspace.files.values()].flatMap((file) =>
    objectsOf(workspace, file).map((object) => ({ file, object })),
  );
}

/** The scopes of an object. */
export function scopesOfObject(workspace: Workspace, name: string): string {
  const owners = objectsIn(workspace).filter((each) => `${each.object.kind}/${each.object.name?.text}` === name);
  return owners
    .flatMap((owner) => workspace.scopes().of(placeOf(owner)))
    .map((scope) => `${scope.kind} ${shown(scope.path)}${scope.name === undefined ? '' : ` '${scope.name}'`}`)
    .join('\n');
}

/** A Deployment whose pods have one label, and a Service that selects it, as two documents. */
export function app(name: string, namespace?: string): string {
  return `${deployment(name, namespace)}---\n${service(name, namespace)}`;
}

/** A Deployment whose pods have one label. */
export function deployment(name: string, namespace?: string, label = `app: ${name}`): string {
  const where = namespace === undefined ? '' : `, namespace: ${namespace}`;
  return [
    'apiVersion: apps/v1',
    'kind: Deployment',
    `metadata: { name: ${name}${where} }`,
    `spec: { selector: { matchLabels: { ${label} } }, template: { metadata: { labels: { ${label} } } } }`,
    '',
  ].join('\n');
}

/** A Service that selects one label. */
export function service(name: string, namespace?: string, label = `app: ${name}`): string {
  const where = namespace === undefined ? '' : `, namespace: ${namespace}`;
  return `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}${where} }\nspec: { selector: { ${label} } }\n`;
}

/** Files from texts, as the fixture format writes them. */
export function files(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `==> ${name} <==\n${text}`)
    .join('');
}
