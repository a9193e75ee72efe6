/** Evaluates template functions on maps and lists whose entries are not all known. */

import { codeOf, firstOf } from './call.ts';
import {
  certainKeys,
  dataOfMade,
  fieldOfMade,
  hasKeyOf,
  type Left,
  layersOf,
  othersIn,
  picked,
  withEntry,
  without,
  yamlOfMade,
} from './made-map.ts';
import { madeOfLines } from './parse-output.ts';
import {
  type Data,
  inParentheses,
  isMap,
  isScalar,
  type Layer,
  known as literal,
  type MadeMap,
  open,
  typeOf,
  type Value,
} from './value.ts';

/** Returns the template value of a map that a template builds. */
export function mapOf(made: MadeMap, code: string): Value {
  return { ...open(code, dataOfMade(made)), type: 'map', made, field: (name) => fieldOfMade(made, name, firstOf) };
}

/** Whether a function modifies the map that is its first parameter, and returns it. */
export function changesFirst(name: string): boolean {
  return name === 'set' || name === 'unset' || isMerge(name);
}

/** Whether a call merges maps into a map into which the same maps were merged before, which does not change it again. */
export function isRepeatedMerge(name: string, [first, ...others]: readonly Value[]): boolean {
  if (first === undefined || others.length === 0 || !isMerge(name) || !first.code.startsWith(`${name} `)) return false;
  return first.code.endsWith(` ${others.map(({ code }) => inParentheses(code)).join(' ')}`);
}

function isMerge(name: string): boolean {
  return /^(?:mustM|m)erge(?:Overwrite)?$/.test(name);
}

/** Evaluates a function on maps and lists; undefined if the function is not supported or has other parameters. */
export function madeBy(name: string, parameters: readonly Value[], known: Known): Value | undefined {
  const [first, ...others] = parameters;
  if (name === 'dict') return dictionary(parameters);
  if (name === 'list' || name === 'tuple')
    return { ...open(codeOf('list', parameters)), type: 'list', items: parameters };
  if (first === undefined) return undefined;
  const code = codeOf(name, parameters);
  if (isMerge(name)) {
    // In the `Overwrite` variants of `merge`, maps that come later take precedence.
    const ordered = name.endsWith('Overwrite') ? parameters.toReversed() : parameters;
    return mapOf({ layers: ordered.flatMap(layersOf) }, code);
  }
  if (name === 'fromYaml') return read(first, code, known);
  if (name === 'deepCopy' || name === 'mustDeepCopy') return first;
  const keys = others.map(({ data, certain }) => (certain && typeof data === 'string' ? data : undefined));
  if (name === 'pick' || name === 'omit' || name === 'unset') {
    const rendered = keys.filter((key) => key !== undefined);
    if (rendered.length < keys.length) return undefined;
    return mapOf((name === 'pick' ? picked : without)({ layers: layersOf(first) }, rendered), code);
  }
  const [key] = keys;
  if (name === 'set') {
    const value = others[1];
    if (key === undefined || value === undefined) return undefined;
    return mapOf(withEntry({ layers: layersOf(first) }, key, value), code);
  }
  if (name === 'hasKey' && first.made !== undefined && key !== undefined) {
    const has = hasKeyOf(first.made, key);
    return has === undefined ? undefined : literal(has);
  }
  if (name === 'typeIs' || name === 'kindIs') return typed(first, others[0]);
  const whole = others.length === 0 ? wholeText(name, first) : undefined;
  if (whole !== undefined) return literal(whole);
  if (first.type === 'map' && first.made !== undefined) {
    const { made } = first;
    const json = first.data === undefined ? undefined : JSON.stringify(first.data);
    if (name === 'toYaml') return { ...open(code, json), type: 'string', text: yamlOfMade(made, firstOf, known.left) };
    if (name === 'toJson') return { ...open(code), type: 'string', made };
  }
  if (name === 'fromJson' && first.made !== undefined) return mapOf(first.made, code);
  return name === 'contains' ? holding(first, others[0]) : undefined;
}

