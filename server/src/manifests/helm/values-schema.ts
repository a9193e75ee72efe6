/**
 * Validates the values of a chart against its `values.schema.json`: Helm renders nothing for values that the schema
 * forbids. Source: https://json-schema.org/draft-07/json-schema-validation
 */

import { spend } from '../../engine/work-budget.ts';
import { percentDecode } from '../../text/percent-encoding.ts';
import { finderOf } from '../go-pattern.ts';
import { unescaped } from './execution/template-value.ts';
import { type Data, fieldOf, isMap } from './value.ts';

type Place = readonly string[];

/** Whether a schema allows a value; `place` is the path of the first value that it forbids. */
type Verdict = 'allowed' | 'unknown' | { readonly place: Place };

/** The maximum depth of nested values and schemas. */
const maximumDepth = 60;

/** Returns the path of the first value that a schema certainly forbids; undefined if there is none. Keywords that are not evaluated, such as `format` and references to other files, forbid nothing. */
export function forbiddenValue(schema: Data, value: Data): Place | undefined {
  const verdict = new Validation(schema).verdict(schema, value, []);
  return typeof verdict === 'string' ? undefined : verdict.place;
}

/** The keywords whose effect is not evaluated. */
const unevaluated = [
  '$dynamicRef',
  '$recursiveRef',
  'contentEncoding',
  'contentSchema',
  'dependentRequired',
  'dependentSchemas',
  'format',
  'maxContains',
  'minContains',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
];

class Validation {
  readonly #root: Data;
  /** Whether keywords beside a reference have no effect: true until draft 7, undefined if it depends on the version of Helm. */
  readonly #isReplaced: boolean | undefined;
  /** Whether the schema is of draft 4, which has boolean limits and fewer keywords. */
  readonly #isOld: boolean;
  #depth = 0;

  constructor(root: Data) {
    this.#root = root;
    const draft = fieldOf(root, '$schema');
    const name = typeof draft === 'string' ? draft : '';
    this.#isReplaced = /draft-0[3-7]/.test(name) ? true : name === '' ? undefined : false;
    this.#isOld = /draft-0[34]/.test(name);
  }

