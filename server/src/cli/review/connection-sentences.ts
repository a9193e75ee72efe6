/** States changed connections as sentences of a review. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import { counted } from '../output/counts.ts';
import { capitalized, listed, listedNames } from '../output/names.ts';
import { type Group, groupsOf, scopeSuffix } from '../reach/connection-change-lines.ts';
import { type ConnectionChange, endKey } from '../reach/connection-changes.ts';
import type { ComparedTrees } from '../trees/compared-trees.ts';
import type { Statement } from './model.ts';
import { statedIn } from './places.ts';

/** A statement about connections, and the workloads and addresses at their ends. */
export interface ConnectionStatement extends Statement {
  readonly workloads: readonly string[];
}

/** Returns a statement for each target and its ports, of the connections that pass a test; equal changes in several namespaces or scopes are one statement. `isSingle` determines whether a workload has a single pod, which connects to no other pod of the workload. */
export function connectionSentences(
  { connections, areSeveral }: ComparedTrees,
  kind: ConnectionChange['kind'],
  isMeant: (from: string, to: string) => boolean,
  isSingle: (workload: string) => boolean,
): readonly ConnectionStatement[] {
  const isWanted = ({ from, to }: ConnectionChange) => isMeant(from, to) && !(from === to && isSingle(from));
  const changes = connections.changes.filter((each) => each.kind === kind && isWanted(each));
  const areScopes = areSeveral && changes.every(({ scope }) => scope !== '.');
  const unrestricted = new Set(kind === 'opened' ? connections.unrestricted : []);
  const targets = new Map<string, Group[]>();
  for (const group of groupsOf(changes)) {
    const key = unrestricted.has(endKey(group)) ? endKey(group) : JSON.stringify([endKey(group), group.ports]);
    getOrAdd(targets, key, () => []).push(group);
  }
  const known = new Map<
    string,
    {
      readonly places: string[];
      readonly workloads: string[];
      readonly opened: string[];
      readonly first: string;
      count: number;
    }
  >();
  for (const [key, groups] of targets) {
    const [group] = groups;
    if (group === undefined) continue;
    const describe = (isBrief: boolean) =>
      unrestricted.has(key) ? unrestrictedSentence(groups, group, isBrief) : sentence(group, isBrief);
    const full = `${describe(false)}${scopeSuffix(group, areSeveral)}.`;
    const first = capitalized(full);
    const same = getOrAdd(known, `${describe(true)}.`, () => ({
      ...{ places: [], workloads: [], opened: [] },
      first,
      count: 0,
    }));
    if (unrestricted.has(key)) same.opened.push(key);
    same.workloads.push(group.to, ...groups.flatMap(({ sources }) => sources));
    same.places.push(areScopes ? group.scope : (partsOf(group.to).namespace ?? ''));
    same.count += groups.reduce((sum, { sources }) => sum + endsIn(sources), 0);
  }
  const shown = [...known].map(([text, { places, workloads, opened, first, count }]) => {
    if (places.length === 1) return { text: first, count, workloads, opened };
    const names = places.toSorted(compareText);
    const sentence = statedIn({ noun: areScopes ? 'scope' : 'namespace', names }, text);
    return { text: sentence, count, places: names, workloads, opened };
  });
  const stated = new Set(changes.map(endKey));
  return [
    ...shown,
    ...ownSentences(connections.own ?? [], kind, (each) => isWanted(each) && !stated.has(endKey(each))),
  ];
}

/** Returns a statement for each workload whose pods can newly, or no longer, connect to each other. */
function ownSentences(
  own: readonly ConnectionChange[],
  kind: ConnectionChange['kind'],
  isWanted: (change: ConnectionChange) => boolean,
): readonly ConnectionStatement[] {
  const groups = new Map<string, string[]>();
  for (const each of own)
    if (each.kind === kind && isWanted(each)) getOrAdd(groups, each.ports, () => []).push(each.to);
  const verb = kind === 'opened' ? 'can now' : 'can no longer';
  return [...groups].map(([ports, workloads]) => ({
    text: `The pods of ${listedNames([...new Set(workloads.map((name) => endText(name, false)))])} ${verb} connect to each other on ${shownPorts(ports)}.`,
    count: workloads.length,
    workloads,
  }));
}

/** Returns the sentence about a workload to whose incoming connections no policy applies any more, without a period. */
function unrestrictedSentence(groups: readonly Group[], group: Group, isBrief: boolean): string {
  const { to } = group;
  const { namespace } = partsOf(to);
  const parts = groups.map(({ ports, sources }) => {
    const names = listed(shownSources(sources, namespace, isBrief));
    const exceptions = exceptionsIn(ports);
    return exceptions === undefined
      ? `${names} can now connect on ${ports}`
      : `${names} could connect at most on ${listed(exceptions)}, and can now connect on all ports`;
  });
  const target = endText(to, isBrief);
  const start = `no network policy in these manifests restricts incoming connections to ${target} any more`;
  const [only = '', ...others] = groups.map(({ ports }) => ports);
  if (others.length > 0 || exceptionsIn(only) !== undefined)
    return `${start}, so that every pod of the cluster can connect. ${capitalized(parts.join('; '))}`;
  const workloads = shownSources(
    group.sources.filter((name) => !isAddress(name)),
    namespace,
    isBrief,
  );
  const inside = workloads.length === 0 ? '' : ` (in these manifests: ${listed(workloads)})`;
  const addresses = shownSources(group.sources.filter(isAddress), namespace, isBrief);
  const outside = addresses.length === 0 ? '' : ` and ${listed(addresses)}`;
  return `${start}: every pod of the cluster${inside}${outside} can now connect on ${only}`;
}

