/** What hangs on the dot of a template? What its chart knows, and what only Helm will. */

import { quotedText } from './actions.ts';
import type { DefineNode } from './syntax.ts';
import { known, open, type Value } from './value.ts';

/** What a chart knows. */
export interface ChartFacts {
  /** Undefined for a helper that is not in these files. */
  definition(name: string): Pick<DefineNode, 'body'> | undefined;
  /** The values that somebody may choose, with those of the chart where nobody does. */
  readonly values: Value;
  /** `.Chart`. */
  readonly chart: Value;
}

/** The dot of a template; what is set on it later is put among the entries. */
export function rootOf(
  { values, chart }: ChartFacts,
  file: string,
): { readonly root: Value; readonly entries: Map<string, Value> } {
  const release = open('.Release');
  const entries = new Map<string, Value>([
    ['Values', values],
    ['Chart', chart],
    [
      'Release',
      {
        ...release,
        field: (name) => (name === 'Service' ? known('Helm') : { ...release.field(name), filled: true }),
      },
    ],
    // The same words are another name in every file.
    ['Template', open(`.Template(${quotedText(file)})`)],
    ['Capabilities', open('.Capabilities')],
    ['Files', open('.Files')],
    ['Subcharts', open('.Subcharts')],
  ]);
  const dot = open('.');
  const made = { layers: [{ kind: 'entries' as const, entries }] };
  return { root: { ...dot, type: 'map', made, field: (name) => entries.get(name) ?? dot.field(name) }, entries };
}
