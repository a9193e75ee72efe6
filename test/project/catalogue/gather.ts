/** What do all the facts together say about each kind? */

import { CHILD_SAFE, FORKS, SCOPES } from './corrections.ts';
import type { Facts } from './facts.ts';
import {
  gatherEmbedded,
  gatherKeyPlace,
  gatherMinedPlaces,
  gatherPlace,
  gatherPodMakers,
  gatherTemplateLabels,
  gatherTemplates,
} from './gather-places.ts';
import { dropMissingNeighbours, gatherMinedSelectors, gatherSelectors } from './gather-selectors.ts';
import { addVersions, type Gathering, kindOf } from './gathering.ts';
import { TEMPLATES } from './templates.ts';
import { NAME_RULES } from './words.ts';

/** Gathers the facts: names first, so that a kind has its capitals; then what was looked at; then what was mined. */
export function gather(facts: Facts): Gathering {
  const gathering: Gathering = { kinds: new Map(), folded: new Map(), unmapped: new Set(), families: new Map() };
  gatherNames(facts, gathering);
  gatherTemplates(gathering);
  gatherSelectors(facts.selectors, gathering);
  for (const place of facts.places) gatherPlace(place, gathering);
  for (const place of facts.keyPlaces) gatherKeyPlace(place, gathering);
  gatherEmbedded(facts, gathering);
  gatherMinedSelectors(facts, gathering);
  dropMissingNeighbours(gathering);
  gatherMinedPlaces(facts, gathering);
  gatherPodMakers(gathering);
  gatherTemplateLabels(gathering);
  gatherScopes(gathering);
  gatherForks(gathering);
  return gathering;
}

/** A fork has its own group and is the same otherwise. */
function gatherForks({ kinds, families }: Gathering): void {
  for (const [fork, original] of Object.entries(FORKS)) {
    const record = kinds.get(original);
    const at = fork.indexOf('/');
    // What was mined of the fork has lost the capitals of its kinds.
    kinds.delete(fork.toLowerCase());
    if (record) kinds.set(fork, { ...record, group: fork.slice(0, at), kind: fork.slice(at + 1) });
    const family = families.get(original);
    if (family !== undefined) families.set(fork, family);
  }
}

/** What makes pods without being known to be cluster-scoped makes them in its own namespace. */
function gatherScopes(gathering: Gathering): void {
  for (const name of Object.keys(TEMPLATES)) {
    const record = gathering.kinds.get(name);
    if (record) record.namespaced ??= true;
  }
  for (const record of gathering.kinds.values()) {
    if (record.group === 'kubeflow.org' && record.versions.length === 0) addVersions(record, ['v1']);
  }
}

function gatherNames(facts: Facts, gathering: Gathering): void {
  for (const entry of facts.names) {
    const record = kindOf(gathering, entry.group, entry.kind);
    addVersions(record, [...entry.versions, ...Object.keys(entry.removedVersions ?? {})]);
    record.namespaced = entry.namespaced;
    if (!entry.plural.startsWith('(')) record.plural = entry.plural;
    record.shortNames = entry.shortNames;
    const rule = NAME_RULES.has(entry.nameRule) ? entry.nameRule : 'none';
    const safe = CHILD_SAFE[`${entry.group}/${entry.kind}`] ?? entry.childLimits?.safeMaxLength ?? 0;
    record.name = `${rule} ${entry.maxLength ?? 0} ${safe}`;
  }
  for (const [group, kinds] of Object.entries(facts.crdNames)) {
    for (const [kind, entry] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      addVersions(record, entry.v);
      const scope = SCOPES[`${group}/${kind}`] ?? SCOPES[`${group}/*`];
      if (scope !== 'unknown') record.namespaced = scope === 'namespaced' || entry.ns;
      record.plural = entry.plural;
      record.shortNames = entry.short ?? [];
      if (entry.name?.maxLength !== undefined) record.name = `dns1123Subdomain ${entry.name.maxLength} 0`;
    }
  }
}