/** Returns the output of `toYaml` or `toJson` for a map or list that is known as a whole; undefined for every other call. */
function wholeText(name: string, { certain, data }: Value): string | undefined {
  if (!certain || data === undefined || isScalar(data) || (name !== 'toYaml' && name !== 'toJson')) return undefined;
  const entries = isMap(data) ? Object.entries(data) : [];
  // JSON is a subset of YAML.
  const lines = Array.isArray(data)
    ? data.map((item) => `- ${JSON.stringify(item)}`)
    : entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const text = name === 'toJson' || lines.length === 0 ? JSON.stringify(data) : lines.join('\n');
  return text.includes('{{') ? undefined : text;
}

/** Evaluates `contains "{{"` on the `toJson` text of a value, by which templates decide whether to render the value with `tpl`; undefined if unknown. */
function holding(part: Value, json: Value | undefined): Value | undefined {
  const made = json?.made;
  if (part.data !== '{{' || made === undefined) return undefined;
  if (othersIn(made).some(({ keys }) => keys === undefined)) return undefined;
  // Values that users can set are ignored, because a map of labels with template actions in it could not be applied as
  // it is.
  const texts = [...certainKeys(made)].map((key) => fieldOfMade(made, key, firstOf));
  return literal(texts.some(({ certain, data }) => certain && typeof data === 'string' && data.includes('{{')));
}

/** Evaluates a call such as `dict "name" .Values.name "context" $`. */
function dictionary(parameters: readonly Value[]): Value | undefined {
  const entries = new Map<string, Value>();
  const rendered: Value[] = [];
  for (let at = 0; at + 1 < parameters.length; at += 2) {
    const [key, value] = [parameters[at], parameters[at + 1]];
    if (key === undefined || value === undefined || typeof key.data !== 'string' || !key.certain) return undefined;
    entries.set(key.data, value);
    // An entry with the value null is equivalent to a missing entry.
    if (!value.certain || value.data !== null) rendered.push(key, value);
  }
  const made: MadeMap = { layers: entries.size === 0 ? [] : [{ kind: 'entries', entries }] };
  return mapOf(made, `dict ${rendered.map((each) => inParentheses(each.code)).join(' ')}`.trimEnd());
}

function typed(asked: Value, of: Value | undefined): Value | undefined {
  const type = of?.type ?? (of?.certain && of.data !== undefined ? typeOf(of.data) : undefined);
  return type === undefined || !asked.certain ? undefined : literal(asked.data === type);
}

/** Functions that provide facts about the actions that remain in texts. */
export interface Known {
  readonly left: Left;
  /** Returns the output that an action has with the default values of the chart. */
  assumed(code: string): string | undefined;
}

function read(value: Value, code: string, { assumed }: Known): Value | undefined {
  const layers: readonly Layer[] | undefined =
    value.text.includes('\n') || /:\s/.test(value.text) ? madeOfLines(value.text, assumed) : undefined;
  return layers === undefined ? undefined : mapOf({ layers }, code);
}

/** Whether a map or list is not empty; undefined if this depends on values that users can set. */
export function isFilled({ made, items }: Value): boolean | undefined {
  if (items !== undefined) return items.length > 0;
  if (made === undefined) return undefined;
  if (made.layers.some((layer) => layer.kind === 'entries' && layer.entries.size > 0)) return true;
  return othersIn(made).length > 0 ? undefined : false;
}

export type Item = readonly [key: Value, item: Value];

/** Returns the items of a map or list that a template builds; undefined for lists and maps that users can set. */
export function itemsOf({ made, items, field }: Value): readonly Item[] | undefined {
  if (items !== undefined) return items.map((item, index) => [literal(index), item]);
  return made && [...certainKeys(made)].toSorted().map((key) => [literal(key), field(key)]);
}

/** Returns the only item of a value if a loop over the value has exactly one iteration. */
export function onlyItem(value: Value): Item | undefined {
  const items = itemsOf(value);
  return items?.length === 1 && (value.made === undefined || othersIn(value.made).length === 0) ? items[0] : undefined;
}

/** Returns the item at an index of a list that a template builds. */
export function itemAt({ items, data, certain, code }: Value, index: Data | undefined): Value | undefined {
  if (typeof index !== 'number') return undefined;
  const item: Data | undefined = certain && Array.isArray(data) ? data[index] : undefined;
  return items?.[index] ?? (item === undefined ? undefined : literal(item, `${code}[${index}]`));
}
