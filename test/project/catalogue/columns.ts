/**
 * Column types of the fact tables: each accepts some JSON values, and describes them for the message about any other
 * value.
 */

/** One type of values. `allowed` completes the sentence "must be …". */
export interface Column<T> {
  readonly allowed: string;
  readonly is: (value: unknown) => value is T;
}

/** A column that a line may leave out. */
export interface Optional<T> extends Column<T> {
  readonly optional: true;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

type ValueOf<C> = C extends Column<infer T> ? T : never;
type OptionalNames<C> = { [K in keyof C]: C[K] extends Optional<unknown> ? K : never }[keyof C];

/** An object with these columns and no others. */
export type Row<C extends Columns> = {
  readonly [K in Exclude<keyof C, OptionalNames<C>>]: ValueOf<C[K]>;
} & { readonly [K in OptionalNames<C>]?: ValueOf<C[K]> };

/** Text that matches `pattern`. */
export function text(pattern: RegExp, allowed: string): Column<string> {
  return { allowed, is: (value): value is string => typeof value === 'string' && pattern.test(value) };
}

/** One of these words. */
export function word<W extends string>(...words: readonly W[]): Column<W> {
  return { allowed: `one of ${words.join(', ')}`, is: (value): value is W => words.some((each) => each === value) };
}

/** `true`; the column is left out for `false`. */
export const flag: Column<true> = {
  allowed: 'true, or left out',
  is: (value): value is true => value === true,
};

/** `true` or `false`. */
export const truth: Column<boolean> = {
  allowed: 'true or false',
  is: (value): value is boolean => typeof value === 'boolean',
};

/** A whole number from 1 up. */
export const count: Column<number> = {
  allowed: 'a whole number from 1 up',
  is: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
};

/** A list of items of one type. */
export function list<T>(item: Column<T>): Column<readonly T[]> {
  return {
    allowed: `a list whose items must be ${item.allowed}`,
    is: (value): value is readonly T[] => Array.isArray(value) && value.every((each) => item.is(each)),
  };
}

/** A map from texts to texts. */
export const texts: Column<Readonly<Record<string, string>>> = {
  allowed: 'an object whose values are texts',
  is: (value): value is Readonly<Record<string, string>> =>
    isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
};

/** A value of one of two types. */
export function either<A, B>(one: Column<A>, other: Column<B>): Column<A | B> {
  return {
    allowed: `${one.allowed}, or ${other.allowed}`,
    is: (value): value is A | B => one.is(value) || other.is(value),
  };
}

/** An object with these columns and no others. */
export function shape<C extends Columns>(columns: C): Column<Row<C>> {
  const names = Object.keys(columns).map((name) => (isOptional(columns[name]) ? `${name}?` : name));
  return {
    allowed: `an object { ${names.join(', ')} }`,
    is: (value): value is Row<C> => problemsOf(columns, value).length === 0,
  };
}

/** A column that a line may leave out. */
export function optional<T>(column: Column<T>): Optional<T> {
  return { ...column, optional: true };
}

/** The problems of a value that must be a row, and the allowed values; empty for a row. */
export function problemsOf(columns: Columns, value: unknown): readonly string[] {
  if (!isObject(value)) return ['must be a JSON object'];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(columns, name));
  return [
    ...unknown.map((name) => `unknown column '${name}'; allowed: ${Object.keys(columns).join(', ')}`),
    ...Object.entries(columns).flatMap(([name, column]) => {
      if (!Object.hasOwn(value, name)) {
        return isOptional(column) ? [] : [`column '${name}' is missing; it must be ${column.allowed}`];
      }
      return column.is(value[name]) ? [] : [`${name} is ${JSON.stringify(value[name])}; it must be ${column.allowed}`];
    }),
  ];
}

function isOptional(column: Column<unknown> | undefined): boolean {
  return column !== undefined && 'optional' in column;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
