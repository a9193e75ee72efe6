/** Finds changes of immutable fields in an update of an object; the API server rejects or ignores such changes. */

import { once } from '../memoize.ts';
import { amountOf } from '../quantity.ts';
import { fieldOf } from '../structured.ts';
import { type Answer, isUnknown } from '../types.ts';
import { below, type FieldPatterns, fieldPatterns, patternsAt, stepsOf } from './field-patterns.ts';
import type {
  ImmutableCondition,
  ImmutableData,
  ImmutableFact,
  ImmutableKind,
  StoredFact,
  StoredRow,
} from './immutable-facts.ts';
import { type FieldPath, storedDifference, storedField } from './stored-difference.ts';
import { storedGroup } from './stored-group.ts';
import type { ImmutableChange } from './types.ts';

/** The consequence of deleting and recreating an object, for kinds without a more specific consequence. */
const usualConsequence = 'it does not exist in the meantime';

export interface ImmutableFields {
  changes(old: unknown, fresh: unknown, kubernetesVersion?: string): readonly ImmutableChange[];
  ignored(old: unknown, fresh: unknown): readonly Pick<ImmutableChange, 'path' | 'at'>[];
  has(group: string, kind: string): boolean;
  /** Whether the value at a path affects which fields of a kind are immutable. */
  decides(group: string, kind: string, path: string): boolean;
  /** Whether a field at or below a path of a kind, or a field that contains the path, cannot change. */
  covers(group: string, kind: string, path: string): boolean;
}

/** Opens the facts lazily: the first lookup calls `read`. */
export function openImmutableFields(read: () => ImmutableData): ImmutableFields {
  const data = once(read);
  const kinds = new Map<string, Known>();
  const known = (name: string): Known => {
    const found = kinds.get(name) ?? knownOf(data(), name);
    kinds.set(name, found);
    return found;
  };
  const all = (old: unknown, fresh: unknown, version: string | undefined, isIgnored: boolean) => {
    const name = itemNameOf(fresh);
    if (name === undefined || !isSameObject(old, fresh)) return [];
    const own = known(name);
    const found = [...own.facts, ...known('*/*').facts]
      .filter((fact) => isWithoutEffect(fact) === isIgnored)
      .flatMap((fact) => changesBy(fact, { old, fresh, stored: own.stored, version }));
    const paths = new Set<string>();
    return found
      .filter(({ path }) => !paths.has(path) && paths.add(path))
      .map((each) => ({ ...each, recreate: own.recreate ?? usualConsequence }));
  };
  return {
    changes: (old, fresh, version) => all(old, fresh, version, false),
    ignored: (old, fresh) => all(old, fresh, undefined, true).map(({ path, at }) => ({ path, at })),
    has: (group, kind) => known(`${group}/${kind}`).facts.some((fact) => !isWithoutEffect(fact)),
    decides: (group, kind, path) =>
      known(`${group}/${kind}`).facts.some(({ when = [], unless = [] }) =>
        [...when, ...unless].some(
          ({ at, equals }) => isWithin(at, path) || (equals !== undefined && isWithin(equals, path)),
        ),
      ),
    covers: (group, kind, path) =>
      known(`${group}/${kind}`).facts.some((fact) => {
        if (isWithoutEffect(fact)) return false;
        if (fact.path.startsWith(`${path}.`)) return true;
        if (path !== fact.path && !path.startsWith(`${fact.path}.`)) return false;
        const rest = path.slice(fact.path.length + 1);
        return !fact.except?.some((each) => rest === each || rest.startsWith(`${each}.`));
      }),
  };
}

/** The facts on one kind. */
interface Known {
  readonly facts: readonly ImmutableFact[];
  readonly stored: FieldPatterns<StoredFact>;
  readonly recreate: string | undefined;
}

function knownOf(data: ImmutableData, name: string): Known {
  const kind: ImmutableKind | undefined = Object.hasOwn(data.kinds, name) ? data.kinds[name] : undefined;
  const embedded = (kind?.embeds ?? []).flatMap(([path, type]) =>
    (data.types[type] ?? []).map(([inside, fact]): StoredRow => [`${path}.${inside}`, fact]),
  );
  // The facts of a kind are more specific than those of its types.
  const rows = [...embedded, ...(kind?.stored ?? [])];
  return { facts: kind?.immutable ?? [], stored: fieldPatterns(rows), recreate: kind?.recreate };
}

