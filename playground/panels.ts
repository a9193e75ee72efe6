/** The lists of the page: the findings of all files, and the matches of a selector or the selectors of an object. */

import type { Preview, PreviewGroup, PreviewItem } from '../server/src/protocol.ts';
import type { Finding } from './diagnostics.ts';
import { button, make, withCode } from './elements.ts';
import { type Place, pathOf } from './model.ts';

const severities = ['error', 'warning', 'information', 'hint'] as const;

export function severityOf({ diagnostic }: Finding): (typeof severities)[number] {
  return severities[(diagnostic.severity ?? 1) - 1] ?? 'error';
}

/** Returns the list of findings, with a button for each fix. */
export function findingList(findings: readonly Finding[], reveal: (place: Place) => void): readonly HTMLElement[] {
  if (findings.length === 0) return [make('p', { class: 'quiet' }, 'No problems.')];
  return [make('ul', {}, ...findings.map((finding) => findingRow(finding, reveal)))];
}

function findingRow(finding: Finding, reveal: (place: Place) => void): HTMLElement {
  const { uri, diagnostic, fixes } = finding;
  const { range, message, code, codeDescription } = diagnostic;
  const link = make('a', { href: codeDescription?.href ?? '', rel: 'noreferrer', target: '_blank' }, String(code));
  const where = `${pathOf(uri)}:${range.start.line + 1}`;
  const buttons = (preferred: boolean) =>
    fixes
      .filter(({ isPreferred }) => isPreferred === preferred)
      .map(({ title, apply }) => button(title, apply, { class: 'fix' }));
  const others = buttons(false);
  const more = others.length === 0 ? [] : [make('details', {}, make('summary', {}, 'More fixes'), ...others)];
  const open = button('', () => reveal({ uri, range }), { class: 'row' });
  open.append(
    ...withCode(typeof message === 'string' ? message : message.value),
    ' ',
    make('span', { class: 'quiet' }, where),
  );
  return make('li', { class: severityOf(finding) }, open, link, ...buttons(true), ...more);
}

/** Returns the groups of matches; the title of a preview says what it is about. */
export function matchList(preview: Preview | null, reveal: (place: Place) => void): readonly HTMLElement[] {
  if (preview === null)
    return [
      make('p', { class: 'quiet' }, 'Place the cursor in a selector, a label or an object, or type a selector above.'),
    ];
  const { about, selector, description, site, groups, scope, others = [], problems } = preview;
  const of = site === undefined ? '' : ` of ${site.owner}`;
  const title = about === 'selector' ? `Selector${of}` : `Selectors that match ${site?.owner ?? 'the object'}`;
  const nothing = groups.length === 0 && problems.length === 0 ? ['Matches nothing here.'] : [];
  const elsewhere = others.map(
    ({ name, matches, maybe }) => `In ${name}: ${matches}${maybe > 0 ? ` (and ${maybe} unknown)` : ''}.`,
  );
  return [
    make('h2', {}, title, ...(scope === undefined ? [] : [` in ${scope.name}`])),
    ...(selector === '' ? [] : [make('p', {}, make('code', {}, selector))]),
    ...[description, ...problems, ...nothing, ...elsewhere]
      .filter((text) => text !== '')
      .map((text) => make('p', { class: 'quiet' }, ...withCode(text))),
    ...groups.flatMap((group) => groupElements(group, reveal)),
  ];
}

function groupElements({ title, total, items }: PreviewGroup, reveal: (place: Place) => void): readonly HTMLElement[] {
  const rows = items.map((item) => itemRow(item, reveal));
  return [make('h3', {}, `${title} (${total})`), make('ul', {}, ...rows)];
}

function itemRow(item: PreviewItem, reveal: (place: Place) => void): HTMLElement {
  const { kind, namespace, name, via, reason, uri, range, selector } = item;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  const through = via === undefined ? '' : ` (${via})`;
  const text = `${kind}/${name}${where}${through}`;
  const row = uri === '' ? make('span', {}, text) : button(text, () => reveal({ uri, range }), { class: 'row' });
  const added = [selector, reason].filter((each) => each !== undefined && each !== '');
  return make('li', {}, row, ...added.map((each) => make('span', { class: 'quiet' }, ...withCode(each ?? ''))));
}
