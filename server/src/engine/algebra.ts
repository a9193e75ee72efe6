/**
 * Decides how two selectors relate: whether both can match, whether one implies the other, and which requirements are
 * redundant.
 *
 * All answers are over label sets with valid values. They are exact, and polynomial in the length of the selectors. A
 * requirement concerns one key, so a conjunction holds exactly if, for each key, the state of that key (absent, or a
 * value) lies in the domain that its requirements leave (domain.ts computes domains). So a selector can be satisfied if
 * no domain is empty; two selectors overlap if their conjunction can be satisfied; and a satisfiable selector implies a
 * requirement if its domain for that key lies within the domain of the requirement, since all other keys can be met
 * independently.
 *
 * If values are unknown, only certain answers are given: a selector can be satisfied unless it certainly cannot, and
 * implies another one only if it certainly does. For that, `weakened` turns a requirement with an unknown value into
 * one that holds whatever the value is; the consequences of the weaker requirement are consequences of the original.
 */

import {
  type Domain,
  implies as domainImplies,
  domainOf,
  isEmpty,
  type KnownRequirement,
  someValue,
} from './domain.ts';
import { isLabelValue } from './labels.ts';
import { everything, requirementsOf } from './selector.ts';
import { isUnknown, type Operator, type Requirement, type Selector } from './types.ts';

export interface Overlap {
  readonly overlaps: boolean;
  /** An example of labels that both selectors match; absent if an unknown value prevents an example. */
  readonly witness?: Readonly<Record<string, string>>;
}

/** Returns whether some label set satisfies both selectors, with an example. */
export function overlap(a: Selector, b: Selector): Overlap {
  if (a.kind === 'nothing' || b.kind === 'nothing') return { overlaps: false };
  const requirements = [...requirementsOf(a), ...requirementsOf(b)];
  const domains = domainsOf(requirements);
  if (!canHold(domains)) return { overlaps: false };
  if (isOpen(a) || isOpen(b) || requirements.some(isPartlyUnknown)) return { overlaps: true };
  const witness: [string, string][] = [];
  for (const [key, domain] of domains) {
    const value = domain.absent ? undefined : someValue(domain);
    if (value !== undefined) witness.push([key, value]);
  }
  return { overlaps: true, witness: Object.fromEntries(witness) };
}

/** Whether some label set satisfies a selector. */
export function satisfiable(selector: Selector): boolean {
  if (selector.kind === 'all' && isPlain(selector.requirements)) return true;
  return selector.kind !== 'nothing' && canHold(domainsOf(requirementsOf(selector)));
}

/** Whether the requirements are a few equalities on different keys with valid values, as in most selectors. */
function isPlain(requirements: readonly Requirement[]): boolean {
  if (requirements.length > 8) return false;
  for (const [index, { key, operator, values }] of requirements.entries()) {
    const [value] = values;
    if (operator !== '=' || typeof value !== 'string' || !isLabelValue(value)) return false;
    for (let before = 0; before < index; before++) if (requirements[before]?.key === key) return false;
  }
  return true;
}

/** Whether `b` matches every label set that `a` matches. */
export function implies(a: Selector, b: Selector): boolean {
  if (!satisfiable(a)) return true;
  if (b.kind === 'nothing' || isOpen(b)) return false;
  const domains = domainsOf(requirementsOf(a));
  const written = new Set(requirementsOf(a).map(identity));
  return requirementsOf(b).every(
    (requirement) => written.has(identity(requirement)) || follows(domains.get(requirement.key) ?? whole, requirement),
  );
}

/** Whether two selectors match the same label sets. */
export function equivalent(a: Selector, b: Selector): boolean {
  return implies(a, b) && implies(b, a);
}

