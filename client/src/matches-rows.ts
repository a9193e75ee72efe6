/** Converts a preview, the server's response about a selector or an object, to the rows of a tree view: the selector at the top, then a row for each group with its objects below. */
import * as vscode from 'vscode';
import {
  type Preview,
  type PreviewGroup,
  type PreviewItem,
  type ProtocolRange,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { commands } from './commands.ts';

export type Row = SiteRow | NoteRow | GroupRow | ItemRow | ScopeRow;

interface RowBase {
  readonly parent: Row | undefined;
  readonly children: readonly Row[];
}

interface SiteRow extends RowBase {
  readonly kind: 'site';
  readonly preview: Preview;
}

/** A row with a message, such as a problem in the selector or the number of omitted rows. */
interface NoteRow extends RowBase {
  readonly kind: 'note';
  readonly text: string;
  readonly icon: string | undefined;
}

interface GroupRow extends RowBase {
  readonly kind: 'group';
  readonly group: PreviewGroup;
  readonly expanded: boolean;
}

/** A row with the number of matches in a scope other than the first. */
interface ScopeRow extends RowBase {
  readonly kind: 'scope';
  readonly other: NonNullable<Preview['others']>[number];
}

interface ItemRow extends RowBase {
  readonly kind: 'item';
  readonly group: PreviewGroup;
  readonly item: PreviewItem;
  readonly columns: readonly string[];
}

export interface RowLocation {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Returns the rows of a preview. `columns` are the label keys to show for each object. */
export function rowsOf(preview: Preview, columns: readonly string[]): readonly Row[] {
  const none = { parent: undefined, children: [] };
  const hasMatches = preview.groups.some(({ kind }) => isCertain(kind));
  // Other selectors that match the same objects are secondary: their group comes last and is collapsed.
  const isSecondary = ({ kind }: PreviewGroup) => preview.about === 'selector' && kind === 'selectedBy';
  const isExpanded = (group: PreviewGroup) =>
    !isSecondary(group) && group.kind !== 'otherValues' && (isCertain(group.kind) || !hasMatches);
  const rowOf = (group: PreviewGroup) => groupRow(group, isExpanded(group), columns);
  return [
    { kind: 'site', preview, ...none },
    ...preview.problems.map((text): NoteRow => ({ kind: 'note', text, icon: 'warning', ...none })),
    ...(preview.verdict === undefined ? [] : [{ kind: 'note' as const, text: preview.verdict, icon: 'info', ...none }]),
    ...preview.groups.filter((group) => !isSecondary(group)).map(rowOf),
    ...(preview.others ?? []).map((other): ScopeRow => ({ kind: 'scope', other, ...none })),
    ...preview.groups.filter(isSecondary).map(rowOf),
  ];
}

function isCertain(kind: PreviewGroup['kind']): boolean {
  return ['matches', 'selectedBy', 'sourceOf', 'targetOf'].includes(kind);
}

function groupRow(group: PreviewGroup, expanded: boolean, columns: readonly string[]): GroupRow {
  const children: Row[] = [];
  const parent: GroupRow = { kind: 'group', group, expanded, parent: undefined, children };
  for (const item of group.items) children.push({ kind: 'item', group, item, columns, parent, children: [] });
  const cut = group.total - group.items.length;
  if (cut > 0)
    children.push({ kind: 'note', text: vscode.l10n.t('and {0} more', cut), icon: undefined, parent, children: [] });
  return parent;
}

export function toTreeItem(row: Row): vscode.TreeItem {
  const item = itemOf(row);
  // VS Code renders `$(name)` in the text of a row as an icon.
  if (typeof item.label === 'string') item.label = withoutMarkup(item.label);
  if (typeof item.description === 'string') item.description = withoutMarkup(item.description);
  return item;
}

function itemOf(row: Row): vscode.TreeItem {
  switch (row.kind) {
    case 'site':
      return siteItem(row.preview);
    case 'note':
      return noteItem(row);
    case 'group':
      return groupItem(row);
    case 'item':
      return objectItem(row);
    case 'scope':
      return scopeItem(row);
  }
}

/** Returns the location of a row; undefined for any other value, because commands can pass any value. */
export function rowLocationOf(argument: unknown): RowLocation | undefined {
  if (typeof argument !== 'object' || argument === null || !('uri' in argument) || !('range' in argument)) return;
  const { uri, range } = argument;
  return uri instanceof vscode.Uri && range instanceof vscode.Range ? { uri, range } : undefined;
}

function locationAt(uri: string, { start, end }: ProtocolRange): RowLocation {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return { uri: vscode.Uri.parse(uri, true), range };
}

/** Returns the locations of the matches or of the selecting objects; if there are none, the locations of the uncertain matches. */
export function locationsOf(preview: Preview | undefined): readonly vscode.Location[] {
  const groups = preview?.groups ?? [];
  const kinds = preview?.about === 'object' ? ['matches', 'selectedBy', 'sourceOf', 'targetOf'] : ['matches'];
  const certain = groups.filter(({ kind }) => kinds.includes(kind));
  const uncertain = groups.filter(({ kind }) =>
    ['maybe', 'maySelect', 'elsewhere', 'mayMatchElsewhere'].includes(kind),
  );
  const items = (certain.length > 0 ? certain : uncertain).flatMap((group) => group.items);
  return items
    .filter(({ uri }) => uri !== '')
    .map(({ uri, range }) => locationAt(uri, range))
    .map((place) => new vscode.Location(place.uri, place.range));
}

/** Returns the file name and the line number, for example `web.yaml:12`. The folder is shown at the end of the row, because a narrow row shows only its start. */
function fileAndLine({ uri, range }: RowLocation): string {
  return `${uri.path.split('/').at(-1)}:${range.start.line + 1}`;
}

/** Returns the path of the folder that contains a file; `''` for the workspace folder. */
function folderOf(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri);
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** The maximum number of folders or files to list by name. */
const maximumFolders = 2;

/** Returns the folders of the objects in a group, such as `apps/prod`, or their number if there are many. If there is only one folder, returns the files. */
function foldersOf({ items }: PreviewGroup): string {
  const uris = [...new Set(items.map(({ uri }) => uri).filter((uri) => uri !== ''))].map((uri) =>
    vscode.Uri.parse(uri, true),
  );
  const folders = [...new Set(uris.map(folderOf))];
  const names = folders.length > 1 ? folders : uris.map((uri) => vscode.workspace.asRelativePath(uri));
  if (names.length <= maximumFolders) return names.map((name) => (name === '' ? './' : name)).join(', ');
  const [folder = ''] = folders;
  return folders.length > 1 ? vscode.l10n.t('{0} folders', folders.length) : folder === '' ? './' : folder;
}

/** Returns the number of objects of each kind, such as ` (Deployment 3, Pod 2)`; `''` for a single kind. */
function kindCounts(group: PreviewGroup | undefined): string {
  const kinds = group?.kinds ?? [];
  return kinds.length < 2 ? '' : ` (${kinds.map(({ kind, count }) => `${kind} ${count}`).join(', ')})`;
}

/** Describes the number of matches: `3 matches`, `3 matches, only Pod`, or `0 here, 3 in apps/prod` if all matches are outside of the scope. `kinds` are the kinds to which the view is limited. */
export function countOf(preview: Preview, kinds: readonly string[] | undefined): string {
  const of = (kind: string) => preview.groups.find((group) => group.kind === kind)?.total ?? 0;
  const only = kinds === undefined ? '' : vscode.l10n.t(', only {0}', kinds.join(', '));
  if (preview.about === 'object') {
    // A kustomization does not select, but builds or changes objects.
    const { title = '', total = 0 } = preview.groups.find(({ kind }) => kind === 'matches') ?? {};
    const selects = total === 0 ? [] : [`${title.toLowerCase()} ${total}`];
    const isSelected = of('selectedBy') > 0 || selects.length === 0;
    const selected = isSelected ? [vscode.l10n.t('selected by {0}', of('selectedBy'))] : [];
    return `${[...selects, ...selected].join(', ')}${only}`;
  }
  const matches = of('matches');
  const where = preview.scope === undefined ? '' : vscode.l10n.t(' in {0}', preview.scope.name);
  const elsewhere = preview.groups.find((group) => group.kind === 'elsewhere');
  if (matches === 0 && elsewhere !== undefined) {
    return vscode.l10n.t('0 here{0}, {1} in {2}{3}', where, elsewhere.total, foldersOf(elsewhere), only);
  }
  const counts = kindCounts(preview.groups.find((group) => group.kind === 'matches'));
  const certain =
    matches === 1
      ? vscode.l10n.t('1 match')
      : matches === 0 && preview.isUnknown
        ? vscode.l10n.t('matches unknown')
        : vscode.l10n.t('{0} matches', matches);
  return `${certain}${where}${counts}${only}`;
}

function opening(location: RowLocation): vscode.Command {
  return { command: commands.openMatch, title: 'Open', arguments: [location] };
}

function siteItem({ about, selector, site, ...described }: Preview): vscode.TreeItem {
  const description = plain(described.description);
  const item = new vscode.TreeItem(site?.owner ?? selector);
  item.id = 'site';
  item.description =
    about === 'object' ? (site?.path ?? '') : selector === '' || site === undefined ? description : selector;
  item.iconPath = new vscode.ThemeIcon(about === 'selector' ? 'filter' : 'symbol-object');
  item.contextValue = about === 'selector' ? 'site' : 'object';
  item.tooltip = [site?.path, description, selector].filter((text) => text !== undefined && text !== '').join('\n');
  const spoken = site === undefined ? 'Selector' : vscode.l10n.t('Selector of {0}, {1}', site.owner, site.path);
  item.accessibilityInformation = { label: about === 'selector' ? `${spoken}: ${description}` : description };
  if (site !== undefined) item.command = opening(locationAt(site.uri, site.range));
  return item;
}

function noteItem({ text, icon }: NoteRow): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  if (icon !== undefined) item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function scopeItem({ other }: ScopeRow): vscode.TreeItem {
  const { name, path, matches, maybe, isUnknown } = other;
  const item = new vscode.TreeItem(`In ${name}`);
  item.description = [
    isUnknown ? vscode.l10n.t('matches unknown') : vscode.l10n.t('matches {0}', matches),
    ...(maybe > 0 ? [vscode.l10n.t('may match {0}', maybe)] : []),
  ].join(', ');
  item.iconPath = new vscode.ThemeIcon('layers');
  item.tooltip = vscode.l10n.t('Evaluate this file in the overlay {0}', name);
  item.command = { command: commands.choosePerspective, title: 'Choose', arguments: [{ path }] };
  item.accessibilityInformation = { label: `In ${name}: ${item.description}` };
  return item;
}

const groupIcons = {
  matches: 'check',
  maybe: 'question',
  otherValues: 'settings',
  others: 'tag',
  elsewhere: 'folder',
  mayMatchElsewhere: 'question',
  alternatives: 'files',
  nearMisses: 'circle-slash',
  selectedBy: 'arrow-left',
  sourceOf: 'arrow-right',
  targetOf: 'arrow-left',
  maySelect: 'question',
} as const;

function groupItem({ group, expanded }: GroupRow): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group.title, expanded ? Expanded : Collapsed);
  item.id = group.kind;
  const folders = ['elsewhere', 'mayMatchElsewhere'].includes(group.kind) ? foldersOf(group) : '';
  const where = folders === '' ? '' : vscode.l10n.t(' in {0}', folders);
  item.description = `${group.total}${where}${kindCounts(group)}`;
  item.iconPath = new vscode.ThemeIcon(groupIcons[group.kind]);
  item.accessibilityInformation = { label: `${group.title}, ${item.description}` };
  return item;
}

