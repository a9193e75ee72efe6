/**
 * Shapes of values in a configuration file. Each shape parses a node, reports faults and describes itself as JSON
 * schema, so that parser, schema and documentation come from one table.
 */

import type { Node, ScalarNode } from '../manifests/yaml/tree.ts';
import { editDistance } from '../text/edit-distance.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';

/** A part of the file that cannot be used; the rest of the file applies. */
export interface ConfigProblem {
  readonly code: 'syntax' | 'wrong-type' | 'wrong-value' | 'unknown-key' | 'missing-key' | 'unknown-scope';
  readonly message: string;
  readonly span: Span;
  /** The word that was probably intended at this position. */
  readonly nearest?: string;
}

/** The state of one parse: its results, and the remaining limits. */
export interface Reading {
  readonly problems: ConfigProblem[];
  /** All rule names in the file. They are validated later, because this module does not know which rules exist. */
  readonly ruleNames: ScalarNode[];
  /**
   * The remaining number of items in all lists, of patterns, and of characters of patterns with wildcards. The first item or pattern beyond a limit is reported;
   * it and all further items or patterns are ignored.
   */
  readonly left: { items: number; patterns: number; wildcards: number };
}

/** Maximum number of items in all lists of a configuration. */
export const maximumItems = 5000;

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** Returns the value of `node`; undefined if it is invalid. `place` is its path in messages, such as `scopes[0].paths`. */
  read(node: Node, place: string, reading: Reading): T | undefined;
}

type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** Returns the shape of a string; for an unquoted number or boolean, its source text is used. `check` returns the condition that an invalid value violates. */
export function text(schema: JsonSchema = {}, check: (value: string) => string | undefined = () => undefined) {
  const shape: Shape<string> = {
    schema: { type: 'string', ...schema },
    read(node, place, reading) {
      if (node.kind !== 'scalar' || node.type === 'null') return wrongType(node, place, localize`a string`, reading);
      const wanted = check(node.text);
      if (wanted === undefined) return node.text;
      return report(reading, 'wrong-value', node.span, localize`\`${place}\` must be ${wanted}.`);
    },
  };
  return shape;
}

export const ruleName: Shape<string> = {
  schema: { type: 'string' },
  read(node, place, reading) {
    if (node.kind !== 'scalar' || node.type === 'null')
      return wrongType(node, place, localize`the name of a rule`, reading);
    reading.ruleNames.push(node);
    return node.text;
  },
};

/** Returns the shape of a word from a fixed set. */
export function word<T extends string>(words: readonly T[]): Shape<T> {
  return {
    schema: { enum: words },
    read(node, place, reading) {
      const found = node.kind === 'scalar' ? words.find((each) => each === node.text) : undefined;
      if (found !== undefined) return found;
      const typed = node.kind === 'scalar' ? node.text.toLowerCase() : '';
      // Completes abbreviations such as `warn` and `info`.
      const begun = typed.length < 3 ? undefined : words.find((each) => each.startsWith(typed));
      const near = begun ?? (typed === '' ? undefined : nearestWord(typed, words));
      return report(
        reading,
        'wrong-value',
        spanOf(node),
        localize`\`${place}\` must be one of ${words.join(', ')}.`,
        near,
      );
    },
  };
}

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  read(node, place, reading) {
    if (node.kind === 'scalar' && node.type === 'boolean') return /^(?:y|yes|true|on)$/i.test(node.text);
    return wrongType(node, place, localize`true or false`, reading);
  },
};

/** Returns the shape of a list; invalid items are omitted. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    read(node, place, reading) {
      if (node.kind !== 'list') return wrongType(node, place, localize`a list`, reading);
      return node.items.flatMap((each, index) => {
        if (reading.left.items-- <= 0) {
          if (reading.left.items === -1) reportTooMany(each, `${place}[${index}]`, maximumItems, 'items', reading);
          return [];
        }
        const value = item.read(each, `${place}[${index}]`, reading);
        return value === undefined ? [] : [value];
      });
    },
  };
}

export function record<T>(value: Shape<T>, key: Shape<string> = text()): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: value.schema },
    read(node, place, reading) {
      if (node.kind !== 'map') return wrongType(node, place, localize`a map`, reading);
      const entries = node.entries.flatMap((entry): [string, T][] => {
        const name = key.read(entry.key, place, reading);
        const read = value.read(entry.value, `${place}.${entry.key.text}`, reading);
        return name === undefined || read === undefined ? [] : [[name, read]];
      });
      return Object.fromEntries(entries);
    },
  };
}

export interface Field<T> {
  readonly shape: Shape<T>;
  /** A sentence for the schema and the documentation. */
  readonly description: string;
  readonly required?: boolean;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The value of a map with known keys. All required keys are present: a map without one of them is omitted as a whole. */
