/** Implements the template functions for numbers, conditions, lists and maps. Sources: Go `text/template/funcs.go`; github.com/Masterminds/sprig `dict.go`, `list.go`, `numeric.go`, `defaults.go`, `reflect.go`; dario.cat/mergo `merge.go`. */

import { spend } from '../../../engine/work-budget.ts';
import type { Data } from '../value.ts';
import { fail, giveUp } from './failure.ts';
import { isReleaseName } from './function-traits.ts';
import { inOrderOf, isSame, listFunctions, listParameter } from './list-functions.ts';
import { parseVersion, satisfies } from './semantic-version.ts';
import {
  byCodePoints,
  codeOf,
  escapedData,
  factsOf,
  fieldOf,
  Int64,
  isKnown,
  isList,
  kindOf,
  made,
  OneOf,
  PrintedMap,
  type TemplateList,
  TemplateMap,
  type TemplateValue,
  templateValueOf,
  textValue,
  truthOf,
  typeOf,
  Unknown,
  unknownCall,
  unordered,
} from './template-value.ts';
import { integerOf, type KnownFunction, textOf } from './text-functions.ts';
import { jsonText, parsedYaml, yamlText } from './yaml-text.ts';

/** A function whose parameters may be unknown. Returns undefined if the result is unknown. */
export type AnyFunction = (parameters: readonly TemplateValue[], changes: Changes) => TemplateValue | undefined;

/** Records changes of maps, which are undone after a branch that may not be executed. */
export interface Changes {
  put(map: TemplateMap, key: string, value: TemplateValue | undefined): void;
}

/** The maximum number of items that a function creates. */
const maximumItems = 10_000;

/** Converts a value to a `float64`, as `float64` does: 0 if it is not a number. */
export function floatOf(value: TemplateValue | undefined): number {
  if (typeof value === 'string') {
    if (/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i.test(value)) return Number(value);
    return /^[+-]?(?:\.?\d|inf|nan)/i.test(value) ? Number.NaN : 0;
  }
  return typeof value === 'number' ? value : integerOf(value);
}