function objectItem({ group, item: object, columns }: ItemRow): vscode.TreeItem {
  const location = object.uri === '' ? undefined : locationAt(object.uri, object.range);
  const name = `${object.kind}/${object.name}${hasNamesake(group, object) ? ` (${object.group || 'core'})` : ''}`;
  const file = location === undefined ? vscode.l10n.t('in every cluster') : fileAndLine(location);
  const folder = location === undefined ? '' : folderOf(location.uri);
  const reason = object.reason && plain(object.reason);
  const item = new vscode.TreeItem(name);
  const beside = [
    ...(object.selector === undefined ? columns.map((key) => column(object, key)) : [object.selector]),
    ...(isTwice(group, object) ? [object.via ?? vscode.l10n.t('itself')] : []),
  ];
  const where = object.namespace === undefined ? file : `${file}, ${object.namespace}`;
  item.description = [...beside, where, reason ?? '', folder].filter((text) => text !== '').join('  ');
  const path = location === undefined ? '' : vscode.workspace.asRelativePath(location.uri);
  item.tooltip = tooltip(
    object,
    name,
    [where, path].filter((text) => text !== ''),
  );
  if (location !== undefined) item.command = opening(location);
  item.contextValue = 'object';
  const spoken = [name, group.title, ...beside, reason, where, folder].filter((text) => text);
  item.accessibilityInformation = { label: spoken.join(', ') };
  return item;
}

