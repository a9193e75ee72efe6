/** The hover for a list of network policy peers. The selectors of one peer are ANDed; the peers of a list are ORed. */

import type { SelectorFact } from '../../engine/catalogue/types.ts';
import { describe, everything } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { type PeerSite, peerOf } from '../../manifests/sites/network-policy-peers.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import { withSelectors } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { matchesInEveryCluster } from '../../workspace/selection/every-cluster.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import { pluralKinds } from '../presentation/object-names.ts';
import { type Block, type Line, type Part, paragraph, sentence } from '../presentation/rich-text.ts';
import { withUnknown } from '../presentation/selector-description.ts';
import { clusterMatches } from '../selected/cluster-relations.ts';
import { countHere } from '../selected/count-objects.ts';
import type { FileView } from '../view.ts';

/** Describes the peers in the list that contains a selector, each with the number of objects that it allows, as the scope of the perspective applies them; empty if the list contains only a selector of pods in the same namespace. */
export function peersAround(view: FileView, owner: ObjectInFile, site: SelectorSite): readonly Block[] {
  // The webhooks of a configuration limit which requests are validated, and have no peers.
  if (owner.object.admissionRules !== undefined) return [];
  const lead = appliedLead(view, owner);
  const applied = versionOfSite(lead.owner.object.selectorSites, site, owner.object.selectorSites);
  return applied === undefined ? [] : peersOfList({ ...view, workspace: lead.workspace }, lead.owner, applied);
}

function peersOfList(view: FileView, owner: ObjectInFile, site: SelectorSite): readonly Block[] {
  const facts = selectorFacts(view, owner);
  const inside = podFact(facts, site.fact);
  const place = inside && peerOf({ path: concretePath(inside.path, site.path), fact: inside });
  if (inside === undefined || place === undefined) return [];
  const peers = peersOf(owner, place).map((sites) => ({ sites, line: peerLine(view, owner, inside, place, sites) }));
  const [first, ...others] = peers;
  const isPodsOnly = first?.sites.size === 1 && site.fact === inside;
  if (first === undefined || (others.length === 0 && isPodsOnly)) return [];
  const head = others.length === 0 ? localize`This peer` : localize`Any of these peers`;
  const field = place.list.slice(place.list.lastIndexOf('.') + 1);
  const title = paragraph({ kind: 'strong', text: head }, ' of ', { kind: 'code', text: field }, ':');
  const lines = peers.map(
    ({ line }, index): Line =>
      index === 0 ? line : [{ kind: 'strong', text: localize`or, separately,` }, ' ', ...line],
  );
  return [title, { kind: 'list', lines }];
}

function selectorFacts({ catalogue }: FileView, { object }: ObjectInFile): readonly SelectorFact[] {
  return catalogue.kind(object.group, object.version, object.kind)?.selectors ?? [];
}

/** Returns the fact about the pod selector of a peer; for a namespace selector, the fact about the pod selector next to it. */
function podFact(facts: readonly SelectorFact[], fact: SelectorFact): SelectorFact | undefined {
  const isPeer = (each: SelectorFact) => typeof each.reach !== 'string' && each.reach.namespaceSelectorAt !== undefined;
  if (isPeer(fact)) return fact;
  return facts.find((each) => typeof each.reach !== 'string' && each.reach.namespaceSelectorAt === fact.path);
}

function peersOf({ object }: ObjectInFile, { list }: PeerSite): readonly ReadonlyMap<string, SelectorSite>[] {
  const peers = new Map<string, Map<string, SelectorSite>>();
  for (const site of object.selectorSites) {
    if (!site.path.startsWith(`${list}[`)) continue;
    const [index = '', field = '', ...deeper] = site.path.slice(list.length + 1).split(/\]?\./);
    if (deeper.length > 0) continue;
    const fields = peers.get(index) ?? new Map<string, SelectorSite>();
    peers.set(index, fields.set(field, site));
  }
  return [...peers].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, fields]) => fields);
}

function peerLine(
  view: FileView,
  owner: ObjectInFile,
  fact: SelectorFact,
  { list, field }: PeerSite,
  sites: ReadonlyMap<string, SelectorSite>,
): Line {
  const namespaces = sites.get(field);
  const pods = [...sites.values()].find((site) => site.fact.path === fact.path) ?? absentSite(fact, list, namespaces);
  const what = pluralKinds(fact.targets);
  const selector = effectiveSelector(pods);
  const whole = selector && withUnknown(pods, selector);
  const isPlain = whole === undefined || whole.kind === 'everything';
  const described = isPlain ? [localize`All ${what}`] : sentence(describe(whole, what).replace(/\.$/, ''));
  const { certain, maybe } = countHere(view, owner, pods, whole ?? everything);
  const inCluster = clusterMatches(view, owner, pods).matches.length;
  const beside = inCluster === 0 ? '' : localize`, ${inCluster} in other GitOps objects of the cluster`;
  const selection = selectionOf(view.workspace, view.catalogue, owner, pods);
  const common = matchesInEveryCluster(view.workspace, pods, selection).length;
  const always = common === 0 ? '' : localize`, ${common} in every cluster`;
  const counts = localize` (${certain} here${maybe === 0 ? '' : localize`, ${maybe} possible`}${beside}${always})`;
  return [...described, ...namespaceParts(namespaces, isPlain), counts];
}

/** Returns the namespaces of a peer, as the end of the description of its pods; a clause about the pods ends before an emphasized "and". */
function namespaceParts(site: SelectorSite | undefined, isPlain: boolean): readonly Part[] {
  if (site === undefined || site.state === 'null') return [localize` of this namespace`];
  const selector = effectiveSelector(site);
  const what = pluralKinds(site.fact.targets);
  if (selector === undefined) return [];
  const whole = withUnknown(site, selector);
  if (whole.kind === 'everything') return [localize` of any namespace`];
  const link: readonly Part[] = isPlain ? [' of '] : [' ', { kind: 'strong', text: 'and' }, ' of '];
  return [...link, ...sentence(describe(whole, what).replace(/\.$/, ''))];
}

/** Returns a site for an absent field of a peer, so that the field can be evaluated like a field that is present. */
function absentSite(fact: SelectorFact, list: string, beside: SelectorSite | undefined): SelectorSite {
  const span = beside?.keySpan ?? { start: 0, end: 0 };
  const index = beside?.path.slice(list.length, beside.path.lastIndexOf('.')) ?? '';
  const path = `${list}${index}.${fact.path.slice(fact.path.lastIndexOf('.') + 1)}`;
  const nothing = { entries: [], expressions: [], open: false, data: null };
  return withSelectors({ path, fact: { ...fact, null: fact.absent }, keySpan: span, span, state: 'null', ...nothing });
}
