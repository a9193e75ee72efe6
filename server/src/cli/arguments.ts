/** Which words of a command line do we understand? */

export type OptionKind = 'flag' | 'value';

export interface Arguments {
  readonly paths: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
}

/** A command line that cannot be run: one sentence for standard error. */
export class UsageError extends Error {}

/** Reads `--name value`, `--name=value`, `--flag` and paths; what follows `--` is paths. Throws a UsageError. */
export function readArguments(words: readonly string[], options: Readonly<Record<string, OptionKind>>): Arguments {
  const paths: string[] = [];
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      paths.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      paths.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = (equals === -1 ? word : word.slice(0, equals)).replace(/^--?/, '');
    const kind = Object.hasOwn(options, name) ? options[name] : undefined;
    if (kind === undefined)
      throw new UsageError(`There is no option '${word.slice(0, equals === -1 ? undefined : equals)}'.`);
    if (kind === 'flag') {
      if (equals !== -1) throw new UsageError(`The option '--${name}' takes no value.`);
      flags.add(name);
      continue;
    }
    const value = equals === -1 ? words[++index] : word.slice(equals + 1);
    if (value === undefined) throw new UsageError(`The option '--${name}' must have a value.`);
    values.set(name, value);
  }
  return { paths, values, flags };
}

/** The value of an option that must be one of a few words. */
export function choice<T extends string>(given: Arguments, name: string, allowed: readonly T[], otherwise: T): T {
  const value = given.values.get(name);
  if (value === undefined) return otherwise;
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`The option '--${name}' must be one of ${allowed.join(', ')}, not '${value}'.`);
  return found;
}
