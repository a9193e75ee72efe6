/** Converts the changes since a git state to the rows of a tree view: scopes, groups of changes, single changes, and the objects of each change. */
import * as vscode from 'vscode';
import {
  type ChangedObject,
  type ChangedScope,
  type ChangeGroup,
  type ChangeItem,
  type ChangeLocation,
  type Changes,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { commands } from './commands.ts';

export interface ChangeRow {
  readonly parent: ChangeRow | undefined;
  readonly children: readonly ChangeRow[];
  readonly item: vscode.TreeItem;
}

/** Returns the top-level rows for the changes: a row for each scope if there are several scopes, otherwise the groups of the only scope. */
export function rowsOf({ scopes }: Changes): readonly ChangeRow[] {
  const [only] = scopes;
  if (only !== undefined && scopes.length === 1) return only.groups.map((group) => groupRow(group, only, undefined));
  return scopes.map((scope) => {
    const item = new vscode.TreeItem(withoutMarkup(scope.name), vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${scope.path} ${scope.name}`;
    item.iconPath = new vscode.ThemeIcon('layers');
    item.description = countsOf(scope.groups);
    item.accessibilityInformation = { label: `${scope.name}, ${item.description}` };
    return rowWith(undefined, item, (row) => scope.groups.map((group) => groupRow(group, scope, row)));
  });
}

/** Returns the number of changes of each kind in the given groups, for example `2 to recreate, 1 lost`. */
export function countsOf(groups: readonly ChangeGroup[]): string {
  return (['recreate', 'broken', 'lost', 'gained'] as const)
    .map((kind) => {
      const total = groups.reduce((sum, group) => sum + (group.kind === kind ? group.total : 0), 0);
      return total === 0 ? '' : `${total} ${words[kind].count}`;
    })
    .filter((text) => text !== '')
    .join(', ');
}

const words = {
  recreate: { title: vscode.l10n.t('Must be recreated'), count: vscode.l10n.t('to recreate'), icon: 'warning' },
  broken: { title: vscode.l10n.t('Breaks references'), count: vscode.l10n.t('broken'), icon: 'debug-disconnect' },
  lost: { title: vscode.l10n.t('Loses matches'), count: 'lost', icon: 'diff-removed' },
  gained: { title: vscode.l10n.t('Gains matches'), count: 'gained', icon: 'diff-added' },
} as const;

function rowWith(
  parent: ChangeRow | undefined,
  item: vscode.TreeItem,
  childrenOf: (row: ChangeRow) => readonly ChangeRow[] = () => [],
): ChangeRow {
  const children: ChangeRow[] = [];
  const row: ChangeRow = { parent, item, children };
  children.push(...childrenOf(row));
  return row;
}

function groupRow(group: ChangeGroup, { path, name }: ChangedScope, parent: ChangeRow | undefined): ChangeRow {
  const { title, icon } = words[group.kind];
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${path} ${name} ${group.kind}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = String(group.total);
  item.accessibilityInformation = { label: `${title}, ${group.total}` };
  return rowWith(parent, item, (row) => {
    const rows = group.items.map((each) => itemRow(each, group.kind, row));
    const left = group.total - group.items.length;
    return left > 0 ? [...rows, rowWith(row, new vscode.TreeItem(vscode.l10n.t('and {0} more', left)))] : rows;
  });
}

function itemRow(change: ChangeItem, kind: ChangeGroup['kind'], parent: ChangeRow): ChangeRow {
  const { object, target, place, message, consequence, recreatedBy } = change;
  const label = [object, ...(target === undefined ? [] : [target])].map(nameOf).join(' \u2192 ');
  const item = new vscode.TreeItem(withoutMarkup(label), vscode.TreeItemCollapsibleState.Collapsed);
  const shown = place ?? object.place ?? target?.place;
  item.description = withoutMarkup(descriptionOf(change, shown));
  item.tooltip = message;
  item.accessibilityInformation = { label: [words[kind].title, message, whereOf(shown)].join(', ') };
  if (kind === 'recreate' && recreatedBy !== undefined) item.iconPath = new vscode.ThemeIcon('info');
  if (shown !== undefined) item.command = opening(shown);
  return rowWith(parent, item, (row) => [
    ...(consequence === undefined
      ? []
      : [noteRow(`${recreatedBy ?? vscode.l10n.t('If recreated')}: ${consequence}`, row)]),
    ...[object, ...(target === undefined ? [] : [target])].map((each) => objectRow(each, row)),
  ]);
}

/** Returns the description of a change: the old and new value, as in `spec.selector: app=web \u2192 app=site`, or the path and position of a match. */
function descriptionOf({ path, from, to, target }: ChangeItem, location: ChangeLocation | undefined): string {
  if (target !== undefined) return [path, whereOf(location)].filter((text) => text !== '').join(', ');
  if (from === undefined) return path;
  return to === undefined ? vscode.l10n.t('{0}: was {1}', path, from) : `${path}: ${from} \u2192 ${to}`;
}

function objectRow(object: ChangedObject, parent: ChangeRow): ChangeRow {
  const item = new vscode.TreeItem(withoutMarkup(nameOf(object)));
  const beside = [object.namespace ?? '', object.state ?? '', whereOf(object.place)].filter((text) => text !== '');
  item.description = withoutMarkup(beside.join(', '));
  // A narrow view truncates the row.
  item.tooltip = [nameOf(object), ...beside].join(', ');
  item.iconPath = new vscode.ThemeIcon('symbol-object');
  item.accessibilityInformation = { label: [nameOf(object), ...beside].join(', ') };
  if (object.place !== undefined) item.command = opening(object.place);
  return rowWith(parent, item);
}

/** Returns a row that contains a sentence. The tooltip repeats it, because a narrow view truncates it. */
function noteRow(text: string, parent: ChangeRow): ChangeRow {
  const item = new vscode.TreeItem(withoutMarkup(text));
  item.tooltip = text;
  return rowWith(parent, item);
}

function nameOf({ kind, name }: ChangedObject): string {
  return `${kind}/${name}`;
}

function whereOf(location: ChangeLocation | undefined): string {
  if (location === undefined) return '';
  return `${vscode.workspace.asRelativePath(vscode.Uri.parse(location.uri, true))}:${location.range.start.line + 1}`;
}

function opening({ uri, range: { start, end } }: ChangeLocation): vscode.Command {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const place = { uri: vscode.Uri.parse(uri, true), range };
  return { command: commands.openMatch, title: 'Open', arguments: [place] };
}
