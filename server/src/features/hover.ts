/** What does the label or selector under the cursor mean, and who answers to it? */

import type { Meaning } from '../engine/catalogue/types.ts';
import { describe, format, type Selector } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { type Spot, spotAt, spotSpan } from '../manifests/spot.ts';
import { offsetToPlace } from '../text/lines.ts';
import type { Span } from '../text/span.ts';
import { effectiveSelector, meaningOf } from '../workspace/effective-selector.ts';
import { everyCluster } from '../workspace/scopes.ts';
import { type Match, type Selection, selectionOf } from '../workspace/selection.ts';
import { folderOf, relativePath } from '../workspace/uri.ts';
import { code, codeBlock, escapeMarkdown, link, sentenceMarkdown } from './markdown.ts';
import { objectName, pluralKind } from './names.ts';
import type { FileView } from './view.ts';

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

/** A list longer than this is cut, with a count of what was left out. */
const maximumShown = 10;

export function hover(view: FileView, offset: number): Hover | undefined {
  const spot = spotAt(view.file.manifest, offset);
  if (spot === undefined) return undefined;
  const markdown = spot.kind === 'selector' ? aboutSelector(view, spot) : aboutLabel(view, spot);
  return markdown === undefined ? undefined : { span: spotSpan(spot), markdown };
}

function aboutLabel(view: FileView, spot: Spot & { readonly kind: 'label' }): string | undefined {
  const fact = view.catalogue.key(spot.entry.key.text);
  if (fact === undefined) return undefined;
  const example = fact.example === undefined ? '' : ` For example ${code(fact.example)}.`;
  return `${code(fact.key)} (${escapeMarkdown(fact.status)}): ${escapeMarkdown(fact.description)}.${example}`;
}

function aboutSelector(view: FileView, spot: Spot & { readonly kind: 'selector' }): string | undefined {
  const { site, object } = spot;
  if (site.selector === undefined) return undefined;
  if (site.state === 'present' && !site.selector.ok) {
    const problems = site.selector.problems.map((problem) => `- ${sentenceMarkdown(problem.message)}`);
    return ['This selector is invalid, so it selects nothing:', ...problems].join('\n');
  }
  const selector = effectiveSelector(site);
  if (selector === undefined) return undefined;
  const head = [sentence(site, selector), kubectl(view, site, selector)].filter((part) => part !== '');
  if (!view.complete) return [...head, '*The workspace is still being indexed.*'].join('\n\n');
  const selection = selectionOf(view.workspace, view.catalogue, { file: view.file, object }, site);
  return [...head, ...groups(view, site, selection)].join('\n\n');
}

function sentence(site: SelectorSite, selector: Selector): string {
  const what = site.fact.targets.map(pluralKind).join(' or ') || 'objects';
  if (site.state === 'present') return `**Selects** ${sentenceMarkdown(describe(selector, what))}`;
  const written = site.state === 'null' ? 'A null' : 'An empty';
  return `${written} ${code(fieldName(site))} ${meaningText(meaningOf(site), what)}`;
}

function fieldName(site: SelectorSite): string {
  return site.path.slice(site.path.lastIndexOf('.') + 1);
}

function meaningText(meaning: Meaning, what: string): string {
  switch (meaning) {
    case 'nothing':
      return `selects no ${what} here.`;
    case 'all':
      return `selects all ${what} that it can see.`;
    case 'notFiltered':
      return 'does not filter at all here.';
    case 'ownNamespace':
      return "means the object's own namespace here.";
    case 'invalid':
      return 'is refused by the API server here.';
    case 'sameAsAbsent':
    case 'unknown':
      return `may select any ${what}: what it means here is not known.`;
  }
}

function kubectl(view: FileView, site: SelectorSite, selector: Selector): string {
  const target = site.fact.targets[0];
  if (selector.kind !== 'all' || target === undefined) return '';
  const resource = view.catalogue.kind(target.group, '', target.kind)?.plural ?? target.kind.toLowerCase();
  return codeBlock(`kubectl get ${resource} -l ${format(selector, 'kubectl')}`, 'sh');
}

function groups(view: FileView, site: SelectorSite, selection: Selection): readonly string[] {
  const found = selection.matches.length + selection.maybe.length + selection.elsewhere.length;
  const isMeant = site.state !== 'present' && ['nothing', 'invalid'].includes(meaningOf(site));
  const none = found === 0 && !isMeant ? ['**Matches nothing** in this workspace.'] : [];
  return [
    ...group(view, 'Matches', selection.matches),
    ...group(view, 'May match', selection.maybe),
    ...group(view, 'Elsewhere in the workspace', selection.elsewhere),
    ...none,
    ...group(view, selection.nearMisses.length === 1 ? 'Near miss' : 'Near misses', selection.nearMisses),
  ];
}

function group(view: FileView, title: string, matches: readonly Match[]): readonly string[] {
  if (matches.length === 0) return [];
  const lines = matches.slice(0, maximumShown).map((match) => `- ${line(view, match)}`);
  if (matches.length > maximumShown) lines.push(`- and ${matches.length - maximumShown} more`);
  return [`**${title}** (${matches.length})\n${lines.join('\n')}`];
}

function line(view: FileView, match: Match): string {
  const place = offsetToPlace(match.file.lines, (match.carrier.site?.keySpan ?? match.object.kindSpan).start);
  const target = `${match.file.uri}#L${place.line + 1},${place.character + 1}`;
  const path = relativePath(folderOf(view.file.uri), match.file.uri);
  const namespace = match.object.namespace === undefined ? '' : ` in ${code(match.object.namespace.text)}`;
  const reasons = match.reasons.length === 0 ? '' : `: ${match.reasons.map(sentenceMarkdown).join('; ')}`;
  if (match.file.uri === everyCluster)
    return `${code(objectName(match.object))}${namespace} — in every cluster${reasons}`;
  return `${link(objectName(match.object), target)}${namespace} — ${escapeMarkdown(`${path}:${place.line + 1}`)}${reasons}`;
}
