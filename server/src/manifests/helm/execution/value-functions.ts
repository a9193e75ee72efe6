/** Implements the template functions for numbers, conditions, lists and maps. Sources: Go `text/template/funcs.go`; github.com/Masterminds/sprig `dict.go`, `list.go`, `numeric.go`, `defaults.go`, `reflect.go`; dario.cat/mergo `merge.go`. */

import { fail } from './failure.ts';
import { parseVersion, satisfies } from './semantic-version.ts';
import {
  byCodePoints,
  codeOf,
  fieldOf,
  isKnown,
  isList,
  kindOf,
  OneOf,
  PrintedMap,
  type TemplateList,
  TemplateMap,
  type TemplateValue,
  textValue,
  truthOf,
  typeOf,
  Unknown,
  unknownCall,
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
  if (typeof value === 'string') return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : 0;
  return typeof value === 'number' ? value : integerOf(value);
}

const whole = (apply: (...numbers: readonly number[]) => number): KnownFunction => {
  return (...parameters) => {
    const result = apply(...parameters.map(integerOf));
    return Number.isSafeInteger(result) ? BigInt(result) : undefined;
  };
};

const numbersFrom = (start: number, end: number, step: number): TemplateList | undefined => {
  if (step === 0 || (end - start) / step > maximumItems) return step === 0 ? undefined : fail('too many items');
  const items: bigint[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at += step) items.push(BigInt(at));
  return items;
};

function listParameter(value: TemplateValue | undefined): TemplateList {
  return value !== undefined && isList(value) ? value : fail('a parameter is not a list');
}

function isSame(a: TemplateValue, b: TemplateValue): boolean {
  return codeOf(a) === codeOf(b) && kindOf(a) === kindOf(b);
}

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
    int: whole((a = 0) => a),
    int64: whole((a = 0) => a),
    atoi: (text) => {
      if (typeof text !== 'string' || !/^[+-]?\d+$/.test(text)) return 0n;
      return text.length <= 15 ? BigInt(Number(text)) : undefined;
    },
    float64: (value) => floatOf(value),
    floor: (value) => Math.floor(floatOf(value)),
    ceil: (value) => Math.ceil(floatOf(value)),
    until: (count) =>
      integerOf(count) >= 0 ? numbersFrom(0, integerOf(count), 1) : numbersFrom(0, integerOf(count), -1),
    untilStep: (start, end, step) => numbersFrom(integerOf(start), integerOf(end), integerOf(step)),
    len: (value = null) =>
      typeof value === 'string'
        ? /^[\0-\x7f]*$/.test(value)
          ? BigInt(value.length)
          : undefined
        : isList(value)
          ? BigInt(value.length)
          : value instanceof TemplateMap
            ? BigInt(value.entries.size)
            : fail('no length'),
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
      return Array.from({ length: Math.ceil(items.length / count) }, (_, at) =>
        items.slice(at * count, (at + 1) * count),
      );
    },
    without: (list, ...gone) => listParameter(list).filter((item) => !gone.some((each) => isSame(each, item))),
    keys: (...maps) => maps.flatMap((map) => (map instanceof TemplateMap ? map.keys : fail('not a map'))),
    values: (map) => (map instanceof TemplateMap ? map.keys.map((key) => map.get(key)) : fail('not a map')),
    fromJsonArray: (text) => parsedList(text),
    fromYamlArray: (text) => parsedList(text),
  }),
);

function parsedList(text: TemplateValue | undefined): TemplateValue | undefined {
  const value = typeof text === 'string' ? parsedYaml(text, false) : undefined;
  return value !== undefined && isList(value) ? value : undefined;
}

function ordered(a: TemplateValue, b: TemplateValue, is: (order: number) => boolean): boolean {
  if (typeof a !== typeof b) return fail('incompatible types for comparison');
  if (typeof a === 'string' && typeof b === 'string') return is(byCodePoints(a, b));
  if (typeof a === 'number' || typeof a === 'bigint') return is(Number(a) - Number(b));
  return fail('invalid type for comparison');
}

