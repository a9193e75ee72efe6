/** Lines that show an object: its name as a link to its labels, and its location. */

import { shownText } from '../../manifests/shown-name.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { isExternalFile } from '../../workspace/configs.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import { sourceName } from './applied-name.ts';
import { byCertainty } from './certainty.ts';
import { originParts } from './origins.ts';
import { type Block, type Line, type Part, paragraph, sentence } from './rich-text.ts';

/** The maximum number of lines in a list; a longer list is truncated and ends with the number of omitted lines. */
export const maximumShown = 10;

/** Returns a line such as `Deployment/web in shop — base/web.yaml:11: reasons`; the name links to `span`. */
export function objectLine(
  view: FileView,
  where: ObjectInFile,
  span: Span,
  reasons: readonly string[] = [],
  withNamespace = true,
): Line {
  return [
    ...(withNamespace ? objectLink(view, where, span) : nameLink(view, where, span)),
    ...locationParts(view, where, span),
    ...(reasons.length === 0 ? [] : [': ', ...reasons.flatMap(separated)]),
  ];
}

/** Returns the name of an object as a link, and its namespace: `Deployment/web in shop`. */
export function objectLink(view: FileView, where: ObjectInFile, span: Span): Line {
  const namespace = namespaceShown(view, where);
  const inNamespace: Line = namespace === undefined ? [] : [' in ', { kind: 'code', text: namespace }];
  return [...nameLink(view, where, span), ...inNamespace];
}

function namespaceShown({ workspace, catalogue }: FileView, where: Match['where']): string | undefined {
  const namespace = effectiveNamespace(workspace, catalogue, where)?.text;
  return namespace && shownText(namespace);
}

function nameLink(view: FileView, where: ObjectInFile, span: Span): Line {
  const name = sourceName(view, where);
  if (where.file.uri === everyCluster) return [{ kind: 'code', text: name }];
  const position = offsetToPosition(where.file.lines, span.start);
  return [{ kind: 'link', text: name, target: `${where.file.uri}#L${position.line + 1},${position.character + 1}` }];
}

/** Returns the location of a span as text: ` — base/web.yaml:11`; states if the object is external. */
export function locationParts(view: FileView, { file }: Pick<ObjectInFile, 'file'>, span: Span): Line {
  if (file.uri === everyCluster) return [localize` \u2014 in every cluster`];
  const path = relativePath(folderOf(view.file.uri), file.uri);
  const external = isExternalFile(view.workspace.configs(), file.uri) ? localize`, external` : '';
  return [` — ${path}:${offsetToPosition(file.lines, span.start).line + 1}${external}`];
}

function separated(reason: string, index: number): readonly Part[] {
  return index === 0 ? sentence(reason) : ['; ', ...sentence(reason)];
}

/** Returns the line of a match, with the other files that set the required keys. */
export function matchLine(view: FileView, match: Match, asked: ReadonlySet<string>, withNamespace = true): Line {
  const entries = match.labeledObject.site?.entries ?? [];
  const origins = originParts(
    view,
    entries.filter(({ key }) => asked.has(key.text)),
    match.file,
  );
  const line = objectLine(view, match, matchSpan(match), match.reasons, withNamespace);
  return origins.length === 0 ? line : [...line, ' (', ...origins, ')'];
}

/** Returns the span that represents a match: its labels, or its kind if it has no labels. */
function matchSpan({ labeledObject, object }: Match): Span {
  return labeledObject.site?.keySpan ?? object.kindSpan;
}

/** Returns the last line of a truncated list, which opens the preview if the editor supports it. */
export function moreLine(view: FileView, count: number, offset: number): Line {
  const text = localize`and ${count} more`;
  const argument = { uri: view.file.uri, position: offsetToPosition(view.file.lines, offset) };
  return [{ kind: 'command', command: 'preview', text, title: localize`${text}: show all`, argument }];
}

