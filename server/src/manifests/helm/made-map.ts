/** Models the maps that a template builds from other maps with `dict`, `set`, `merge`, `pick` and `omit`. */

import { literalsOf, quotedText } from './actions.ts';
import type { Layer, MadeMap } from './value.ts';
import { type Data, inParentheses, isMap, isScalar, isTrue, known, open, type Value } from './value.ts';

type Others = Extract<Layer, { kind: 'others' }>;

/** Returns the first of two values that is not empty, like the template function `default`. */
export type Fallback = (value: Value, otherwise: Value) => Value;

/** Returns the layers of a map; a map that the template does not build consists of one layer, whose entries users can set. */
export function layersOf(value: Value): readonly Layer[] {
  if (value.made !== undefined) return value.made.layers;
  const { code, data, field } = value;
  return [{ kind: 'others', keys: undefined, without: new Set(), field, data, lines: yamlOf(code), code }];
}

export function fieldOfMade({ layers }: MadeMap, key: string, fallback: Fallback): Value {
  const values: Value[] = [];
  for (const layer of layers) {
    if (layer.kind === 'others') {
      if (mayHave(layer, key)) values.push(layer.field(key));
      continue;
    }
    const value = layer.entries.get(key);
    if (value === undefined) continue;
    values.push(value);
    if (value.filled || (value.certain && value.data !== undefined && isTrue(value.data))) break;
  }
  const last = values.pop();
  return last === undefined ? known(null) : values.reduceRight((otherwise, value) => fallback(value, otherwise), last);
}

function mayHave({ keys, without }: Others, key: string): boolean {
  return !without.has(key) && (keys === undefined || keys.has(key));
}

/** Whether a map has a key; undefined if this depends on values that users can set. */
export function hasKeyOf({ layers }: MadeMap, key: string): boolean | undefined {
  if (layers.some((layer) => layer.kind === 'entries' && layer.entries.has(key))) return true;
  return layers.some((layer) => layer.kind === 'others' && mayHave(layer, key)) ? undefined : false;
}

/** Returns the content of the map with the default values of the chart; undefined if it is unknown. */
export function dataOfMade({ layers }: MadeMap): Data | undefined {
  const merged = new Map<string, Data>();
  for (const layer of layers.toReversed()) {
    const entries = layer.kind === 'entries' ? dataOfEntries(layer.entries) : dataOfOthers(layer);
    if (entries === undefined) return undefined;
    for (const [key, data] of entries) if (isTrue(data) || !merged.has(key)) merged.set(key, data);
  }
  return Object.fromEntries(merged);
}

type Entries = readonly (readonly [string, Data])[];

function dataOfEntries(entries: ReadonlyMap<string, Value>): Entries | undefined {
  const all: [string, Data][] = [];
  for (const [key, { data }] of entries) {
    if (data === undefined) return undefined;
    all.push([key, data]);
  }
  return all;
}

function dataOfOthers(layer: Others): Entries | undefined {
  if (layer.data === null) return [];
  return isMap(layer.data) ? Object.entries(layer.data).filter(([key]) => mayHave(layer, key)) : undefined;
}

/** Returns the keys that exist regardless of the values that users set. */
export function certainKeys({ layers }: MadeMap): ReadonlySet<string> {
  return new Set(layers.flatMap((layer) => (layer.kind === 'entries' ? [...layer.entries.keys()] : [])));
}

/** Returns the layers whose entries may exist in addition to the certain keys. */
export function othersIn(made: MadeMap): readonly Others[] {
  const certain = certainKeys(made);
  return made.layers.filter((layer): layer is Others => {
    if (layer.kind === 'entries') return false;
    return layer.keys === undefined || [...layer.keys].some((key) => !certain.has(key) && mayHave(layer, key));
  });
}

export function without({ layers }: MadeMap, keys: readonly string[]): MadeMap {
  const gone = new Set(keys);
  return {
    layers: layers.map((layer): Layer => {
      if (layer.kind === 'others') {
        const others = { ...layer, without: new Set([...layer.without, ...gone]) };
        if (layer.keys !== undefined) return others;
        const code = `omit ${inParentheses(layer.code)} ${keys.map(quotedText).join(' ')}`;
        return { ...others, code, lines: yamlOf(code) };
      }
      return { kind: 'entries', entries: new Map([...layer.entries].filter(([key]) => !gone.has(key))) };
    }),
  };
}

export function picked({ layers }: MadeMap, keys: readonly string[]): MadeMap {
  return {
    layers: layers.map((layer): Layer => {
      if (layer.kind === 'entries') {
        return { kind: 'entries', entries: new Map([...layer.entries].filter(([key]) => keys.includes(key))) };
      }
      const left = new Set(keys.filter((key) => mayHave(layer, key)));
      const code = `pick ${inParentheses(layer.code)} ${[...left].map(quotedText).join(' ')}`;
      return { ...layer, keys: left, code, lines: layer.keys === undefined ? yamlOf(code) : layer.lines };
    }),
  };
}

/** Returns the map with one entry set; the new entry replaces an existing entry with the same key. */
export function withEntry(made: MadeMap, key: string, value: Value): MadeMap {
  const entries = new Map([[key, value]]);
  return { layers: [{ kind: 'entries', entries }, ...without(made, [key]).layers] };
}

/** Returns a layer with one entry, which exists only under a condition. */
export function conditionalEntry(condition: string, key: string, value: Value, left: Left): Layer {
  return {
    kind: 'others',
    keys: new Set([key]),
    without: new Set(),
    field: () => open(`${condition}, ${value.code}`),
    data: undefined,
    lines: `{{ ${asBlock(condition)} }}\n${line(key, value, left)}\n{{ end }}`,
    code: condition,
  };
}

function asBlock(condition: string): string {
  const isBlock = /^(?:if|with|range) /.test(condition) && !condition.includes(', ');
  return isBlock ? condition : `if ${quotedText(condition)}`;
}

/** Returns the layer for an unknown part of a map, which is identified by the code of the part. */
export function unknownPart(part: string): Layer {
  const from = open(part);
  const lines = `{{ ${partMark}${quotedText(part)} }}`;
  return { kind: 'others', keys: undefined, without: new Set(), field: from.field, data: undefined, lines, code: part };
}

/** The start of the code in an action that represents an unknown part of parsed lines. */
export const partMark = 'part of ';

function yamlOf(code: string): string {
  return `{{ toYaml ${inParentheses(code)} }}`;
}

/** Returns the text of a value for the template output, with actions for its unknown parts. */
export type Left = (value: Value) => string;

/** Returns the output of `toYaml` for a map that a template builds. */
export function yamlOfMade(made: MadeMap, fallback: Fallback, left: Left): string {
  const entries = [...certainKeys(made)].toSorted();
  return [
    ...entries.map((key) => line(key, fieldOfMade(made, key, fallback), left)),
    ...othersIn(made).map(({ lines }) => lines),
  ].join('\n');
}

function line(key: string, value: Value, left: Left): string {
  const shown = /^[A-Za-z_][\w./-]*$/.test(key) ? key : quotedText(key);
  const { data, certain } = value;
  const text = left(value);
  if (certain && isScalar(data)) return `${shown}: ${typeof data === 'string' ? quotedText(data) : String(data)}`;
  if (text.includes('\n') || value.made !== undefined || value.items !== undefined) {
    return `${shown}: {{ toYaml ${inParentheses(value.code)} }}`;
  }
  const isQuotable = !literalsOf(text).some((each) => /["\\]/.test(each));
  return `${shown}: ${isQuotable ? `"${text}"` : text}`;
}
