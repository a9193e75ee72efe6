/** Plans the labels that a kustomization adds to all of its objects, because their value is the same for all of them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd } from '../../text/lines.ts';
import type { Side } from '../../workspace/base.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { hasErrors, objectsOf } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { fileKey, type Label, objectKey, type PlannedChange } from './model.ts';
import { ownEntries } from './recommended-values.ts';

/** A kustomization that lists only files, and the objects in these files. */
export interface ListingKustomization {
  readonly file: WorkspaceFile;
  readonly objects: readonly ObjectInFile[];
}

/** Returns the kustomizations that can add labels to all of their objects, by the URIs of the files that they list. */
export function listingKustomizations({ workspace }: Side): ReadonlyMap<string, ListingKustomization> {
  const listing = new Map<string, WorkspaceFile[]>();
  for (const file of workspace.files.values())
    for (const { path } of file.kustomization?.resources ?? [])
      getOrAdd(listing, workspace.at(folderOf(file.uri), path), () => []).push(file);
  const found = new Map<string, ListingKustomization>();
  for (const file of workspace.files.values()) {
    const uris = file.kustomization && filesListed(workspace, file);
    if (uris === undefined || uris.some((uri) => (listing.get(uri) ?? []).length > 1)) continue;
    const objects = uris.flatMap((uri) => {
      const listed = workspace.files.get(uri);
      return listed === undefined ? [] : objectsOf(workspace, listed).map((object) => ({ file: listed, object }));
    });
    const kustomization = { file, objects };
    for (const uri of uris) found.set(uri, kustomization);
  }
  return found;
}

/** Returns the files that a kustomization lists; undefined if it includes anything else, or is not edited. */
function filesListed(workspace: Workspace, file: WorkspaceFile): readonly string[] | undefined {
  const { kustomization } = file;
  if (kustomization === undefined || kustomization.component || hasErrors(file)) return undefined;
  if (workspace.scopes().isGenerated(file.uri) || workspace.configs().of(file.uri)?.isExternal(file.uri))
    return undefined;
  const { resources, components, charts, programs, plugins } = kustomization;
  if (components.length + charts.length + programs.length + plugins.length > 0) return undefined;
  const uris = resources.map(({ path }) => workspace.at(folderOf(file.uri), path));
  return uris.every((uri) => workspace.files.get(uri)?.kustomization === undefined && workspace.files.has(uri))
    ? uris
    : undefined;
}

/** Whether a kustomization sets a label itself. */
export function setsLabel({ kustomization }: WorkspaceFile, key: string): boolean {
  return kustomization?.labels.some(({ entries }) => entries.some((entry) => entry.key.text === key)) === true;
}

/** Whether any object of a kustomization has a label in its file, which the kustomization would overwrite. */
export function isWritten({ objects }: ListingKustomization, key: string): boolean {
  return objects.some(({ object }) => ownEntries(object).some((entry) => entry.key.text === key));
}

/** Whether `includeTemplates` reaches the pod templates of all objects of a kustomization: kustomize does not know those of custom kinds. */
export function reachesTemplates({ objects }: ListingKustomization): boolean {
  return objects.every(({ object }) => object.templates.length === 0 || templatesOfKustomize.has(kindKey(object)));
}

const templatesOfKustomize: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].map((kind) => kindKey({ group: 'apps', kind })),
  ...['Job', 'CronJob'].map((kind) => kindKey({ group: 'batch', kind })),
  kindKey({ group: '', kind: 'ReplicationController' }),
]);

/** Returns the change that adds labels to all objects of a kustomization, and not to their selectors; undefined if its text cannot be extended. Labels in `inTemplates` are also added to pod templates. */
export function kustomizationChange(
  { textOf }: Side,
  { file, objects }: ListingKustomization,
  labels: readonly Label[],
  inTemplates: ReadonlySet<string>,
): PlannedChange | undefined {
  const text = textOf(file.uri);
  const groups = [
    { pairs: labels.filter(([key]) => !inTemplates.has(key)), isInTemplates: false },
    { pairs: labels.filter(([key]) => inTemplates.has(key)), isInTemplates: true },
  ].filter(({ pairs }) => pairs.length > 0);
  const edit = text === undefined ? undefined : itemsAdded(text, groups);
  if (edit === undefined) return undefined;
  const keys = objects.map(objectKey);
  const name = file.uri.slice(file.uri.lastIndexOf('/') + 1);
  return {
    objects: [fileKey(file), ...keys],
    name,
    uri: file.uri,
    edits: [edit],
    labels,
    isTemplate: inTemplates.size > 0,
  };
}

interface Group {
  readonly pairs: readonly Label[];
  readonly isInTemplates: boolean;
}

/** Returns the edit that adds items to the field `labels`, or adds the field. */
function itemsAdded(text: string, groups: readonly Group[]): Edit | undefined {
  const end = lineEnd(text);
  const lines = text.split('\n');
  const isContent = (line: string) => line.trim() !== '' && !line.trimStart().startsWith('#');
  const first = lines.findIndex(isContent);
  const hasOthers = lines.some((line, index) => line.startsWith('---') && index !== first);
  if (first === -1 || hasOthers || lines[first]?.trimStart().startsWith('{')) return undefined;
  const field = lines.findIndex((line) => /^["']?labels["']?:/.test(line));
  if (field === -1) {
    const before = text.endsWith('\n') ? '' : end;
    const added = ['labels:', ...groups.flatMap((group) => itemLines(group, '  '))];
    return { span: { start: text.length, end: text.length }, text: `${before}${added.join(end)}${end}` };
  }
  if (!/^labels:[ \t\r]*$/.test(lines[field] ?? '')) return undefined;
  const rest = lines.findIndex((line, index) => index > field && isContent(line) && !/^[ \t-]/.test(line));
  const items = lines.slice(field + 1, rest === -1 ? lines.length : rest);
  const indent = /^([ \t]*)-/.exec(items.find(isContent) ?? '')?.[1];
  if (indent === undefined) return undefined;
  const last = field + 1 + items.findLastIndex(isContent);
  const at = lines
    .slice(0, last + 1)
    .join('\n')
    .trimEnd().length;
  const added = groups.flatMap((group) => itemLines(group, indent));
  return { span: { start: at, end: at }, text: added.map((line) => `${end}${line}`).join('') };
}

function itemLines({ pairs, isInTemplates }: Group, indent: string): readonly string[] {
  return [
    `${indent}- includeSelectors: false`,
    ...(isInTemplates ? [`${indent}  includeTemplates: true`] : []),
    `${indent}  pairs:`,
    ...pairs.map(([key, value]) => `${indent}    ${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`),
  ];
}
