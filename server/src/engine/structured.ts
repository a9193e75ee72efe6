/** Parses plain data from a YAML or JSON parser, and checks the types that fields require. */

import { excerpt } from './messages.ts';
import { isUnknown, type Path, type Problem, type ProblemCode, type Value } from './types.ts';

/** Collects problems with their paths. Null and absent values are treated as the empty value of their type, as in Kubernetes. */
export class StructuredParser {
  readonly problems: Problem[] = [];

  problem(code: ProblemCode, path: Path, message: string, options?: readonly string[]): void {
    this.problems.push({ code, message, path, ...(options && { options }) });
  }

  /** Reports a problem if a text is none of some values. Returns whether it is one of them. */
  oneOf(text: string, options: readonly string[], path: Path): boolean {
    if (options.includes(text)) return true;
    const [last = '', ...first] = options.map((each) => `'${each}'`).toReversed();
    const listed = `${first.toReversed().join(', ')} or ${last}`;
    this.problem('value-unsupported', path, `must be ${listed}, not '${excerpt(text)}'`, options);
    return false;
  }

  /**
   * Adds problems of a text as problems of the value at `path`; their offsets, which are relative to the text, are
   * dropped.
   */
  textProblems(problems: readonly Problem[], path: Path): void {
    for (const { code, message } of problems) this.problem(code, path, message);
  }

  /** Returns the entries of a map; for any other value, reports a problem and returns undefined. */
  map(value: unknown, path: Path, what: string): readonly (readonly [string, unknown])[] | undefined {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value);
    return this.#wrongType(path, what, 'a map', value);
  }

  /** Returns the items of a list; for any other value, reports a problem and returns undefined. */
  list(value: unknown, path: Path, what: string): readonly unknown[] | undefined {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    return this.#wrongType(path, what, 'a list', value);
  }

  /** Returns a value that is a string or an unknown; for any other value, reports a problem and returns undefined. */
  string(value: unknown, path: Path, what: string): Value | undefined {
    if (value === undefined || value === null) return '';
    if (typeof value === 'string' || isUnknown(value)) return value;
    return this.#wrongType(path, what, 'a string', value);
  }

  #wrongType(path: Path, what: string, type: string, value: unknown): undefined {
    const number = typeof value === 'number' || typeof value === 'bigint';
    const hint =
      type === 'a string' && number
        ? `: write '"${String(value)}"' for '${String(value)}'`
        : `, not ${typeName(value)}`;
    this.problem('wrong-type', path, `${what} must be ${type}${hint}`);
    return undefined;
  }
}

/** Whether a value is an object, and neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of strings only. */
export function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Returns an own field of an object, never an inherited one. */
export function fieldOf(value: unknown, field: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, field)?.value;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `'${excerpt(value)}'`;
  return typeof value === 'object' || typeof value === 'function' ? 'a map' : `a ${typeof value}`;
}
