/**
 * SARIF 2.1.0 for code scanning, with the documentation of each rule and its fixes. Paths are relative to the
 * repository.
 */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { loadedRules } from '../../rules/framework/loaded-rules.ts';
import type { Rule, Severity } from '../../rules/framework/rule.ts';
import { rulePageUrl } from '../../rules/framework/rule-page-url.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { plain, tameJson } from '../output/terminal-escape.ts';
import type { Diagnostic, Range, Report, ReportedFix, ReportedSpan } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

const homepage = 'https://github.com/selector-lens/selector-lens';

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

export const sarif: CheckFormat = {
  name: 'sarif',
  description:
    'SARIF 2.1.0 for code scanning, with the documentation of each rule and the fixes. Paths are relative to the root of the git repository, which is given in `originalUriBaseIds`. `partialFingerprints` stay the same when a finding moves within its file, because they are computed from the rule, the object and the text of the line.',
  write: writeSarif,
};

function writeSarif(world: World, { diagnostics, summary }: Report, repository: string): readonly string[] {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Selector Lens',
            version: world.version,
            informationUri: homepage,
            rules: loadedRules().map(ruleOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { uri: `${repository}/` } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: summary.skipped.map(({ file, reason }) => ({
              level: 'note',
              message: { text: unlinked(`${file} was skipped: ${reason}.`) },
            })),
          },
        ],
        results: diagnostics.map((each) => resultOf(repository, each)),
      },
    ],
  };
  return [tameJson(log)];
}

function ruleOf(rule: Rule) {
  const { id, summary, why, severity } = rule;
  return {
    id,
    shortDescription: { text: plain(summary) },
    fullDescription: { text: plain(why) },
    help: { text: plain(why), markdown: why },
    helpUri: rulePageUrl(id),
    defaultConfiguration: severity === 'off' ? { enabled: false } : { level: levels[severity] },
    properties: { tags: ['kubernetes'] },
  };
}

const ruleNumbers: () => ReadonlyMap<string, number> = once(
  () => new Map(loadedRules().map(({ id }, number) => [id, number])),
);

function resultOf(repository: string, diagnostic: Diagnostic) {
  const { rule, severity, message, related, fixes, fingerprint } = diagnostic;
  return {
    ruleId: rule,
    ruleIndex: ruleNumbers().get(rule) ?? -1,
    level: levels[severity],
    message: { text: unlinked(message) },
    locations: [{ physicalLocation: { ...physical(repository, diagnostic), ...snippetIn(repository, diagnostic) } }],
    ...(related.length > 0 && {
      relatedLocations: related.map((each, number) => ({
        id: number + 1,
        physicalLocation: physical(repository, each),
        message: { text: unlinked(each.message) },
      })),
    }),
    partialFingerprints: { 'selectorLens/v1': fingerprint },
    ...(fixes.length > 0 && { fixes: fixes.map((fix) => fixOf(repository, fix)) }),
  };
}

function physical(repository: string, { uri, range }: ReportedSpan) {
  return { artifactLocation: artifact(repository, uri), region: regionOf(range) };
}

function snippetIn(repository: string, location: ReportedSpan) {
  const { range, line, lineFrom } = location;
  const [start, end] = [range.start.column - 1 - lineFrom, range.end.column - 1 - lineFrom];
  // Only a part of a long line is available, but a snippet must contain the whole text of its region.
  if (range.start.line !== range.end.line || end > line.length) return physical(repository, location);
  const text = line.slice(start, end);
  return { ...physical(repository, location), region: { ...regionOf(range), snippet: { text } } };
}

function regionOf({ start, end }: Range) {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** Returns the location of a file as a URI relative to the repository; a file outside of the repository has an absolute URI. */
function artifact(repository: string, uri: string) {
  const path = relativePath(repository, uri);
  if (path.startsWith('../') || path.startsWith('/')) return { uri };
  return { uri: path.split('/').map(percentEncode).join('/'), uriBaseId: '%SRCROOT%' };
}

function fixOf(repository: string, { title, changes }: ReportedFix) {
  const byFile = new Map<string, ReportedFix['changes'][number][]>();
  for (const change of changes) getOrAdd(byFile, change.uri, () => []).push(change);
  return {
    description: { text: unlinked(title) },
    artifactChanges: [...byFile].map(([uri, theirs]) => ({
      artifactLocation: artifact(repository, uri),
      replacements: theirs.map(({ range, text }) => ({
        deletedRegion: regionOf(range),
        insertedContent: { text },
      })),
    })),
  };
}

/** In a SARIF message, `[text](target)` is a link, so a zero-width character is inserted between its two parts. */
function unlinked(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