export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function integer(value: number): bigint | undefined {
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

const whole = (apply: (...numbers: readonly number[]) => number): KnownFunction => {
  return (...parameters) => {
    const result = integer(apply(...parameters.map(integerOf)));
    return result === undefined ? undefined : new Int64(result);
  };
};

const numbersFrom = (start: number, end: number, step: number): TemplateList | undefined => {
  if (step === 0 || (end - start) / step > maximumItems) return step === 0 ? undefined : giveUp('too many items');
  const items: bigint[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at += step) items.push(BigInt(at));
  return made(items, { type: '[]int' });
};

export const knownFunctions: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>(
  Object.entries<KnownFunction>({
    add: whole((...all) => all.reduce((sum, each) => sum + each, 0)),
    add1: whole((a = 0) => a + 1),
    sub: whole((a = 0, b = 0) => a - b),
    mul: whole((...all) => all.reduce((product, each) => product * each, 1)),
    div: whole((a = 0, b = 0) => (b === 0 ? fail('division by zero') : Math.trunc(a / b))),
    mod: whole((a = 0, b = 0) => (b === 0 ? fail('division by zero') : a % b)),
    max: whole((...all) => Math.max(...all)),
    biggest: whole((...all) => Math.max(...all)),
    min: whole((...all) => Math.min(...all)),
    int: (value) => integer(integerOf(value)),
    int64: whole((a = 0) => a),
    atoi: (text = '') => {
      if (!/^[+-]?\d+$/.test(textOf(text))) return 0n;
      return textOf(text).length <= 15 ? BigInt(Number(text)) : undefined;
    },
    float64: (value) => finite(floatOf(value)),
    floor: (value) => finite(Math.floor(floatOf(value))),
    ceil: (value) => finite(Math.ceil(floatOf(value))),
    until: (count) =>
      integerOf(count) >= 0 ? numbersFrom(0, integerOf(count), 1) : numbersFrom(0, integerOf(count), -1),
    untilStep: (start, end, step) => numbersFrom(integerOf(start), integerOf(end), integerOf(step)),
    lt: (a = null, b = null) => ordered(a, b, (order) => order < 0),
    le: (a = null, b = null) => ordered(a, b, (order) => order <= 0),
    gt: (a = null, b = null) => ordered(a, b, (order) => order > 0),
    ge: (a = null, b = null) => ordered(a, b, (order) => order >= 0),
    deepEqual: (a = null, b = null) => isSame(a, b),
    semverCompare: (constraint, version) =>
      satisfies(textOf(constraint), textOf(version)) ?? fail('an invalid version or constraint'),
    semver: (text) => {
      const version = parseVersion(textOf(text)) ?? fail('an invalid version');
      const [major, minor, patch] = version.numbers;
      const [, metadata = ''] = textOf(text).split('+');
      const core = `${major}.${minor}.${patch}`;
      const shown = [core, version.prerelease && `-${version.prerelease}`, metadata && `+${metadata}`].join('');
      const entries: [string, TemplateValue][] = [
        ['Major', BigInt(major)],
        ['Minor', BigInt(minor)],
        ['Patch', BigInt(patch)],
        ['Prerelease', version.prerelease],
        ['Metadata', metadata],
        ['Original', textOf(text)],
      ];
      return new PrintedMap(entries, shown);
    },
    has: (item = null, list = null) => (list === null ? false : listParameter(list).some((each) => isSame(each, item))),
    chunk: (size, list) => {
      const [count, items] = [integerOf(size), listParameter(list)];
      if (count < 1) return undefined;
      const chunks = Array.from({ length: Math.ceil(items.length / count) }, (_, at) =>
        items.slice(at * count, (at + 1) * count),
      );
      return made(chunks, { type: '[][]interface {}' });
    },
    without: (list, ...gone) => {
      const items = listParameter(list);
      return inOrderOf(
        [items],
        items.filter((item) => !gone.some((each) => isSame(each, item))),
      );
    },
    fromJsonArray: (text) => {
      const value = jsonIn(text);
      return value !== undefined && isList(value) ? value : undefined;
    },
    fromYamlArray: (text) => parsedList(text),
  }),
);

function parsedList(text: TemplateValue | undefined): TemplateValue | undefined {
  const value = typeof text === 'string' ? parsedYaml(text, false) : undefined;
  return value !== undefined && isList(value) ? value : undefined;
}

function ordered(a: TemplateValue, b: TemplateValue, is: (order: number) => boolean): boolean {
  if (basicKind(a) !== basicKind(b)) return fail('incompatible types for comparison');
  if (typeof a === 'string' && typeof b === 'string') return is(byCodePoints(a, b));
  if (basicKind(a) === 'int' || typeof a === 'number') return is(Number(String(a)) - Number(String(b)));
  return fail('invalid type for comparison');
}

/** Whether two values are equal for `eq`; undefined if this is unknown. */
function equal(a: TemplateValue, b: TemplateValue): boolean | undefined {
  if (a instanceof Unknown || b instanceof Unknown) return codeOf(a) === codeOf(b) ? true : undefined;
  if ([a, b].some((each) => isList(each) || each instanceof TemplateMap))
    return a === null || b === null ? false : fail('non-comparable type');
  if (a === null || b === null) return a === b;
  if (basicKind(a) !== basicKind(b)) return fail('incompatible types for comparison');
  return a === b || (basicKind(a) === 'int' && String(a) === String(b));
}

/** Returns the kind of a value for comparisons, in which integers of all sizes are equal. */
function basicKind(value: TemplateValue): string | undefined {
  return value instanceof Int64 ? 'int' : kindOf(value);
}

/** Functions whose parameters may be unknown, or have unknown parts. */
export const anyFunctions: ReadonlyMap<string, AnyFunction> = new Map<string, AnyFunction>(
  Object.entries<AnyFunction>({
    default: ([otherwise = null, value = null]) => firstOf([value, otherwise]),
    coalesce: (values) => firstOf([...values, null]),
    empty: ([value = null]) => negation(truthOf(value)),
    not: ([value = null]) => negation(truthOf(value)),
    all: (values) => conjunction(values.map(truthOf)),
    any: (values) => negation(conjunction(values.map((each) => negation(truthOf(each))))),
    ternary: ([yes = null, no = null, condition = null]) => {
      const isBoolean = typeof condition === 'boolean' || condition instanceof Unknown;
      const chosen = isBoolean ? truthOf(condition) : fail('the condition is not a boolean');
      return isSame(yes, no) ? yes : chosen === undefined ? undefined : chosen ? yes : no;
    },
    eq: ([value = null, ...others]) => {
      if (others.length === 0) return fail('a parameter is missing');
      const results = others.map((other) => equal(value, other));
      return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
    },
    ne: ([a = null, b = null]) => negation(equal(a, b)),
    list: (items) => items,
    tuple: (items) => items,
    dict: (parameters) => {
      const entries: [string, TemplateValue][] = [];
      for (let at = 0; at < parameters.length; at += 2) {
        const key = parameters[at] ?? null;
        if (!isKnown(key)) return undefined;
        entries.push([textOf(key), at + 1 < parameters.length ? (parameters[at + 1] ?? null) : '']);
      }
      return new TemplateMap(entries);
    },
    get: ([map = null, key = null]) => {
      const name = keyOf(key);
      if (!(map instanceof TemplateMap) || name === undefined) return undefined;
      return map.has(name) === false ? '' : map.get(name);
    },
    keys: (maps) => {
      const known = maps.map((map) => (map === null ? [] : keysOf(map)));
      if (known.includes(undefined)) return undefined;
      return unordered(
        known.flatMap((keys) => keys ?? []),
        '[]string',
      );
    },
    values: ([map = null]) => {
      const keys = keysOf(map);
      return keys && map instanceof TemplateMap ? unordered(keys.map((key) => map.get(key))) : undefined;
    },
    set: ([map = null, key = null, value = null], changes) => {
      if (!(map instanceof TemplateMap)) return map instanceof Unknown ? undefined : fail('not a map');
      if (factsOf(map).isNil === true && map.entries.size === 0) return fail('an entry of a nil map');
      const name = keyOf(key);
      if (name !== undefined) changes.put(map, name, value);
      else {
        const code = codeOf(unknownCall('set', [map, key, value]));
        for (const [each, item] of map.entries) changes.put(map, each, new Unknown(`either ${codeOf(item)} ${code}`));
        map.mayHave(code);
      }
      return map;
    },
    unset: ([map = null, key = null], changes) => {
      const name = keyOf(key);
      if (!(map instanceof TemplateMap)) return undefined;
      if (name !== undefined) changes.put(map, name, undefined);
      else
        for (const [each, item] of map.entries)
          changes.put(map, each, new Unknown(`kept ${codeOf(item)} ${codeOf(key)}`, { mayBeAbsent: true }));
      return map;
    },
    len: ([value = null]) => {
      if (value instanceof Unknown || value instanceof OneOf) return undefined;
      if (typeof value === 'string') return /^[\0-\x7f]*$/.test(value) ? BigInt(value.length) : undefined;
      const map = value instanceof TemplateMap && !(value instanceof PrintedMap) ? value : undefined;
      const items = map ? [...map.entries.values()] : isList(value) ? value : fail('no length');
      const mayDiffer = map?.others !== undefined || items.some((item) => item instanceof Unknown && item.mayBeAbsent);
      return mayDiffer ? undefined : BigInt(items.length);
    },
    hasKey: ([map = null, key = null]) => {
      const name = keyOf(key);
      return map instanceof TemplateMap && name !== undefined ? map.has(name) : undefined;
    },
    pluck: ([key = null, ...maps]) => {
      const name = keyOf(key);
      if (name === undefined) return undefined;
      const found: TemplateValue[] = [];
      for (const map of maps) {
        const has = map instanceof TemplateMap ? map.has(name) : undefined;
        if (!(map instanceof TemplateMap) || has === undefined) return undefined;
        if (has) found.push(map.get(name));
      }
      return found;
    },
    dig: (parameters) => {
      const map = parameters.at(-1) ?? null;
      const path = parameters.slice(0, -2).map(keyOf);
      const isWrong = (key: TemplateValue) => typeof key !== 'string' && !(key instanceof Unknown);
      if (path.length === 0 || parameters.slice(0, -2).some(isWrong)) return fail('a parameter is not a string');
      let at: TemplateValue = map;
      for (const name of path) {
        if (name === undefined || at instanceof Unknown) return undefined;
        if (!(at instanceof TemplateMap) || factsOf(at).type !== undefined) return fail('not a map');
        const has = at.has(name);
        if (has === undefined) return undefined;
        if (!has) return parameters.at(-2) ?? null;
        at = at.get(name);
      }
      return at;
    },
    pick: ([map = null, ...keys]) => {
      const names = keys.map(keyOf);
      if (!(map instanceof TemplateMap) || names.includes(undefined)) return undefined;
      const picked: [string, TemplateValue][] = [];
      for (const name of names.flatMap((each) => each ?? [])) {
        const has = map.has(name);
        const own = map.get(name);
        if (has === undefined) picked.push([name, isNil(own) ? own : new Unknown(codeOf(own), { mayBeAbsent: true })]);
        else if (has) picked.push([name, own]);
      }
      return new TemplateMap(picked);
    },
    omit: ([map = null, ...keys]) => {
      const names = keys.map(keyOf);
      if (!(map instanceof TemplateMap) || names.includes(undefined)) return undefined;
      const others =
        map.others === undefined ? undefined : codeOf(unknownCall('omit', [new Unknown(map.others), ...keys]));
      return new TemplateMap(
        [...map.entries].filter(([key]) => !names.includes(key)),
        others,
      );
    },
    merge: ([into = null, ...from], changes) => merged(into, from, false, changes),
    mergeOverwrite: ([into = null, ...from], changes) => merged(into, from, true, changes),
    deepCopy: ([value = null]) => (value === null ? undefined : copyOf(value)),
    index: ([value = null, ...keys]) => {
      if (value === null) return fail('index of nil');
      let at: TemplateValue = value;
      for (const key of keys) {
        if (at === null) return fail('index of nil');
        if (at instanceof Unknown || key instanceof Unknown) return unknownCall('index', [at, key]);
        if (at instanceof TemplateMap)
          at = typeof key === 'string' ? (fieldOf(at, key) ?? null) : fail('the key is not a string');
        else if (isList(at) && basicKind(key) === 'int') {
          const position = Number(String(key));
          if (position < 0 || position >= at.length) return fail('index out of range');
          at = at[position] ?? null;
        } else return typeof at === 'string' ? undefined : fail('not indexable');
      }
      return at;
    },
    ...listFunctions,
    kindOf: ([value = null]) => kindOf(value),
    kindIs: ([kind = null, value = null]) => sameName(kind, kindOf(value)),
    typeOf: ([value = null]) => typeOf(value),
    typeIs: ([type = null, value = null]) => sameName(type, typeOf(value)),
    typeIsLike: ([type = null, value = null]) => sameName(type, typeOf(value)),
    toYaml: ([value = null]) => textValue(yamlText(value)),
    toJson: ([value = null]) => jsonValue(value, '', inUnicode),
    toRawJson: ([value = null]) => jsonValue(value, ''),
    toPrettyJson: ([value = null]) => jsonValue(value, '  ', inUnicode),
    fromYaml: ([text = null]) => parsedMap(text),
    fromJson: ([text = null]) => (text instanceof Unknown ? parsedMap(text) : parsedJson(text)),
    required: ([message = null, value = null]) =>
      value === null || value === ''
        ? fail(typeof message === 'string' ? message : 'a required value is missing')
        : value,
    fail: ([message = null]) => fail(typeof message === 'string' ? message : 'the template reports an error'),
  }),
);

/** Returns text as `toJson` writes it, which escapes the characters of HTML. */
function inUnicode(text: string): string {
  return text.replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function jsonValue(
  value: TemplateValue,
  indent: string,
  written?: (text: string) => string,
): TemplateValue | undefined {
  // A scalar that is unknown as a whole has its own expression.
  if (value instanceof Unknown && !isReleaseName(value)) return undefined;
  const text = jsonText(value, indent, written);
  return text === undefined || isKnown(value) ? text : textValue(text);
}

function sameName(name: TemplateValue, other: string | undefined): boolean | undefined {
  return typeof name === 'string' && other !== undefined ? name === other : undefined;
}

/** Returns the keys of a map; undefined if it may have others, or may lack one of them. */
function keysOf(map: TemplateValue): readonly string[] | undefined {
  const isKnownMap = map instanceof TemplateMap && map.others === undefined;
  return isKnownMap && map.keys.every((key) => map.has(key)) ? map.keys : undefined;
}

function keyOf(key: TemplateValue): string | undefined {
  return typeof key === 'string' ? key : undefined;
}

function negation(truth: boolean | undefined): boolean | undefined {
  return truth === undefined ? undefined : !truth;
}

function conjunction(truths: readonly (boolean | undefined)[]): boolean | undefined {
  return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
}

/** Returns the first value that is not empty, or the last value. */
function firstOf(values: readonly TemplateValue[]): TemplateValue | undefined {
  const possible: TemplateValue[] = [];
  for (const [index, value] of values.entries()) {
    const truth = truthOf(value);
    if (truth === true || index === values.length - 1) {
      if (possible.length === 0) return value;
      possible.push(value);
      break;
    }
    if (truth === undefined) possible.push(value);
  }
  const [last = null, ...before] = possible.toReversed();
  const code = codeOf(unknownCall('default', [last, ...before]));
  return new Unknown(code.replace(/^\((.*)\)$/s, '$1'), { filled: truthOf(last) === true });
}

/** Parses JSON; undefined for text that is not valid. */
function jsonIn(text: TemplateValue | undefined): TemplateValue | undefined {
  try {
    return templateValueOf(escapedData(JSON.parse(textOf(text)) as Data), '');
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; the result for any other text is unknown. */
function parsedJson(text: TemplateValue): TemplateValue | undefined {
  const value = jsonIn(text);
  return value instanceof TemplateMap ? value : undefined;
}

function parsedMap(text: TemplateValue): TemplateValue | undefined {
  if (text instanceof Unknown) {
    const value = /\n|:\s|^\{"/.test(text.text) ? parsedYaml(text.text, true) : undefined;
    return value instanceof TemplateMap ? value : undefined;
  }
  if (typeof text !== 'string') return fail('a parameter is not a string');
  const value = parsedYaml(text, false);
  if (value === null) return /^(?:~|null|)$/.test(text.replace(/#.*/g, '').trim()) ? new TemplateMap() : undefined;
  // An empty key is the text of null, unless it is in quotes.
  const hasKeys = value instanceof TemplateMap && (!value.has('') || /(?:^|\n)(?:""|''):/.test(text));
  return hasKeys ? value : undefined;
}

/** The work of copying one map or list, without its items. */
const stepsOfCopy = 3;

function copyOf(value: TemplateValue): TemplateValue {
  if (!(isList(value) || value instanceof TemplateMap)) return value;
  spend(stepsOfCopy);
  if (isList(value)) return value.map(copyOf);
  const copy = new TemplateMap(
    [...value.entries].map(([key, item]) => [key, copyOf(item)] as const),
    value.others,
  );
  return made(copy, factsOf(value));
}

/** Merges maps into the first one, in place. A value that is not empty takes precedence, unless later maps overwrite it. */
function merged(
  into: TemplateValue,
  from: readonly TemplateValue[],
  overwrites: boolean,
  changes: Changes,
): TemplateValue | undefined {
  if (into instanceof OneOf || !(into instanceof TemplateMap))
    return into instanceof Unknown || into === null ? undefined : fail('not a map');
  for (const source of from) mergeInto(into, source, overwrites, changes);
  return into;
}

function mergeInto(into: TemplateMap, from: TemplateValue, overwrites: boolean, changes: Changes): void {
  if (from === null) return;
  const source = from instanceof TemplateMap ? from : new TemplateMap([], codeOf(from));
  const mayFill = source.others === undefined ? [] : into.entries.keys();
  for (const key of new Set([...source.entries.keys(), ...mayFill])) {
    const value = source.get(key);
    const isThere = source.has(key) === true;
    const known = into.has(key) === false ? undefined : into.get(key);
    if (known instanceof TemplateMap && value instanceof TemplateMap) mergeInto(known, value, overwrites, changes);
    // Versions of the library differ if a map replaces another value.
    else if (overwrites && value instanceof TemplateMap && known !== undefined)
      changes.put(into, key, unknownCall('mergeOverwrite', [known ?? null, value]));
    // A value that is nil is merged only if it overwrites others.
    else if (isNil(value) && !overwrites) continue;
    else if (overwrites)
      changes.put(into, key, isThere || isNil(known ?? null) ? value : unknownCall('default', [known ?? null, value]));
    else {
      const truth = known === undefined ? false : truthOf(known);
      if (truth === false && isThere) changes.put(into, key, value);
      else if (truth !== true) changes.put(into, key, firstOf([known ?? null, value]) ?? null);
    }
  }
  // A map that is changed in a branch that is not executed has no more entries, but it is safe to assume that it may.
  if (source.others !== undefined) into.mayHave(othersOf(into.others, source.others));
}

function isNil(value: TemplateValue): boolean {
  return value === null || (value instanceof Unknown && value.isNull);
}

function othersOf(some: string | undefined, more: string): string {
  return some === undefined || some === more ? more : `${some}, ${more}`;
}

/** Returns the field of a value. Go reports an error for a field of nil. */
export function field(value: TemplateValue, name: string): TemplateValue {
  const found = fieldOf(value, name);
  return found === undefined ? fail(`no field ${name}`) : found;
}
