/** Represents the values of template expressions, to the extent that the files of the chart determine them. */

/** Plain data of a `values.yaml`. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** Facts about a template value in addition to its output. */
interface Made {
  readonly type?: 'string' | 'map' | 'list';
  /** The entries of a map that the template itself builds. */
  readonly made?: MadeMap;
  /** The items of a list that the template itself builds. */
  readonly items?: readonly Value[];
  /** Set if the value is certainly not empty. */
  readonly filled?: true;
  /** The output with the default values of the chart if `data` does not determine it; it may contain actions. */
  readonly usual?: string;
}

export interface Value extends Made {
  /** The expression, in which all known values are inserted. Two values with the same code are equal. */
  readonly code: string;
  /** The output of the value: text, and `{{ code }}` for unknown parts. */
  readonly text: string;
  /** The data of the value with the default values of the chart; undefined if it is unknown. */
  readonly data: Data | undefined;
  /** Whether `data` is independent of values that users can set. */
  readonly certain: boolean;
  field(name: string): Value;
}

/** Returns a value that does not depend on values that users can set. */
export function known(data: Data, code = codeOf(data)): Value {
  return {
    code,
    text: isScalar(data) ? textOf(data) : action(code),
    data,
    certain: true,
    field: (name) => known(fieldOf(data, name) ?? null, `${code}.${name}`),
  };
}

/** Returns a value that depends on values that users can set; `data` is its default. */
export function open(code: string, data?: Data): Value {
  return {
    code,
    text: action(code),
    data,
    certain: false,
    field: (name) => {
      // Helm reports an error for a field of anything but a map.
      const below = isMap(data) ? (fieldOf(data, name) ?? null) : undefined;
      return open(code === '.' ? `.${name}` : `${inParentheses(code)}.${name}`, below);
    },
  };
}

/** Returns the template action for an expression: `{{ code }}`. */
export function action(code: string): string {
  return `{{ ${code} }}`;
}

/** The namespace into which a chart is installed. Objects of the chart without a namespace are created in it. */
export const releaseNamespace = action('.Release.Namespace');

/** Returns an expression for use as a parameter, in parentheses if they are needed. */
export function inParentheses(code: string): string {
  const isText = code.startsWith('"') && code.indexOf('"', 1) === code.length - 1;
  return code.includes(' ') && !isText ? `(${code})` : code;
}

function codeOf(data: Data): string {
  return typeof data === 'string'
    ? JSON.stringify(data)
    : isScalar(data)
      ? String(data ?? 'nil')
      : JSON.stringify(data);
}

/** Whether data is known and is not a list or a map. */
export function isScalar(data: Data | undefined): data is string | number | boolean | null {
  return data === null || ['string', 'number', 'boolean'].includes(typeof data);
}

/** Returns data as a template writes it; null is written as empty text. */
export function textOf(data: string | number | boolean | null): string {
  return data === null ? '' : String(data);
}

/** Returns a field that a map itself contains (not an inherited JavaScript property); undefined if the data is not a map or does not have the field. */
export function fieldOf(data: Data, name: string): Data | undefined {
  return isMap(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Whether data is a map rather than a list or null. */
export function isMap(data: Data | undefined): data is { readonly [key: string]: Data } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Whether `if` treats a value as true. */
export function isTrue(data: Data): boolean {
  if (Array.isArray(data)) return data.length > 0;
  if (isMap(data)) return Object.keys(data).length > 0;
  return data !== null && data !== false && data !== 0 && data !== '';
}

/** Returns the name of the data's type, as the template functions `typeOf` and `kindOf` return it. */
export function typeOf(data: Data): string {
  if (Array.isArray(data)) return 'list';
  return typeof data === 'string'
    ? 'string'
    : typeof data === 'boolean'
      ? 'bool'
      : typeof data === 'object'
        ? 'map'
        : 'number';
}

/** A map that consists of layers. If several layers contain a key, the first layer whose value is not empty takes precedence, as in `merge`. */
export interface MadeMap {
  readonly layers: readonly Layer[];
}

export type Layer =
  /** Entries that exist regardless of the values that users set. */
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, Value> }
  /** Entries that may exist: entries with one of `keys`, or with any key if `keys` is undefined. */
  | {
      readonly kind: 'others';
      readonly keys: ReadonlySet<string> | undefined;
      readonly without: ReadonlySet<string>;
      field(key: string): Value;
      /** The content of all of these entries with the default values of the chart. */
      readonly data: Data | undefined;
      /** The output of `toYaml` for these entries. */
      readonly lines: string;
      /** The template expression for these entries. */
      readonly code: string;
    };
