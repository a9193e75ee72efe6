/** The fields of objects that the API server knows. Structures are deserialized lazily, one at a time. */

import { getOrAdd, once } from '../memoize.ts';

/** A map with named fields. */
export interface Structure {
  readonly fields: ReadonlyMap<string, StructureField>;
  /** Fields without which the API server certainly rejects the object. */
  readonly required: readonly string[];
  /** Whether the API server keeps fields that are not listed in `fields` (`x-kubernetes-preserve-unknown-fields`). */
  readonly open: boolean;
}

/** The type of a scalar. */
export type FieldScalar = 'string' | 'integer' | 'number' | 'boolean' | 'quantity';

export interface StructureField {
  /** The structure of the field's value; undefined if the value has no named fields, or may have arbitrary fields. */
  readonly structure: Structure | undefined;
  /** The type of the field's value if it certainly is a scalar of one type, or null. */
  readonly scalar?: FieldScalar | undefined;
  /** Whether the structure or the type describes the value itself, each item of a list, or each value of a map. */
  readonly has: 'value' | 'items' | 'values';
}

/** The structures of kinds by `apiVersion` and `kind`. */
export interface Structures {
  kind(apiVersion: string, kind: string): Structure | undefined;
  /** Returns the names of all kinds in an API version. */
  names(apiVersion: string): readonly string[];
  /** Returns the structures of all kinds in an API version. */
  kinds(apiVersion: string): readonly Structure[];
  /** Returns the fields of `metadata`, which every object has. */
  metadata(): Structure | undefined;
}

/** Opens the serialized structures (the result of `serializeStructures`) lazily. */
export function openStructures(read: () => string): Structures {
  const opened = once(() => {
    const [count = '0', ...lines] = read().split('\n');
    const end = Number.parseInt(count, 36);
    const versions = lines.slice(end).map((line) => {
      const at = line.indexOf(' ');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    });
    return { structureAt: structureTable(lines.slice(0, end)), versions: new Map(versions) };
  });
  const numbers = new Map<string, ReadonlyMap<string, string>>();
  const numbersOf = (apiVersion: string): ReadonlyMap<string, string> | undefined => {
    const line = opened().versions.get(apiVersion);
    if (line === undefined) return undefined;
    return getOrAdd(numbers, apiVersion, () => new Map(line.split(' ').map((each) => splitAt(each, '='))));
  };
  const kind = (apiVersion: string, name: string): Structure | undefined => {
    const number = numbersOf(apiVersion)?.get(name);
    return number === undefined ? undefined : opened().structureAt(number);
  };
  return {
    kind,
    names: (apiVersion) => [...(numbersOf(apiVersion)?.keys() ?? [])],
    kinds: (apiVersion) =>
      [...(numbersOf(apiVersion)?.values() ?? [])].flatMap((number) => opened().structureAt(number) ?? []),
    metadata: () => kind('v1', 'ConfigMap')?.fields.get('metadata')?.structure,
  };
}

/** Returns a function that looks up structures by their line numbers in base 36; each structure is deserialized lazily. */
function structureTable(lines: readonly string[]): (number: string) => Structure | undefined {
  const read = new Map<string, Structure>();
  const structureAt = (number: string): Structure | undefined => {
    const known = read.get(number);
    if (known !== undefined) return known;
    const line = lines[Number.parseInt(number, 36)];
    if (line === undefined) return undefined;
    const structure = readStructure(line, structureAt);
    read.set(number, structure);
    return structure;
  };
  return structureAt;
}

/** The word in a line that marks a structure as open. */
export const openMark = '...';

/** The letters that serialized structures contain in place of the number of a structure, for scalars. */
export const scalarMarks = { string: 'S', integer: 'I', number: 'N', boolean: 'B', quantity: 'Q' } as const;

const scalars: ReadonlyMap<string, FieldScalar> = new Map([
  [scalarMarks.string, 'string'],
  [scalarMarks.integer, 'integer'],
  [scalarMarks.number, 'number'],
  [scalarMarks.boolean, 'boolean'],
  [scalarMarks.quantity, 'quantity'],
]);

/** Parses the serialized form of one structure: `name required! one=STRUCTURE list+STRUCTURE map*STRUCTURE text=S ...`. */
function readStructure(line: string, structureAt: (number: string) => Structure | undefined): Structure {
  const fields = new Map<string, StructureField>();
  const required: string[] = [];
  const words = line === '' ? [] : line.split(' ');
  for (const word of words) {
    if (word === openMark) continue;
    const at = word.search(/[=+*]/);
    const [named, how, number] = at === -1 ? [word, '', ''] : [word.slice(0, at), word[at], word.slice(at + 1)];
    const isRequired = named.endsWith('!');
    const name = isRequired ? named.slice(0, -1) : named;
    if (isRequired) required.push(name);
    const scalar = scalars.get(number);
    fields.set(name, {
      ...(scalar && { scalar }),
      has: how === '*' ? 'values' : how === '+' ? 'items' : 'value',
      get structure() {
        return how === '' || scalar !== undefined ? undefined : structureAt(number);
      },
    });
  }
  return { fields, required, open: words.includes(openMark) };
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

const everyObject = ['apiVersion', 'kind', 'metadata'];

/** Deserializes the structure of one kind from text that contains the line number of the root, and then one line for each structure. */
export function openSerialized(text: string): Structure | undefined {
  const [number = '', ...lines] = text.split('\n');
  const root = structureTable(lines)(number);
  if (root === undefined) return undefined;
  // A schema does not have to repeat the fields that every object has, and does not describe `metadata`.
  const own = everyObject.map((name): [string, StructureField] => [name, { structure: undefined, has: 'value' }]);
  return { ...root, fields: new Map([...root.fields, ...own]) };
}

/** Returns the structure of the map at a path such as `spec.containers[0].env`; undefined if its fields are unknown. */
export function structureAt(root: Structure, path: string): Structure | undefined {
  let structure: Structure | undefined = root;
  let isValue = false;
  for (const key of path === '' ? [] : path.replaceAll(/\[\d+\]/g, '').split('.')) {
    // The keys of a map are not fields.
    if (isValue) {
      isValue = false;
      continue;
    }
    const field: StructureField | undefined = structure?.fields.get(key);
    isValue = field?.has === 'values';
    structure = field?.structure;
  }
  return structure;
}
