/** What does an expression of a template stand for, as far as the files of its chart tell? */

/** Plain data of a `values.yaml`. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** What is known of a value beside what it writes. */
interface Made {
  readonly type?: 'string' | 'map' | 'list';
  /** Of a map that the template itself makes: its entries. */
  readonly made?: MadeMap;
  /** Of a list that the template itself makes: its items. */
  readonly items?: readonly Value[];
  /** It is not empty, whatever it is. */
  readonly filled?: true;
  /** What it writes unless somebody chooses otherwise, where `data` does not tell: actions may be left in it. */
  readonly usual?: string;
}

export interface Value extends Made {
  /** The expression with all that is known put in: two that read the same are the same value. */
  readonly code: string;
  /** What it writes: text, and `{{ code }}` where that is not known. */
  readonly text: string;
  /** What it is with the defaults of the chart; undefined where they do not tell. */
  readonly data: Data | undefined;
  /** It is that, whatever anybody chooses. */
  readonly certain: boolean;
  field(name: string): Value;
}

/** What holds whatever anybody chooses. */
export function known(data: Data, code = codeOf(data)): Value {
  return {
    code,
    text: isScalar(data) ? textOf(data) : action(code),
    data,
    certain: true,
    field: (name) => known(fieldOf(data, name) ?? null, `${code}.${name}`),
  };
}

/** What somebody may choose, with its default. */
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

export function action(code: string): string {
  return `{{ ${code} }}`;
}

/** Where a chart is installed: where an object is that names no namespace. */
export const releaseNamespace = action('.Release.Namespace');

/** An expression as a parameter of another. */
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

export function isScalar(data: Data | undefined): data is string | number | boolean | null {
  return data === null || ['string', 'number', 'boolean'].includes(typeof data);
}

/** As a template writes it; what is not there writes nothing. */
export function textOf(data: string | number | boolean | null): string {
  return data === null ? '' : String(data);
}

export function fieldOf(data: Data, name: string): Data | undefined {
  return isMap(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

export function isMap(data: Data | undefined): data is { readonly [key: string]: Data } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Whether `if` takes it for true. */
export function isTrue(data: Data): boolean {
  if (Array.isArray(data)) return data.length > 0;
  if (isMap(data)) return Object.keys(data).length > 0;
  return data !== null && data !== false && data !== 0 && data !== '';
}

/** As `typeOf` and `kindOf` call it. */
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

/** Of layers that have a key, the first counts whose value is not empty: as `merge` has it. */
export interface MadeMap {
  readonly layers: readonly Layer[];
}

export type Layer =
  /** Entries that are there, whatever anybody chooses. */
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, Value> }
  /** Entries that may be there: of these keys, or of any. */
  | {
      readonly kind: 'others';
      readonly keys: ReadonlySet<string> | undefined;
      readonly without: ReadonlySet<string>;
      field(key: string): Value;
      /** All of them, unless somebody chooses otherwise. */
      readonly data: Data | undefined;
      /** What `toYaml` writes of them. */
      readonly lines: string;
      /** What a template calls them. */
      readonly code: string;
    };
