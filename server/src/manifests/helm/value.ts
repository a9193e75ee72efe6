/** Values of template expressions, to the extent that the files of the chart determine them. */

/** Plain data of a `values.yaml`. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** Facts about a value in addition to its output. */
interface Made {
  readonly type?: 'string' | 'map' | 'list';
  /** The entries of a map that the template itself builds. */
  readonly made?: MadeMap;
  /** The items of a list that the template itself builds. */
  readonly items?: readonly Value[];
  /** The value is certainly not empty. */
  readonly filled?: true;
  /** Its output with the default values, if `data` does not determine it: actions may remain in it. */
  readonly usual?: string;
}

export interface Value extends Made {
  /** The expression with all known values inserted: equal code is the same value. */
  readonly code: string;
  /** Its output: text, and `{{ code }}` for unknown parts. */
  readonly text: string;
  /** Its data with the default values of the chart; undefined if they do not determine it. */
  readonly data: Data | undefined;
  /** `data` does not depend on values that users can set. */
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

/** Returns a value that users can set, with its default. */
export function open(code: string, data?: Data): Value {
  return {
    code,
    text: action(code),
    data,
    certain: false,
    field: (name) => {
      const below = data === undefined ? undefined : (fieldOf(data, name) ?? null);
      return open(code === '.' ? `.${name}` : `${inParentheses(code)}.${name}`, below);
    },
  };
}

/** Returns a template action with an expression: `{{ code }}`. */
export function action(code: string): string {
  return `{{ ${code} }}`;
}

/** The namespace into which a chart is installed, which is that of objects without a namespace. */
export const releaseNamespace = action('.Release.Namespace');

/** An expression in parentheses, for use as a parameter. */
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

/** Whether data is known, and neither a list nor a map. */
export function isScalar(data: Data | undefined): data is string | number | boolean | null {
  return data === null || ['string', 'number', 'boolean'].includes(typeof data);
}

/** Returns data as a template writes them; null is empty text. */
export function textOf(data: string | number | boolean | null): string {
  return data === null ? '' : String(data);
}

/** Returns an own field of a map; undefined if the data is not a map or lacks the field. */
export function fieldOf(data: Data, name: string): Data | undefined {
  return isMap(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Whether data is a map, not a list or null. */
export function isMap(data: Data | undefined): data is { readonly [key: string]: Data } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Whether `if` treats a value as true. */
export function isTrue(data: Data): boolean {
  if (Array.isArray(data)) return data.length > 0;
  if (isMap(data)) return Object.keys(data).length > 0;
  return data !== null && data !== false && data !== 0 && data !== '';
}

/** Returns the type of data as `typeOf` and `kindOf` name it. */
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

/** A map in layers. Of the layers that have a key, the first one with a value that is not empty wins, as in `merge`. */
export interface MadeMap {
  readonly layers: readonly Layer[];
}

export type Layer =
  /** Entries that exist independently of the values. */
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, Value> }
  /** Entries that may exist: with these keys, or with any. */
  | {
      readonly kind: 'others';
      readonly keys: ReadonlySet<string> | undefined;
      readonly without: ReadonlySet<string>;
      field(key: string): Value;
      /** All entries with the default values. */
      readonly data: Data | undefined;
      /** The output of `toYaml` for them. */
      readonly lines: string;
      /** Their code in a template. */
      readonly code: string;
    };