export type MapOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]['shape']>;
} & {
  readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]['shape']>;
};

/** Returns the shape of a map with known keys. For an unknown key, the most similar known key is suggested. A key with a null value is treated as absent. */
export function map<F extends Fields>(fields: F): Shape<MapOf<F>> {
  const required = Object.keys(fields).filter((key) => fields[key]?.required === true);
  const properties = Object.entries(fields).map(([key, { shape, description }]): [string, JsonSchema] => {
    return [key, { ...shape.schema, description: description }];
  });
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(properties),
    },
    read(node, place, reading) {
      if (node.kind !== 'map') return wrongType(node, place, localize`a map`, reading);
      const values: Record<string, unknown> = {};
      for (const { key, value } of node.entries) {
        const field = Object.hasOwn(fields, key.text) ? fields[key.text] : undefined;
        if (field === undefined) reportUnknownKey(key, Object.keys(fields), place, reading);
        else if (value.kind !== 'scalar' || value.type !== 'null') {
          const read = field.shape.read(value, place === '' ? key.text : `${place}.${key.text}`, reading);
          if (read !== undefined) values[key.text] = read;
        }
      }
      const missing = required.filter((key) => values[key] === undefined);
      if (missing.length === 0) return values as MapOf<F>; // every required key was found
      // A misspelled key is not also reported as missing.
      const described = missing.filter(
        (key) =>
          !node.entries.some(({ key: { text } }) => text === key || nearestWord(text, Object.keys(fields)) === key),
      );
      for (const key of described)
        report(reading, 'missing-key', spanOf(node), localize`\`${place}\` must have \`${key}\`.`);
      return undefined;
    },
  };
}

/** Reports a problem. Returns undefined, the value of an invalid node. */
export function report(
  reading: Reading,
  code: ConfigProblem['code'],
  span: Span,
  message: string,
  nearest?: string,
): undefined {
  reading.problems.push({ code, span, message, ...(nearest !== undefined && { nearest }) });
  return undefined;
}

/** Reports the first of the items that exceed a limit. */
export function reportTooMany(node: Node, place: string, maximum: number, what: string, reading: Reading): undefined {
  const message = localize`\`${place}\` and all ${what} after it are ignored: a configuration may have at most ${maximum} ${what}.`;
  return report(reading, 'wrong-value', spanOf(node), message);
}

/** Reports that a node has an unexpected type; `wanted` names the expected type. Returns undefined, the value of an invalid node. */
export function wrongType(node: Node, place: string, wanted: string, reading: Reading): undefined {
  return report(
    reading,
    'wrong-type',
    spanOf(node),
    localize`\`${place || '.selector-lens.yaml'}\` must be ${wanted}.`,
  );
}

function reportUnknownKey(key: ScalarNode, known: readonly string[], place: string, reading: Reading): void {
  const inside = place === '' ? '' : localize` in \`${place}\``;
  const near = nearestWord(key.text, known);
  const advice = near === undefined ? localize`Valid keys: ${known.join(', ')}.` : localize`Did you mean '${near}'?`;
  report(reading, 'unknown-key', key.span, localize`The key '${key.text}' is unknown${inside}. ${advice}`, near);
}

/** Returns the word that was probably intended; undefined if none is similar. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const distances = words.map((each) => ({ each, far: editDistance(typed.toLowerCase(), each.toLowerCase(), limit) }));
  return distances.filter(({ far }) => far <= limit).toSorted((a, b) => a.far - b.far)[0]?.each;
}

/** Returns the span for a problem of a node. For a map or list it is only the first character, not the whole block. */
export function spanOf(node: Node): Span {
  if (node.kind === 'scalar') return node.span;
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}