/** Returns the `group/kind` of a manifest, with the group in which it is stored; undefined for a value that is not a Kubernetes object. */
function itemNameOf(value: unknown): string | undefined {
  const [version, kind] = [fieldOf(value, 'apiVersion'), fieldOf(value, 'kind')];
  if (typeof version !== 'string' || typeof kind !== 'string') return undefined;
  const slash = version.indexOf('/');
  return `${storedGroup({ group: slash < 0 ? '' : version.slice(0, slash), kind })}/${kind}`;
}

/** Whether both manifests describe the same object; otherwise, the new manifest creates a second object. */
function isSameObject(old: unknown, fresh: unknown): boolean {
  const metadata = [fieldOf(old, 'metadata'), fieldOf(fresh, 'metadata')] as const;
  const [name, other] = metadata.map((each) => fieldOf(each, 'name'));
  const [namespace, otherNamespace] = metadata.map((each) => fieldOf(each, 'namespace') ?? '');
  return (
    itemNameOf(old) === itemNameOf(fresh) && typeof name === 'string' && name === other && namespace === otherNamespace
  );
}

interface Update {
  readonly old: unknown;
  readonly fresh: unknown;
  readonly stored: FieldPatterns<StoredFact>;
  readonly version: string | undefined;
}

type Change = Pick<ImmutableChange, 'path' | 'at' | 'message'>;

function changesBy(fact: ImmutableFact, update: Update): readonly Change[] {
  const { versions, when, unless, message = '' } = fact;
  if (versions !== undefined && !versions.includes(versionOf(update.fresh))) return [];
  if (when?.some((each) => answer(each, update) !== 'yes')) return [];
  if (unless !== undefined && !unless.some((each) => answer(each, update) === 'no')) return [];
  const steps = stepsOf(fact.path);
  const [old, fresh] = [valueAt(update.old, steps, update.stored), valueAt(update.fresh, steps, update.stored)];
  return differences(fact, old, fresh, update).map((inside) => {
    const at = [...steps, ...inside];
    return { path: shownPath(fact.path, at), at, message };
  });
}

