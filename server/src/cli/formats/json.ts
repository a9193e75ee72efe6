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
    'JSON for programs. Each command has a schema: [check](schemas/check.schema.json), [match](schemas/match.schema.json), [explain](schemas/explain.schema.json), [who-selects](schemas/who-selects.schema.json), [uses](schemas/uses.schema.json), [objects](schemas/objects.schema.json), [review](schemas/review.schema.json), [diff](schemas/diff.schema.json), [impact](schemas/impact.schema.json), [rename-plan](schemas/rename-plan.schema.json), [graph](schemas/graph.schema.json), [reach](schemas/reach.schema.json), [rule](schemas/rule.schema.json).',
  write: (world, report) => [tameJson(reportJson(world, report))],
};

/** Returns a report as the value that is written as JSON. */
export function reportJson(world: World, { diagnostics, summary, statistics, known, stale }: Report): object {
  const baseline = known === undefined ? undefined : { known, ...(stale !== undefined && { stale }) };
  return {
    diagnostics: diagnostics.slice(0, world.mostItems).map((each) => diagnosticJson(world, each)),
    summary,
    ...(statistics !== undefined && { statistics }),
    ...(baseline !== undefined && { baseline }),
  };
}

/** Returns a finding as the value that is written as JSON. */
export function diagnosticJson(world: World, diagnostic: Diagnostic): object {
  const { rule, severity, message, file, range, related, fixes, source, object, fingerprint } = diagnostic;
  return {
    rule,
    severity,
    message,
    file,
    range,
    related: related.map(locationOf),
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

function locationOf({ message, file, range }: ReportedSpan) {
  return { message, file, range };
}
