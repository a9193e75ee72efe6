/** JSON for programs; its schema is docs/schemas/check.schema.json. */

import type { World } from '../environment.ts';
import { tameJson } from '../output/terminal-escape.ts';
import type { Diagnostic, Report, ReportedSpan } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

export const json: CheckFormat = {
  name: 'json',
  description:
    'for programs, with a schema for each command: [check](schemas/check.schema.json), [match](schemas/match.schema.json), [explain](schemas/explain.schema.json), [objects](schemas/objects.schema.json), [diff](schemas/diff.schema.json), [graph](schemas/graph.schema.json), [reach](schemas/reach.schema.json).',
  write: writeJson,
};

function writeJson(_world: World, { diagnostics, summary }: Report): readonly string[] {
  return [tameJson({ diagnostics: diagnostics.map(diagnosticOf), summary })];
}

function diagnosticOf({ rule, severity, message, file, range, related, fixes, source }: Diagnostic) {
  const shown = { rule, severity, message, file, range, related: related.map(placeOf), fixable: fixes.length > 0 };
  return source === undefined ? shown : { ...shown, source };
}

function placeOf({ message, file, range }: ReportedSpan) {
  return { message, file, range };
}
