/** Finds references to ports, keys, volumes and other parts of objects that exist in one state of a workspace but not in the other. */

import { isBuiltIn } from '../engine/catalogue/built-in-groups.ts';
import type { DataKeys, ReferenceSite, ServicePort } from '../manifests/model.ts';
import { isAnyPart, localTargets, nodesBeside } from '../manifests/sites/references.ts';
import { childOf, mayHoldMore } from '../manifests/yaml/tree.ts';
import type { Side } from '../workspace/base.ts';
import { mayGetKeys } from '../workspace/references/changed-later.ts';
import type { ReferenceTarget } from '../workspace/references/model.ts';
import { producersOf, targetsOf } from '../workspace/references/targets.ts';
import { type BrokenPart, keysIn, partsOf, portsOfService, type SidedPair, targetVersions } from './object-parts.ts';
import { brokenSelectedPorts } from './selected-ports.ts';
import { isWrittenAsBefore, type Sided, sourceOf, wholeTree } from './update-data.ts';

/** Returns the references of an object to parts that certainly exist no longer, or that a changed reference newly names. `arePortsChanged` states whether the ports of any objects may differ. */
export function brokenParts(pair: SidedPair, arePortsChanged: boolean): readonly BrokenPart[] {
  const { before, after } = pair;
  const [was, is] = [sourceOf(before.side, before.applied), sourceOf(after.side, after.applied)];
  if (was === undefined || is === undefined) return [];
  const isChanged = !isWrittenAsBefore(before, after);
  const sites = isChanged ? partsOf(after)?.sites : is.object.references;
  const found = new Map<string, MissingPart>();
  for (const site of sites ?? []) {
    if (site.fact.guessed || site.optional || typeof site.name.value !== 'string') continue;
    if (site.fact.local === undefined && site.keys === undefined && site.fact.portAt === undefined) continue;
    for (const each of missingAt(after, site, isChanged ? undefined : before)) found.set(keyOf(each), each);
  }
  const broken = found.size === 0 ? [] : [...newlyMissing(found, before)];
  return [...broken, ...brokenSelectedPorts(pair, isChanged, arePortsChanged)];
}

/** A missing part; with `isTarget`, the port of a Service is missing, but the Service has it as a target port. */
interface MissingPart extends BrokenPart {
  readonly isTarget?: boolean;
}

/** Yields the parts that were not already missing in the older state, and determines which of them existed. */
function* newlyMissing(found: ReadonlyMap<string, MissingPart>, before: Sided): Iterable<BrokenPart> {
  const sites = partsOf(before)?.sites;
  // If the older state is unknown, the part may already have been missing.
  if (sites === undefined) return;
  const known = new Set(sites.flatMap((site) => [...missingAt(before, site)].map(keyOf)));
  const existed = new Set(sites.flatMap((site) => namedAt(before, site)));
  for (const [key, { isTarget, ...part }] of found)
    if (!known.has(key) && !(isTarget && !existed.has(key))) yield { ...part, existed: existed.has(key) };
}

function keyOf({ path, is, name, part }: BrokenPart): string {
  return JSON.stringify([path, is === 'key' || is === 'port' ? name : '', part]);
}

/** Returns the keys of the parts that a reference names. */
function namedAt(sided: Sided, site: ReferenceSite): readonly string[] {
  const { fact, name, keys } = site;
  if (fact.local !== undefined) {
    const owner = sided.applied.object.name?.text ?? '';
    return ['', owner].map((each) => JSON.stringify([fact.path, each, name.text]));
  }
  const parts = keys?.map(({ text }) => text) ?? portBeside(sided, site) ?? [];
  return [parts].flat().map((part) => JSON.stringify([fact.path, name.text, part]));
}

/** Yields the parts that a reference of an object names and that are certainly missing. With `earlier`, only targets that differ from those in the earlier state of the same object are considered. */
function* missingAt(sided: Sided, site: ReferenceSite, earlier?: Sided): Iterable<MissingPart> {
  if (site.fact.local !== undefined) yield* missingLocally(sided, site);
  else if (site.keys !== undefined) yield* missingKeys(sided, site, earlier);
  else if (site.fact.portAt !== undefined) yield* missingPort(sided, site, earlier);
}

const localParts: ReadonlyMap<string, BrokenPart['is']> = new Map([
  ['volumes[].name', 'volume'],
  ['ports[].name', 'port'],
  ['resourceClaims[].name', 'resource claim'],
  ['containers[].name', 'container'],
]);

function* missingLocally(sided: Sided, site: ReferenceSite): Iterable<BrokenPart> {
  const { object } = sided.applied;
  const { fact, name } = site;
  const [at = ''] = fact.local ?? [];
  const is = localParts.get(at.split('.').slice(-2).join('.'));
  // The controllers of custom resources may add parts.
  if (is === undefined || !isBuiltIn(object.group)) return;
  if (is === 'port' && /^\d*$/.test(name.text)) return;
  const root = wholeTree(sided);
  if (root === undefined || isAnyPart(root, site, mayHoldMore)) return;
  if (localTargets(root, site).some(({ text }) => text === name.text)) return;
  const isCreatedLater =
    object.templates.length === 0 || object.references?.some(({ fact: { form } }) => form === 'claim');
  const isRejected = (is === 'volume' || is === 'resource claim') && isCreatedLater !== true;
  const owner = { kind: object.kind, name: object.name?.text ?? '' };
  yield { path: fact.path, is, part: name.text, ...owner, existed: false, ...(isRejected && { isRejected }) };
}

