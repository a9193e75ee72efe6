/** Builds the root context (the dot) of a template: the values and metadata of its chart, and the built-in objects whose content only Helm knows. */

import { quotedText } from './actions.ts';
import type { DefineNode } from './syntax.ts';
import { type Data, known, open, type Value } from './value.ts';

export interface ChartFacts {
  /** Returns the definition of a helper; undefined if the helper is not in any of the files. */
  definition(name: string): Pick<DefineNode, 'body'> | undefined;
  /** Additional functions on known data, besides the functions of Helm. */
  readonly applied?: (name: string, parameters: readonly Data[]) => Data | undefined;
  /** The values that users can set, with the default values of the chart. */
  readonly values: Value;
  readonly chart: Value;
}

/** Returns the root context (the dot) of a template. Entries that templates set on it later are added to `entries`. */
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
          // `IsInstall` and `IsUpgrade` are excluded, because one of them is false.
          return name.startsWith('Is') ? release.field(name) : { ...release.field(name), filled: true };
        },
      },
    ],
    // The code contains the file name, because the same expression has a different value in each file.
    ['Template', open(`.Template(${quotedText(file)})`)],
    ['Capabilities', open('.Capabilities')],
    ['Files', open('.Files')],
    ['Subcharts', open('.Subcharts')],
  ]);
  const dot = open('.');
  const made = { layers: [{ kind: 'entries' as const, entries }] };
  return { root: { ...dot, type: 'map', made, field: (name) => entries.get(name) ?? dot.field(name) }, entries };
}
