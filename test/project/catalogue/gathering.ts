/** Where are the facts gathered, and how do they find their kind? */

import type { GroupKind } from '../../../server/src/engine/catalogue/types.ts';
import type { FactTarget } from './facts.ts';
import { emptyRecord, type KindRecord, type PartRecord } from './records.ts';

/** The kinds while they are gathered, and the phrases of the facts that no table knows. */
export interface Gathering {
  readonly kinds: Map<string, KindRecord>;
  /** The same kinds by their names in lower case; the first that came is meant. */
  readonly folded: Map<string, KindRecord>;
  readonly unmapped: Set<string>;
  /** The family of each kind, for the list of what stays unknown. */
  readonly families: Map<string, string>;
}

/** Finds or opens the record of a kind; where the facts lost the capitals, the kind that has them is meant. */
export function kindOf(gathering: Gathering, group: string, kind: string): KindRecord {
  const key = `${group}/${kind}`;
  const lostCapitals = kind === kind.toLowerCase() ? gathering.folded.get(key.toLowerCase()) : undefined;
  const found = gathering.kinds.get(key) ?? lostCapitals;
  if (found) return found;
  const opened: KindRecord = { group, kind, versions: [], facts: emptyRecord(), only: new Map() };
  gathering.kinds.set(key, opened);
  if (!gathering.folded.has(key.toLowerCase())) gathering.folded.set(key.toLowerCase(), opened);
  return opened;
}

/** Adds versions that are not listed yet; the facts list them newest first. */
export function addVersions(record: KindRecord, versions: readonly string[]): void {
  for (const version of versions) {
    if (version !== '*' && !record.versions.includes(version)) record.versions.push(version);
  }
  record.versions.sort(byAge);
}

/** Orders versions as Kubernetes does: stable before beta before alpha, then the higher number. */
function byAge(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [stage === '' ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
  };
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0;
    if (value !== other) return other - value;
  }
  return a < b ? -1 : 1;
}

/** The facts that hold in these versions only. */
export function partFor(record: KindRecord, versions: readonly string[]): PartRecord {
  const key = [...versions].sort(byAge).join(' ');
  let part = record.only.get(key);
  if (!part) {
    part = emptyRecord();
    record.only.set(key, part);
  }
  return part;
}

/** A target that is a kind; descriptions in parentheses and targets given by sibling fields are none. */
export function realTarget(target: FactTarget): readonly GroupKind[] {
  const { group = '', kind = '' } = target;
  return kind === '*' || /^[A-Za-z0-9]+$/.test(kind) ? [{ group, kind }] : [];
}

/** Adds a row unless its place is already spoken of. */
export function addOnce<T extends { readonly path: string }>(rows: T[], row: T): void {
  if (!rows.some((known) => known.path === row.path)) rows.push(row);
}

/** Writes out `{a,b}` in a path. */
export function expandBraces(path: string): readonly string[] {
  const found = /^(.*?)\{([^}]*)\}(.*)$/.exec(path);
  if (!found) return [path];
  const [, before = '', choices = '', after = ''] = found;
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

/** The kinds that the facts name without their group. */
export const CARRIERS: Readonly<Record<string, GroupKind>> = {
  Pod: { group: '', kind: 'Pod' },
  Node: { group: '', kind: 'Node' },
  Service: { group: '', kind: 'Service' },
  Namespace: { group: '', kind: 'Namespace' },
  PersistentVolumeClaim: { group: '', kind: 'PersistentVolumeClaim' },
  Application: { group: 'argoproj.io', kind: 'Application' },
};