/** Returns the targets of a reference in a state; undefined if they are the same as in an earlier state, so that nothing new is missing. */
function changedTargets(
  { side, applied }: Sided,
  site: ReferenceSite,
  earlier: Sided | undefined,
): readonly ReferenceTarget[] | undefined {
  const where = sourceOf(side, applied);
  if (where === undefined) return undefined;
  const catalogue = side.catalogueOf(where.file.uri);
  const targets = targetsOf(side.workspace, catalogue, where, site);
  if (earlier === undefined) return targets;
  const from = sourceOf(earlier.side, earlier.applied);
  if (from === undefined) return undefined;
  const old = targetsOf(earlier.side.workspace, earlier.side.catalogueOf(from.file.uri), from, site);
  const isSame =
    old.length === targets.length &&
    targets.every((each, index) => isSameTarget({ side, applied }, each, earlier, old[index]));
  return isSame ? undefined : targets;
}

function isSameTarget(now: Sided, target: ReferenceTarget, earlier: Sided, old: ReferenceTarget | undefined): boolean {
  if (old === undefined) return false;
  const [versions, earlierVersions] = [
    targetVersions(now.side, now.applied.builtBy, target),
    targetVersions(earlier.side, earlier.applied.builtBy, old),
  ];
  if (versions === undefined || earlierVersions === undefined)
    return versions === earlierVersions && JSON.stringify(textsOf(target.keys)) === JSON.stringify(textsOf(old.keys));
  return (
    versions.length === earlierVersions.length &&
    versions.every((applied, index) => {
      const before = earlierVersions[index];
      return (
        before !== undefined && isWrittenAsBefore({ side: earlier.side, applied: before }, { side: now.side, applied })
      );
    })
  );
}

function textsOf(keys: DataKeys | undefined): readonly unknown[] | undefined {
  return keys && [keys.keys.map(({ text }) => text), keys.open];
}

function* missingKeys(sided: Sided, site: ReferenceSite, earlier: Sided | undefined): Iterable<BrokenPart> {
  const { side, applied } = sided;
  const found = changedTargets(sided, site, earlier);
  const [first] = found ?? [];
  if (found === undefined || first === undefined) return;
  const where = sourceOf(side, applied);
  const producers = where && producersOf(side.workspace, side.catalogueOf(where.file.uri), where, site);
  const all = [...found, ...(producers ?? [])].map((target) => keysOfTarget(side, applied.builtBy, target));
  // A program may add keys.
  if (all.some((each) => each === undefined || each.open)) return;
  const known = new Set(all.flatMap((each) => each?.keys.map(({ text }) => text) ?? []));
  for (const key of site.keys ?? [])
    if (typeof key.value === 'string' && !known.has(key.text))
      yield { path: site.fact.path, is: 'key', part: key.text, kind: first.kind, name: site.name.text, existed: false };
}

function keysOfTarget(side: Side, scope: Sided['applied']['builtBy'], target: ReferenceTarget): DataKeys | undefined {
  if (target.object !== undefined && mayGetKeys(target.object)) return undefined;
  const versions = targetVersions(side, scope, target);
  if (versions === undefined) return target.keys;
  const all = versions.map((applied) => keysIn({ side, applied }));
  const keys = all.flatMap((each) => each?.keys ?? []);
  return { keys, open: all.length === 0 || all.some((each) => each === undefined || each.open) };
}

function* missingPort(sided: Sided, site: ReferenceSite, earlier: Sided | undefined): Iterable<MissingPart> {
  const { side, applied } = sided;
  const found = changedTargets(sided, site, earlier);
  const [first] = found ?? [];
  if (found === undefined || first === undefined) return;
  const port = portBeside(sided, site);
  if (port === undefined) return;
  const services = found.flatMap((target) => targetVersions(side, applied.builtBy, target) ?? []);
  const ports = services.map((service) => portsOfService({ side, applied: service }));
  if (ports.length === 0 || ports.some((each) => each === undefined || each.open)) return;
  // A Service without a selector may be an alias of a host outside of the cluster.
  if (services.some(({ object }) => object.selectorSites.every(({ entries }) => entries.length === 0))) return;
  const has = (isPort: (one: ServicePort) => boolean) => ports.some((each) => each?.ports.some(isPort));
  if (has((one) => `${one.port}` === port || one.name === port)) return;
  // Some Ingress controllers accept the target port of a Service as well.
  const isTarget = isBuiltIn(applied.object.group) && has((one) => `${one.target}` === port);
  const part = { path: site.fact.path, is: 'port', part: port, kind: first.kind, name: site.name.text } as const;
  yield { ...part, existed: false, isTarget };
}

/** Returns the port next to a name of a Service: a number or a name, in a field or in a map with `number` or `name`. */
function portBeside(sided: Sided, { fact, path }: ReferenceSite): string | undefined {
  const root = wholeTree(sided);
  if (root === undefined || fact.portAt === undefined) return undefined;
  const [node] = nodesBeside(root, fact.portAt, fact.path, path);
  const value = [node, childOf(node, 'number'), childOf(node, 'name')].find(
    (each) => each?.kind === 'scalar' && each.type !== 'null' && each.text !== '',
  );
  // The AWS Load Balancer Controller reads the action from an annotation.
  if (value?.kind !== 'scalar' || value.pattern !== undefined || value.text === 'use-annotation') return undefined;
  return value.text;
}