/** Counts the workloads and address blocks; all addresses are one. */
function endsIn(names: readonly string[]): number {
  return names.length - (areAllAddresses(names) ? 1 : 0);
}

function areAllAddresses(names: readonly string[]): boolean {
  return names.includes('ip:0.0.0.0/0') && names.includes('ip:::/0');
}

/** Returns the sentence about a target without a period; a brief one does not name the namespace of the target. */
function sentence({ kind, to, ports, sources }: Group, isBrief: boolean): string {
  const verb = kind === 'opened' ? 'can now' : 'can no longer';
  const { namespace } = partsOf(to);
  const target = isAddress(to) ? addressText(to) : endText(to, isBrief);
  return `${listed(shownSources(sources, namespace, isBrief))} ${verb} connect to ${target} on ${shownPorts(ports)}`;
}

function endText(name: string, isBrief: boolean): string {
  const { namespace, rest } = partsOf(name);
  return isBrief || namespace === undefined ? rest : `${rest} in ${namespace}`;
}

function isAddress(name: string): boolean {
  return name.startsWith('ip:');
}

function addressText(name: string): string {
  return `addresses in ${name.slice('ip:'.length)}`;
}

/** The maximum number of sources in one sentence. */
const mostSources = 5;

/** Returns the sources as they occur in sentences: those with one name in several other namespaces are counted. */
function shownSources(names: readonly string[], home: string | undefined, isBrief: boolean): readonly string[] {
  const workloads = names.filter((name) => !isAddress(name));
  const addresses = names.filter(isAddress);
  const isElsewhere = (name: string) => home !== undefined && partsOf(name).namespace !== home;
  const elsewhere = new Map<string, string[]>();
  for (const name of workloads.filter(isElsewhere)) getOrAdd(elsewhere, partsOf(name).rest, () => []).push(name);
  const others = [...elsewhere].map(([rest, [first = '', ...more]]) =>
    more.length === 0 && !isBrief ? endText(first, false) : `${rest} in ${counted(more.length + 1, 'other namespace')}`,
  );
  const ends = [
    ...workloads.filter((name) => !isElsewhere(name)).map((name) => endText(name, isBrief)),
    ...others,
    ...(areAllAddresses(addresses) ? ['all addresses outside of the cluster'] : addresses.map(addressText)),
  ];
  return ends.length > mostSources ? [...ends.slice(0, mostSources), `${ends.length - mostSources} more`] : ends;
}

/** Splits a name such as `shop/Deployment/web`; a workload without a namespace has two parts. */
function partsOf(name: string): { readonly namespace: string | undefined; readonly rest: string } {
  const [namespace, ...rest] = name.split('/');
  return rest.length < 2 ? { namespace: undefined, rest: name } : { namespace, rest: rest.join('/') };
}

const protocols = ['TCP', 'UDP', 'SCTP'];
const maximumPort = 65_535;
/** The maximum number of exceptions in a phrase. */
const mostExceptions = 3;

/** Returns the ports of a connection; almost all ports are described by their exceptions. */
function shownPorts(ports: string): string {
  const exceptions = exceptionsIn(ports);
  if (exceptions === undefined) return ports;
  return `all ports (${listed(exceptions)} ${exceptions.length === 1 ? 'is' : 'are'} unchanged)`;
}

/** Returns the exceptions, if there are few, of ports that are almost all. */
function exceptionsIn(ports: string): readonly string[] | undefined {
  // Of many ranges, not all are listed.
  if (ports.includes('...')) return undefined;
  const parts = ports.split(/, | and /);
  const rangesOf = (protocol: string): readonly string[] => {
    const part = parts.find((each) => each.endsWith(` ${protocol}`) || each.startsWith(`${protocol} `));
    if (part === undefined) return ['all'];
    return part.startsWith('all of ') ? [] : gaps(part.slice(protocol.length + 1));
  };
  const exceptions = protocols.flatMap((protocol) => rangesOf(protocol).map((range) => `${protocol} ${range}`));
  const isUsual = exceptions.length === 0 || exceptions.length > mostExceptions;
  return isUsual || exceptions.some((each) => each.endsWith(' all')) ? undefined : exceptions;
}

/** Returns the ranges of ports that a list such as `1-79,81-65535` leaves out. */
function gaps(list: string): readonly string[] {
  const found: string[] = [];
  let next = 1;
  for (const range of [...list.split(','), `${maximumPort + 1}`]) {
    const [first = 0, last = first] = range.split('-').map(Number);
    if (first > next) found.push(first - 1 === next ? `${next}` : `${next}-${first - 1}`);
    next = last + 1;
  }
  return found;
}