/** Returns an equivalent selector without the requirements that other requirements imply; if two requirements imply each other, the first one remains. A selector that cannot be satisfied is reduced to requirements that conflict. */
export function simplify(selector: Selector): Selector {
  if (selector.kind !== 'all') return selector;
  const byKey = grouped(selector.requirements);
  const conflict = [...byKey.values()].find((group) => isEmpty(domainFor(group)));
  const groups = conflict ? [minimal(conflict, isEmpty)] : [...byKey.values()].map((group) => minimal(group, follows));
  const kept = groups.flat();
  if (selector.open) return { kind: 'all', requirements: kept, open: true };
  return kept.length === 0 ? everything : { kind: 'all', requirements: kept };
}

/** The maximum number of requirements on one key that are compared with each other. Only hostile files contain more; in that case, only duplicate requirements are dropped. */
const maxCompared = 1000;

/** Drops requirements that the remaining ones imply, from the last to the first. All requirements are on one key. */
function minimal(
  group: readonly Requirement[],
  isSuperfluous: (others: Domain, requirement: Requirement) => boolean,
): readonly Requirement[] {
  const kept = [...new Map(group.toReversed().map((requirement) => [identity(requirement), requirement])).values()];
  kept.reverse();
  if (kept.length > maxCompared) return kept;
  for (let index = kept.length - 1; index >= 0; index--) {
    const requirement = kept[index];
    const others = domainFor(kept.toSpliced(index, 1));
    if (requirement && isSuperfluous(others, requirement)) kept.splice(index, 1);
  }
  return kept;
}

/** The domain of a key without requirements. */
const whole: Domain = domainOf([]);

function isOpen(selector: Selector): boolean {
  return selector.kind === 'all' && selector.open === true;
}

function canHold(domains: ReadonlyMap<string, Domain>): boolean {
  for (const domain of domains.values()) if (isEmpty(domain)) return false;
  return true;
}

function follows(domain: Domain, { key, operator, values }: Requirement): boolean {
  const known = values.filter((value) => typeof value === 'string');
  if (known.length === values.length) return domainImplies(domain, { key, operator, values: known });
  // In a list of allowed values, an unknown value can only allow more values; an excluded unknown value may be any
  // value.
  if (operator === 'in') return domainImplies(domain, { key, operator, values: known });
  return (operator === '!=' || operator === 'notin') && domainImplies(domain, { key, operator: '!', values: [] });
}

function domainFor(requirements: readonly Requirement[]): Domain {
  return domainOf(requirements.map(weakened));
}

function domainsOf(requirements: readonly Requirement[]): ReadonlyMap<string, Domain> {
  const domains = new Map<string, Domain>();
  for (const [key, group] of grouped(requirements)) domains.set(key, domainFor(group));
  return domains;
}

function grouped(requirements: readonly Requirement[]): ReadonlyMap<string, Requirement[]> {
  const byKey = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    const group = byKey.get(requirement.key);
    if (group) group.push(requirement);
    else byKey.set(requirement.key, [requirement]);
  }
  return byKey;
}

/** Returns a requirement without unknown values that holds whenever the given requirement holds. */
function weakened(requirement: Requirement): KnownRequirement {
  const { key, operator, values } = requirement;
  const known = values.filter((value) => typeof value === 'string');
  if (known.length === values.length) return { key, operator, values: known };
  return operator === '!=' || operator === 'notin'
    ? { key, operator: 'notin', values: known }
    : { key, operator: 'exists', values: [] };
}

function isPartlyUnknown({ values }: Requirement): boolean {
  return values.some(isUnknown);
}

/** Returns a string that is the same for requirements with the same key, equivalent operators and the same values, known or unknown. */
function identity({ key, operator, values }: Requirement): string {
  const names = values.map((value) => (isUnknown(value) ? [value.unknown] : value));
  return JSON.stringify([key, synonyms.get(operator) ?? operator, names]);
}

const synonyms: ReadonlyMap<Operator, Operator> = new Map([
  ['=', 'in'],
  ['==', 'in'],
  ['!=', 'notin'],
]);
