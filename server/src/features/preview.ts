/** What does a selector match, as a list that a view can show? */

import { describe, format, parseSelector, type Selector } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { type Spot, spotAt } from '../manifests/spot.ts';
import type { Preview, PreviewGroup, PreviewItem, PreviewSite, ProtocolRange } from '../protocol.ts';
import { type LineTable, offsetToPlace } from '../text/lines.ts';
import type { Span } from '../text/span.ts';
import { effectiveSelector } from '../workspace/effective-selector.ts';
import { everyCluster } from '../workspace/scopes.ts';
import { type Match, type Selection, selectionOf, selectionOfText } from '../workspace/selection.ts';
import { objectName } from './names.ts';
import type { FileView, View } from './view.ts';

/** A view shows so many of a group, and how many there are in all. */
const maximumItems = 200;

/** The preview of the selector at an offset; undefined where there is none. */
export function preview(view: FileView, offset: number): Preview | undefined {
  const spot = spotAt(view.file.manifest, offset);
  if (spot?.kind !== 'selector') return undefined;
  const place = siteOf(view, spot);
  const problems = problemsOf(spot.site);
  const selector = effectiveSelector(spot.site);
  if (selector === undefined) {
    return {
      selector: '',
      description: 'This selector cannot be read.',
      site: place,
      groups: [],
      problems,
      complete: view.complete,
    };
  }
  const selection = selectionOf(view.workspace, view.catalogue, { file: view.file, object: spot.object }, spot.site);
  return { ...previewOf(selector, selection, view.complete), site: place };
}

/** The preview of a selector given as text: every object by its own labels, and what makes such pods. */
export function previewText(view: View, text: string): Preview {
  const parsed = parseSelector(text);
  if (parsed.ok) return previewOf(parsed.value, selectionOfText(view.workspace, parsed.value), view.complete);
  const problems = parsed.problems.map((problem) => problem.message);
  return { selector: text, description: 'This selector is invalid.', groups: [], problems, complete: view.complete };
}

function previewOf(selector: Selector, selection: Selection, complete: boolean): Preview {
  const groups = [
    groupOf('matches', 'Matches', selection.matches),
    groupOf('maybe', 'May match', selection.maybe),
    groupOf('elsewhere', 'Elsewhere in the workspace', selection.elsewhere),
    groupOf('nearMisses', 'Near misses', selection.nearMisses),
  ];
  return {
    selector: format(selector, 'kubectl'),
    description: describe(selector),
    groups: groups.filter((group) => group.total > 0),
    problems: [],
    complete,
  };
}

function problemsOf(site: SelectorSite): readonly string[] {
  return site.selector?.ok === false ? site.selector.problems.map((problem) => problem.message) : [];
}

function siteOf(view: FileView, spot: Spot & { readonly kind: 'selector' }): PreviewSite {
  const range = rangeOf(view.file.lines, spot.site.keySpan);
  return { uri: view.file.uri, range, owner: objectName(spot.object), path: spot.site.path };
}

function groupOf(kind: PreviewGroup['kind'], title: string, matches: readonly Match[]): PreviewGroup {
  return { kind, title, items: matches.slice(0, maximumItems).map(itemOf), total: matches.length };
}

function itemOf(match: Match): PreviewItem {
  const { file, object, carrier } = match;
  const namespace = object.namespace?.text;
  const labels = Object.entries(carrier.labels).map(([key, value]) => [key, typeof value === 'string' ? value : null]);
  return {
    group: object.group,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...(carrier.via !== undefined && { via: carrier.via }),
    uri: file.uri === everyCluster ? '' : file.uri,
    range: rangeOf(file.lines, carrier.site?.keySpan ?? object.name?.span ?? object.kindSpan),
    labels: Object.fromEntries(labels),
    ...(match.reasons.length > 0 && { reason: match.reasons.join('; ') }),
  };
}

function rangeOf(lines: LineTable, span: Span): ProtocolRange {
  return { start: offsetToPlace(lines, span.start), end: offsetToPlace(lines, span.end) };
}
