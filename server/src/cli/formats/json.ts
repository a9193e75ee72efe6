/** JSON for programs; its schema is docs/schemas/check.schema.json. */

import { rulePageUrl } from '../../rules/framework/rule-page-url.ts';
import type { World } from '../environment.ts';
import { tameJson } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Diagnostic, Report, ReportedSpan } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

export const json: CheckFormat = {
  name: 'json',
  description:
    'for programs, with a schema for each command: [check](schemas/check.schema.json), [match](schemas/match.schema.json), [explain](schemas/explain.schema.json), [objects](schemas/objects.schema.json), [diff](schemas/diff.schema.json), [graph](schemas/graph.schema.json), [reach](schemas/reach.schema.json), [rule](schemas/rule.schema.json).',
  write: writeJson,
};

function writeJson(world: World, { diagnostics, summary, statistics, known, stale }: Report): readonly string[] {
  const baseline = known === undefined ? undefined : { known, ...(stale !== undefined && { stale }) };
  return [
    tameJson({
      diagnostics: diagnostics.map((each) => diagnosticOf(world, each)),
      summary,
      ...(statistics !== undefined && { statistics }),
      ...(baseline !== undefined && { baseline }),
    }),
  ];
}

function diagnosticOf(world: World, diagnostic: Diagnostic) {
  const { rule, severity, message, file, range, related, fixes, source, object, fingerprint } = diagnostic;
  return {
    rule,
    severity,
    message,
    file,
    range,
    related: related.map(placeOf),
    fixable: fixes.length > 0,
    ...(source !== undefined && { source }),
    ...(object !== undefined && { object }),
    fingerprint,
    fixes: fixes.map(({ title, safe, changes }) => ({
      title,
      safe,
      edits: changes.map((each) => ({ file: displayPath(world, each.uri), range: each.range, text: each.text })),
    })),
    url: rulePageUrl(rule),
  };
}

function placeOf({ message, file, range }: ReportedSpan) {
  return { message, file, range };
}