/** Whether two values are equal for `eq`; undefined if this is unknown. */
function equal(a: TemplateValue, b: TemplateValue): boolean | undefined {
  if (a instanceof Unknown || b instanceof Unknown) return codeOf(a) === codeOf(b) ? true : undefined;
  if ([a, b].some((each) => isList(each) || each instanceof TemplateMap))
    return a === null || b === null ? false : fail('non-comparable type');
  if (a === null || b === null) return a === b;
  if (kindOf(a) !== kindOf(b)) return fail('incompatible types for comparison');
  return a === b;
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
    set: ([map = null, key = null, value = null], changes) => {
      if (!(map instanceof TemplateMap)) return map instanceof Unknown ? undefined : fail('not a map');
      const name = keyOf(key);
      if (name === undefined) map.mayHave(codeOf(unknownCall('set', [map, key, value])));
      else changes.put(map, name, value);
      return map;
    },
    unset: ([map = null, key = null], changes) => {
      const name = keyOf(key);
      if (!(map instanceof TemplateMap) || name === undefined) return undefined;
      changes.put(map, name, undefined);
      return map;
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
      let at: TemplateValue = map;
      for (const name of path) {
        if (name === undefined || !(at instanceof TemplateMap)) return undefined;
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
        if (has === undefined) picked.push([name, new Unknown(codeOf(map.get(name)), { mayBeAbsent: true })]);
        else if (has) picked.push([name, map.get(name)]);
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
    deepCopy: ([value = null]) => copyOf(value),
    index: ([value = null, ...keys]) => {
      let at: TemplateValue = value;
      for (const key of keys) {
        if (at === null) return fail('index of nil');
        if (at instanceof Unknown || key instanceof Unknown) return unknownCall('index', [at, key]);
        if (at instanceof TemplateMap) at = typeof key === 'string' ? at.get(key) : fail('the key is not a string');
        else if (isList(at) && (typeof key === 'bigint' || typeof key === 'number'))
          at = at[Number(key)] ?? (Number(key) < at.length ? null : fail('index out of range'));
        else return typeof at === 'string' ? undefined : fail('not indexable');
      }
      return at;
    },
    first: ([list = null]) => (isList(list) ? (list[0] ?? null) : undefined),
    last: ([list = null]) => (isList(list) ? (list.at(-1) ?? null) : undefined),
    rest: ([list = null]) => (isList(list) ? list.slice(1) : undefined),
    initial: ([list = null]) => (isList(list) ? list.slice(0, -1) : undefined),
    append: ([list = null, item = null]) => (isList(list) ? [...list, item] : undefined),
    push: ([list = null, item = null]) => (isList(list) ? [...list, item] : undefined),
    prepend: ([list = null, item = null]) => (isList(list) ? [item, ...list] : undefined),
    concat: (lists) => (lists.every(isList) ? limited(lists.flat()) : undefined),
    reverse: ([list = null]) => (isList(list) ? list.toReversed() : undefined),
    uniq: ([list = null]) => {
      if (list instanceof Unknown) return undefined;
      const items = listParameter(list);
      return items.flatMap((item, at): TemplateList => {
        const before = items.slice(0, at);
        if (before.some((each) => isSame(each, item))) return [];
        // An unknown item may be equal to an earlier one.
        const isCertain = at === 0 || (isKnown(item) && before.every(isKnown));
        const text = item instanceof Unknown ? item.text : codeOf(item);
        return [isCertain ? item : new Unknown(text, { mayBeAbsent: true })];
      });
    },
    compact: ([list = null]) => {
      if (!isList(list)) return undefined;
      const truths = list.map(truthOf);
      return truths.includes(undefined) ? undefined : list.filter((_, at) => truths[at] === true);
    },
    slice: ([list = null, start = 0n, end]) => {
      const [from, to] = [integerOf(start), end === undefined ? undefined : integerOf(end)];
      if (list instanceof Unknown) return undefined;
      return isList(list) ? list.slice(from, to) : fail('a parameter is not a list');
    },
    kindOf: ([value = null]) => kindOf(value),
    kindIs: ([kind = null, value = null]) => sameName(kind, kindOf(value)),
    typeOf: ([value = null]) => typeOf(value),
    typeIs: ([type = null, value = null]) => sameName(type, typeOf(value)),
    typeIsLike: ([type = null, value = null]) => sameName(type, typeOf(value)),
    toYaml: ([value = null]) => textValue(yamlText(value)),
    toYamlPretty: ([value = null]) => textValue(yamlText(value)),
    toJson: ([value = null]) => jsonText(value)?.replace(/[<>&]/g, inUnicode),
    toRawJson: ([value = null]) => jsonText(value),
    toPrettyJson: ([value = null]) => jsonText(value, '  '),
    fromYaml: ([text = null]) => parsedMap(text),
    fromJson: ([text = null]) => parsedMap(text),
    required: ([, value = null]) => (value === null || value === '' ? fail('a required value is missing') : value),
    fail: () => fail('the template reports an error'),
  }),
);