/** Returns a title with a count, and a list of lines, which is truncated if there are too many. */
export function group(view: FileView, title: string, lines: readonly Line[], offset: number, total = lines.length) {
  if (total === 0) return [];
  const shown = lines.slice(0, maximumShown);
  const left = total - shown.length;
  const head = paragraph({ kind: 'strong', text: title }, ` (${total})`);
  const list: Block = { kind: 'list', lines: left > 0 ? [...shown, moreLine(view, left, offset)] : shown };
  return [head, list];
}

/** Returns where objects are that are not applied together with the open file: "in every cluster", "in another folder", "in other folders" or, if one is in the folder of the file, "elsewhere". */
export function elsewhere(view: FileView, objects: readonly Pick<ObjectInFile, 'file'>[]): string {
  if (objects.length > 0 && objects.every(({ file }) => file.uri === everyCluster)) return localize`in every cluster`;
  const own = folderOf(view.file.uri);
  const folders = new Set(objects.map(({ file }) => folderOf(file.uri)));
  if (folders.size === 0 || folders.has(own)) return localize`elsewhere`;
  return folders.size === 1 ? localize`in another folder` : localize`in other folders`;
}

/** Returns the matches that are not applied together with the open file, those that are certain and those that are possible, each with a title that states where they are. */
export function groupsElsewhere(
  view: FileView,
  titles: { readonly certain: string; readonly possible: string },
  matches: readonly Match[],
  asked: ReadonlySet<string>,
  offset: number,
): readonly Block[] {
  const { certain, possible } = byCertainty(matches);
  return [
    ...matchGroup(view, `${titles.certain} ${elsewhere(view, certain)}`, certain, asked, offset),
    ...matchGroup(view, `${titles.possible} ${elsewhere(view, possible)}`, possible, asked, offset),
  ];
}

/** Returns the groups of what an object selects in other GitOps objects of its cluster; `suffix` names the overlay. */
export function selectedInCluster(
  view: FileView,
  { matches, maybe }: Readonly<Record<'matches' | 'maybe', readonly Match[]>>,
  suffix: string,
  asked: ReadonlySet<string>,
  offset: number,
): readonly Block[] {
  const certain = localize`Selects in other GitOps objects of the cluster${suffix}`;
  const possible = localize`May select in other GitOps objects of the cluster${suffix}`;
  return [...matchGroup(view, certain, matches, asked, offset), ...matchGroup(view, possible, maybe, asked, offset)];
}

/** Returns the lines of a selector's matches, grouped by namespace if there are several. */
export function matchGroup(
  view: FileView,
  title: string,
  matches: readonly Match[],
  asked: ReadonlySet<string>,
  offset: number,
): readonly Block[] {
  const namespaces = new Map<string | undefined, Match[]>();
  for (const match of matches) {
    const namespace = namespaceShown(view, match.where);
    const inside = namespaces.get(namespace);
    if (inside === undefined) namespaces.set(namespace, [match]);
    else inside.push(match);
  }
  if (namespaces.size <= 1)
    return group(
      view,
      title,
      matches.slice(0, maximumShown).map((match) => matchLine(view, match, asked)),
      offset,
      matches.length,
    );
  const blocks: Block[] = [paragraph({ kind: 'strong', text: title }, ` (${matches.length})`)];
  let room = maximumShown;
  for (const [namespace, inside] of namespaces) {
    if (room === 0) break;
    const shown = inside.slice(0, room);
    room -= shown.length;
    const where: Line =
      namespace === undefined ? [localize`without a namespace`] : ['in ', { kind: 'code', text: namespace }];
    blocks.push(paragraph(...where, ` (${inside.length})`));
    blocks.push({ kind: 'list', lines: shown.map((match) => matchLine(view, match, asked, false)) });
  }
  const left = matches.length - (maximumShown - room);
  if (left > 0) blocks.push(paragraph(...moreLine(view, left, offset)));
  return blocks;
}