function isWithin(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}.`);
}

function isWithoutEffect({ compare }: ImmutableFact): boolean {
  return compare === 'ignored' || compare === 'removalIgnored';
}

/** Returns the paths at which the values of a field differ; if all of `spec` is compared, returns a path for each field of `spec` that differs. */
function differences(fact: ImmutableFact, old: unknown, fresh: unknown, update: Update): readonly FieldPath[] {
  const stored = patternsAt(update.stored, fact.path);
  const { except = [], exceptSince = {}, mayBeAdded = [] } = fact;
  const isFree = (path: string) => !isOlder(update.version, exceptSince[path]);
  const free = fieldPatterns<'always' | 'added'>([
    ...except.filter(isFree).map((path) => [path, 'always'] as const),
    ...mayBeAdded.map((path) => [path, 'added'] as const),
  ]);
  const differ = (a: unknown, b: unknown) => storedDifference(a, b, { stored, free });
  const whole = (path: FieldPath | undefined) => (path === undefined ? [] : [path]);
  const isMissing = isNone(fresh) || isUnknown(fresh);
  switch (fact.compare) {
    case 'ignored':
      return isNone(fresh) ? [] : whole(differ(old, fresh));
    case 'removalIgnored':
      return isMissing && !isUnknown(fresh) && !isNone(old) ? [[]] : [];
    case 'equal': {
      if (fact.path !== 'spec') return whole(differ(old, fresh));
      const sides = [old, fresh].map((each) => (isUnknown(each) ? fieldOf(each, 'entries') : each));
      const keys = new Set(sides.flatMap((each) => Object.keys(Object(each))));
      return [...keys].flatMap((key) => {
        // A field that only one manifest contains may also exist in the other manifest if that manifest is partly
        // unknown.
        const isMaybe = (side: number) => isUnknown([old, fresh][side]) && fieldOf(sides[side], key) === undefined;
        if (isMaybe(0) || isMaybe(1)) return [];
        const inside = { stored: below(stored, key), free: below(free, key) };
        const [a, b] = sides.map((each) => storedField(each, key, { stored }));
        return whole(storedDifference(a, b, inside)).map((path) => [key, ...path]);
      });
    }
    case 'set':
      return whole(differ(sorted(old), sorted(fresh)));
    case 'firstItem':
      return isNone(fieldAt(old, 0)) || isNone(fieldAt(fresh, 0))
        ? []
        : whole(differ(fieldAt(old, 0), fieldAt(fresh, 0)));
    case 'prefix': {
      const items = Array.isArray(old) ? old : [];
      return whole(differ(old, Array.isArray(fresh) ? fresh.slice(0, Math.max(1, items.length)) : fresh));
    }
    case 'onceSet':
      return isNone(old) ? [] : whole(differ(old, fresh));
    case 'kept':
      return isNone(old) || isMissing ? [] : whole(differ(old, fresh));
    case 'address':
      if (isMissing) return [];
      // For an address that the old manifest does not set, the API server allocated a value that no file contains.
      if (isNone(old)) return fresh === 'None' ? [[]] : [];
      return whole(differ(old, fresh));
    case 'flag':
      return old === true && fresh !== true && !isUnknown(fresh) ? [[]] : [];
    case 'notSmaller': {
      const [was, is] = [amountOf(old), amountOf(fresh)];
      return was !== undefined && is !== undefined && is < was ? [[]] : [];
    }
  }
}

/** Whether a condition is true; *maybe* if it depends on an unknown value. */
function answer(condition: ImmutableCondition, update: Update): Answer {
  const objects = { old: [update.old], new: [update.fresh], both: [update.old, update.fresh] };
  const answers = objects[condition.of].map((object): Answer => {
    const value = valueAt(object, stepsOf(condition.at), update.stored);
    if (isUnknown(value)) return 'maybe';
    if (condition.equals !== undefined) {
      const other = valueAt(object, stepsOf(condition.equals), update.stored);
      return isUnknown(other) ? 'maybe' : yesIf(!isNone(value) && value === other);
    }
    if (condition.mentions !== undefined) return yesIf(mentions(value, condition.mentions));
    if (condition.not !== undefined) return yesIf(value !== condition.not);
    return yesIf(condition.is === null ? isNone(value) : value === condition.is);
  });
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes';
}

function yesIf(isTrue: boolean): Answer {
  return isTrue ? 'yes' : 'no';
}

/** Returns the value at a path, with its default if it is absent. */
function valueAt(object: unknown, steps: readonly string[], stored: FieldPatterns<StoredFact>): unknown {
  let value = object;
  let known: FieldPatterns<StoredFact> | undefined = stored;
  for (const step of steps) {
    if (isUnknown(value)) {
      const entries = fieldOf(value, 'entries');
      // It is unknown whether the field exists, and which value it has.
      if (fieldOf(entries, step) === undefined) return { unknown: value.unknown };
      value = entries;
    }
    value = fieldOf(value, step) ?? undefined;
    known = below(known, step);
  }
  const fact = known?.fact;
  return value ?? (fact?.unless === undefined ? fact?.default : undefined);
}

/** Returns the path as the API server reports it: a field of `spec` or `metadata`, otherwise a field of the object. */
function shownPath(path: string, at: FieldPath): string {
  if (path.includes('[')) return path;
  const [first = '', second] = at;
  return (first === 'spec' || first === 'metadata') && second !== undefined ? `${first}.${second}` : String(first);
}

function versionOf(object: unknown): string {
  const version = fieldOf(object, 'apiVersion');
  return typeof version === 'string' ? version.slice(version.indexOf('/') + 1) : '';
}

/** Whether one release of Kubernetes is older than another; false for an unknown release. */
function isOlder(version: string | undefined, than: string | undefined): boolean {
  const [minor, other] = [version, than].map((each) => /^1\.([0-9]{1,4})$/.exec(each ?? '')?.[1]);
  return minor !== undefined && other !== undefined && Number(minor) < Number(other);
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function fieldAt(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].toSorted() : value;
}

/** The maximum nesting depth that is searched; real objects are less deeply nested. */
const maximumDepth = 20;

function mentions(value: unknown, text: string, depth = 0): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null || depth > maximumDepth) return false;
  return Object.entries(value).some(([key, each]) => key.includes(text) || mentions(each, text, depth + 1));
}