  verdict(schema: Data | undefined, value: Data, at: Place): Verdict {
    spend(1);
    if (schema === undefined || schema === true) return 'allowed';
    if (schema === false) return { place: at };
    if (!isMap(schema) || isUnknown(value) || this.#depth >= maximumDepth) return 'unknown';
    this.#depth++;
    const found = this.#map(schema, value, at);
    this.#depth--;
    return found;
  }

  #map(schema: Data, value: Data, at: Place): Verdict {
    const reference = fieldOf(schema, '$ref');
    if (reference === undefined) return this.#keywords(schema, value, at);
    const referred = this.#referred(reference, value, at);
    if (this.#isReplaced === true) return referred;
    const beside = this.#keywords(schema, value, at);
    return both(referred, this.#isReplaced === undefined ? doubted(beside) : beside);
  }

  #referred(reference: Data, value: Data, at: Place): Verdict {
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return 'unknown';
    let schema: Data | undefined = this.#root;
    for (const part of reference.split('/').slice(1)) {
      const key = decodedPart(part);
      schema = Array.isArray(schema) ? schema[Number(key)] : schema && fieldOf(schema, key);
      if (schema === undefined || fieldOf(schema, '$id') !== undefined) return 'unknown';
    }
    return this.verdict(schema, value, at);
  }

  #keywords(schema: Data, value: Data, at: Place): Verdict {
    const keyword = (name: string) => fieldOf(schema, name);
    let result: Verdict = unevaluated.some((name) => keyword(name) !== undefined) ? 'unknown' : 'allowed';
    // A name of its own changes the meaning of references.
    if (this.#depth > 1 && typeof keyword('$id') === 'string') result = 'unknown';
    const types = [keyword('type') ?? []].flat();
    if (types.length > 0) result = both(result, inTypes(value, types, at));
    const options = keyword('enum');
    if (Array.isArray(options)) result = both(result, isOneOf(value, options, at));
    if (!this.#isOld && Object.hasOwn(Object(schema), 'const'))
      result = both(result, isOneOf(value, [keyword('const') ?? null], at));
    if (typeof value === 'number') result = both(result, this.#ofNumber(schema, value, at));
    if (typeof value === 'string') result = both(result, ofText(schema, unescaped(value), at));
    result = both(result, this.#combined(schema, value, at));
    if (Array.isArray(value)) return both(result, this.#ofList(schema, value, at));
    return isMap(value) ? both(result, this.#ofMap(schema, value, at)) : result;
  }

  #combined(schema: Data, value: Data, at: Place): Verdict {
    const each = (name: string) => listOf(fieldOf(schema, name)).map((own) => this.verdict(own, value, at));
    let result = each('allOf').reduce(both, 'allowed');
    const any = each('anyOf');
    if (any.length > 0 && !any.includes('allowed'))
      result = both(result, any.includes('unknown') ? 'unknown' : { place: at });
    const one = each('oneOf');
    if (one.length > 0) {
      const [certain, possible] = [one.filter((own) => own === 'allowed'), one.filter((own) => own === 'unknown')];
      const isForbidden = certain.length > 1 || certain.length + possible.length === 0;
      result = both(result, isForbidden ? { place: at } : possible.length > 0 ? 'unknown' : 'allowed');
    }
    const not = fieldOf(schema, 'not');
    if (not !== undefined) {
      const own = this.verdict(not, value, at);
      result = both(result, own === 'allowed' ? { place: at } : own === 'unknown' ? 'unknown' : 'allowed');
    }
    const condition = this.#isOld ? undefined : fieldOf(schema, 'if');
    if (condition === undefined) return result;
    const [chosen, then, other] = [
      this.verdict(condition, value, at),
      this.verdict(fieldOf(schema, 'then'), value, at),
      this.verdict(fieldOf(schema, 'else'), value, at),
    ];
    if (chosen === 'unknown') return both(result, then === 'allowed' && other === 'allowed' ? 'allowed' : 'unknown');
    return both(result, chosen === 'allowed' ? then : other);
  }

  #ofNumber(schema: Data, value: number, at: Place): Verdict {
    const limit = (name: string) => {
      const own = fieldOf(schema, name);
      return typeof own === 'number' ? own : undefined;
    };
    const isExclusive = (name: string) => this.#isOld && fieldOf(schema, name) === true;
    const [least, most, above, below] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(limit);
    const isOutside =
      (least !== undefined && (value < least || (value === least && isExclusive('exclusiveMinimum')))) ||
      (most !== undefined && (value > most || (value === most && isExclusive('exclusiveMaximum')))) ||
      (above !== undefined && value <= above) ||
      (below !== undefined && value >= below);
    if (isOutside) return { place: at };
    const factor = limit('multipleOf');
    if (factor === undefined) return 'allowed';
    if (!Number.isSafeInteger(factor) || factor <= 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'unknown';
    return value % factor === 0 ? 'allowed' : { place: at };
  }

  #ofList(schema: Data, value: readonly Data[], at: Place): Verdict {
    let result = counted(schema, 'Items', value.length, at);
    const items = fieldOf(schema, 'items');
    const rest = Array.isArray(items) ? fieldOf(schema, 'additionalItems') : items;
    // Later drafts have another keyword for the schemas of single items.
    if (Array.isArray(items) && this.#isReplaced !== true) return result === 'allowed' ? 'unknown' : result;
    for (const [index, item] of value.entries()) {
      const own = Array.isArray(items) && index < items.length ? items[index] : rest;
      result = both(result, this.verdict(own, item, [...at, String(index)]));
    }
    if (fieldOf(schema, 'uniqueItems') === true) {
      const texts = value.map(canonical);
      spend(texts.length);
      if (new Set(texts).size < texts.length) result = both(result, value.some(hasUnknown) ? 'unknown' : { place: at });
    }
    const wanted = this.#isOld ? undefined : fieldOf(schema, 'contains');
    if (wanted === undefined) return result;
    const found = value.map((item) => this.verdict(wanted, item, at));
    return both(result, found.includes('allowed') ? 'allowed' : found.includes('unknown') ? 'unknown' : { place: at });
  }

  #ofMap(schema: Data, value: { readonly [key: string]: Data }, at: Place): Verdict {
    const keys = Object.keys(value);
    // Helm adds `global` to the values of each chart, in some versions.
    const isAdded = (key: string) => at.length === 0 && key === 'global';
    let result = counted(schema, 'Properties', keys.length, at);
    if (at.length === 0 && result !== 'allowed') result = 'unknown';
    for (const key of listOf(fieldOf(schema, 'required')))
      if (typeof key === 'string' && fieldOf(value, key) === undefined) result = both(result, { place: [...at, key] });
    const properties = fieldOf(schema, 'properties') ?? {};
    const patterns = Object.entries(fieldOf(schema, 'patternProperties') ?? {});
    const others = fieldOf(schema, 'additionalProperties');
    const names = this.#isOld ? undefined : fieldOf(schema, 'propertyNames');
    for (const [key, own] of Object.entries(value)) {
      const place = [...at, key];
      const known = fieldOf(properties, key);
      const fits = patterns.map(([pattern]) => doesMatch(pattern, key));
      for (const [index, [, each]] of patterns.entries()) {
        const isMeant = fits[index];
        if (isMeant !== false) {
          const found = this.verdict(each, own, place);
          result = both(result, isMeant ? found : doubted(found));
        }
      }
      result = both(result, this.verdict(known, own, place));
      if (names !== undefined) result = both(result, this.verdict(names, key, place));
      if (known !== undefined || others === undefined || fits.includes(true) || isAdded(key)) continue;
      const found = this.verdict(others, own, place);
      result = both(result, fits.includes(undefined) ? doubted(found) : found);
    }
    for (const [key, needs] of Object.entries(fieldOf(schema, 'dependencies') ?? {})) {
      if (fieldOf(value, key) === undefined) continue;
      const schemaOfNeeds = Array.isArray(needs) ? { required: needs } : needs;
      const found = this.verdict(schemaOfNeeds, value, at);
      result = both(result, this.#isReplaced === true ? found : doubted(found));
    }
    return result;
  }
}

/** Returns the verdict of two schemas that both must allow a value. */
function both(one: Verdict, other: Verdict): Verdict {
  if (typeof one !== 'string') return one;
  if (typeof other !== 'string') return other;
  return one === 'unknown' ? one : other;
}

/** Returns the verdict of a schema that may have no effect. */
function doubted(verdict: Verdict): Verdict {
  return verdict === 'allowed' ? verdict : 'unknown';
}

/** Checks a minimum and a maximum number of items or entries. */
function counted(schema: Data, of: 'Items' | 'Properties' | 'Length', count: number, at: Place): Verdict {
  const [least, most] = [fieldOf(schema, `min${of}`), fieldOf(schema, `max${of}`)];
  const isOutside = (typeof least === 'number' && count < least) || (typeof most === 'number' && count > most);
  return isOutside ? { place: at } : 'allowed';
}

function ofText(schema: Data, text: string, at: Place): Verdict {
  const length = counted(schema, 'Length', [...text].length, at);
  const pattern = fieldOf(schema, 'pattern');
  if (typeof pattern !== 'string') return length;
  const fits = doesMatch(pattern, text);
  return both(length, fits === undefined ? 'unknown' : fits ? 'allowed' : { place: at });
}

/** Whether a text contains a match of a pattern; undefined if the pattern is not evaluated. */
function doesMatch(pattern: string, text: string): boolean | undefined {
  spend(1 + text.length / 20);
  const found = finderOf(pattern)?.(text);
  return found && found.length > 0;
}

function inTypes(value: Data, types: readonly Data[], at: Place): Verdict {
  const answers = types.map((type) => isOfType(value, type));
  if (answers.includes(true)) return 'allowed';
  return answers.includes(undefined) ? 'unknown' : { place: at };
}

/** Whether a value has a type; undefined if there is no such type. */
function isOfType(value: Data, type: Data): boolean | undefined {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isMap(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return undefined;
  }
}

function isOneOf(value: Data, options: readonly Data[], at: Place): Verdict {
  const own = canonical(value);
  if (options.some((each) => canonical(each) === own)) return 'allowed';
  return hasUnknown(value) ? 'unknown' : { place: at };
}

/** Returns JSON in which equal values have equal texts. */
function canonical(data: Data): string {
  spend(1);
  if (typeof data === 'string') return JSON.stringify(unescaped(data));
  if (Array.isArray(data)) return `[${data.map(canonical).join()}]`;
  if (!isMap(data)) return JSON.stringify(data);
  const keys = Object.keys(data).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(data[key] ?? null)}`).join()}}`;
}

function isUnknown(value: Data): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function hasUnknown(value: Data): boolean {
  if (typeof value !== 'object' || value === null) return isUnknown(value);
  return Object.values(value).some(hasUnknown);
}

function listOf(data: Data | undefined): readonly Data[] {
  return Array.isArray(data) ? data : [];
}

/** Returns a part of a JSON pointer in a reference without escapes. */
function decodedPart(part: string): string {
  const text = percentDecode(part);
  return (text ?? part).replaceAll('~1', '/').replaceAll('~0', '~');
}