/** Returns a character as `toJson` writes characters of HTML. */
function inUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function limited(items: TemplateList): TemplateList | undefined {
  return items.length > maximumItems ? undefined : items;
}

function sameName(name: TemplateValue, other: string | undefined): boolean | undefined {
  return typeof name === 'string' && other !== undefined ? name === other : undefined;
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

function parsedMap(text: TemplateValue): TemplateValue | undefined {
  if (text instanceof Unknown) {
    const value = /\n|:\s/.test(text.text) ? parsedYaml(text.text, true) : undefined;
    return value instanceof TemplateMap ? value : undefined;
  }
  if (typeof text !== 'string') return fail('a parameter is not a string');
  const value = parsedYaml(text, false);
  if (value === null) return new TemplateMap();
  return value instanceof TemplateMap ? value : undefined;
}

function copyOf(value: TemplateValue): TemplateValue {
  if (isList(value)) return value.map(copyOf);
  if (!(value instanceof TemplateMap)) return value;
  return new TemplateMap(
    [...value.entries].map(([key, item]) => [key, copyOf(item)] as const),
    value.others,
  );
}

/** Merges maps into the first one, in place. A value that is not empty takes precedence, unless later maps overwrite it. */
function merged(
  into: TemplateValue,
  from: readonly TemplateValue[],
  overwrites: boolean,
  changes: Changes,
): TemplateValue | undefined {
  if (into instanceof OneOf || !(into instanceof TemplateMap))
    return into instanceof Unknown ? undefined : fail('not a map');
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
    else if (overwrites && value instanceof TemplateMap && truthOf(known ?? null) === true)
      changes.put(into, key, unknownCall('mergeOverwrite', [known ?? null, value]));
    else if (overwrites)
      changes.put(into, key, isThere || known === undefined ? value : unknownCall('default', [known, value]));
    else {
      const truth = known === undefined ? false : truthOf(known);
      if (truth === false && isThere) changes.put(into, key, value);
      else if (truth !== true) changes.put(into, key, firstOf([known ?? null, value]) ?? null);
    }
  }
  // A map that is changed in a branch that is not executed has no more entries, but it is safe to assume that it may.
  if (source.others !== undefined) into.mayHave(othersOf(into.others, source.others));
}

function othersOf(some: string | undefined, more: string): string {
  return some === undefined || some === more ? more : `${some}, ${more}`;
}

/** Returns the field of a value. Go reports an error for a field of nil. */
export function field(value: TemplateValue, name: string): TemplateValue {
  const found = fieldOf(value, name);
  return found === undefined ? fail(`no field ${name}`) : found;
}
