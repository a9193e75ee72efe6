/** Plans the labels that a kustomization adds to all of its objects, because their value is the same for all of them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd } from '../../text/lines.ts';
import type { Side } from '../../workspace/base.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { hasErrors, objectsOf } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { type Label, objectKey, type PlannedChange } from './model.ts';
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

/** The key of a kustomization among the objects that a change concerns. */
export function kustomizationKey({ uri }: Pick<WorkspaceFile, 'uri'>): string {
  return `${uri}\n0`;
}

/** Whether a kustomization sets a label itself. */
export function setsLabel({ kustomization }: WorkspaceFile, key: string): boolean {
  return kustomization?.labels.some(({ entries }) => entries.some((entry) => entry.key.text === key)) === true;
}

/** Whether any object of a kustomization has a label in its file, which the kustomization would overwrite. */
export function isWritten({ objects }: ListingKustomization, key: string): boolean {
  return objects.some(({ object }) => ownEntries(object).some((entry) => entry.key.text === key));
}

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
    objects: [kustomizationKey(file), ...keys],
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
  if (/^\s*\{/.test(text) || /^---/m.test(text.replace(/^(?:\s*#[^\n]*\n|\s*\n)*---/, ''))) return undefined;
  const end = lineEnd(text);
  const found = /^labels:[ \t]*(?:#[^\n]*)?\r?\n((?:(?:[ \t]+|-)[^\n]*(?:\n|$)|[ \t]*\r?\n)*)/m.exec(text);
  if (found === null) {
    if (/^labels:/m.test(text)) return undefined;
    const before = text === '' || text.endsWith('\n') ? '' : end;
    const lines = ['labels:', ...groups.flatMap((group) => itemLines(group, '  '))];
    return { span: { start: text.length, end: text.length }, text: `${before}${lines.join(end)}${end}` };
  }
  const [whole, items = ''] = found;
  const indent = /^([ \t]*)-/.exec(items)?.[1];
  if (indent === undefined) return undefined;
  const at = found.index + whole.trimEnd().length;
  const lines = groups.flatMap((group) => itemLines(group, indent));
  return { span: { start: at, end: at }, text: lines.map((line) => `${end}${line}`).join('') };
}

function itemLines({ pairs, isInTemplates }: Group, indent: string): readonly string[] {
  return [
    `${indent}- includeSelectors: false`,
    ...(isInTemplates ? [`${indent}  includeTemplates: true`] : []),
    `${indent}  pairs:`,
    ...pairs.map(([key, value]) => `${indent}    ${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`),
  ];
}