/** Whether a different object in the list has the same kind and name, but belongs to a different API group. */
function hasNamesake({ items }: PreviewGroup, { group, kind, name }: PreviewItem): boolean {
  return items.some((other) => other.group !== group && other.kind === kind && other.name === name);
}

/** Whether an object is listed twice, for example for its own labels and for the labels of its template. The rows then also show the path. */
function isTwice({ items }: PreviewGroup, { uri, kind, namespace, name, selector }: PreviewItem): boolean {
  if (selector !== undefined) return false;
  const isSame = (other: PreviewItem) =>
    other.uri === uri && other.kind === kind && other.namespace === namespace && other.name === name;
  return items.filter(isSame).length > 1;
}

/** Removes backticks from text for rows, which do not render Markdown. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Returns the value of a label as in `kubectl get -L`, but with its key, because rows have no header. */
function column({ labels }: PreviewItem, key: string): string {
  if (!Object.hasOwn(labels, key)) return `${key}=<none>`;
  return `${key}=${labels[key] ?? '?'}`;
}

/** Returns the tooltip as plain text, which VS Code shows unchanged; Markdown would have to be escaped. */
function tooltip(object: PreviewItem, name: string, where: readonly string[]): string {
  const via =
    object.via === undefined
      ? []
      : [`${object.selector === undefined ? vscode.l10n.t('Labels of') : 'At'} ${object.via}`];
  const reason = object.reason === undefined ? [] : ['', plain(object.reason)];
  const selector = object.selector ? ['', object.selector] : [];
  const labels = Object.entries(object.labels).map(([key, value]) => `${key}: ${value ?? vscode.l10n.t('(unknown)')}`);
  return [name, ...where, ...via, ...reason, ...selector, ...(labels.length > 0 ? ['', ...labels] : [])].join('\n');
}
