/**
 * Builds the root context (the dot) of a template: the values and metadata of its chart, and the objects that only Helm
 * knows.
 */

import { quotedText } from './actions.ts';
import type { DefineNode } from './syntax.ts';
import { type Data, known, open, type Value } from './value.ts';

/** The facts that a chart provides. */
export interface ChartFacts {
  /** Undefined for a helper that is in none of these files. */
  definition(name: string): Pick<DefineNode, 'body'> | undefined;
  /** Further functions on known data; absent for those of Helm only. */
  readonly applied?: (name: string, parameters: readonly Data[]) => Data | undefined;
  /** The values that users can set, with the defaults of the chart. */
  readonly values: Value;
  /** `.Chart`. */
  readonly chart: Value;
}

/** Returns the dot of a template. Entries that are set on it later are added to `entries`. */
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
        field: (name) => {
          if (name === 'Service') return known('Helm');
          // `IsInstall` or `IsUpgrade` is false.
          return name.startsWith('Is') ? release.field(name) : { ...release.field(name), filled: true };
        },
      },
    ],
    // An equal expression has a different value in every file.
    ['Template', open(`.Template(${quotedText(file)})`)],
    ['Capabilities', open('.Capabilities')],
    ['Files', open('.Files')],
    ['Subcharts', open('.Subcharts')],
  ]);
  const dot = open('.');
  const made = { layers: [{ kind: 'entries' as const, entries }] };
  return { root: { ...dot, type: 'map', made, field: (name) => entries.get(name) ?? dot.field(name) }, entries };
}
