/** Does a selector find anything among what is applied with it? */

import { evaluate, explain, isUnknown, type Selector, satisfiable } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { addEntry, replaceScalar } from '../manifests/write.ts';
import type { Span } from '../text/span.ts';
import { looksAtHome } from '../workspace/namespaces.ts';
import { kindKey } from '../workspace/outline.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import { takersOf } from '../workspace/takers.ts';
import { isIn, type ObjectInFile, type Workspace } from '../workspace/workspace.ts';
import { isSetByController } from './controller-keys.ts';
import { entryOf, fitToLabels } from './fit-selector.ts';
import { isVariantKey, type NearMiss, nearMissOf } from './near-miss.ts';
import { isRelabelled } from './relabelled.ts';
import { type RequirementPlace, requirementPlaces } from './requirement-places.ts';
import { type Fact, type Fix, type RuleContext, rule } from './rule.ts';
import { shorten } from './say.ts';

type Known = Selector & { readonly kind: 'all' };

interface Lonely extends Fact {
  readonly site: SelectorSite;
  readonly selector: Known;
  readonly near: readonly NearMiss[];
}

export const selectsNothing = rule<Lonely>({
  id: 'selects-nothing',
  severity: 'hint',
  about: 'selectors of others',
  acrossFiles: true,
  asApplied: true,
  summary: 'A selector that matches nothing of what is applied with it.',
  why: 'Nothing is wrong with such an object as far as Kubernetes is concerned: a Service has no endpoints, a policy guards nobody, a budget protects nothing. The files cannot know what else is in the cluster, so this is only a hint; it is a warning where exactly one thing is missed by a few letters, and nothing else takes it.',
  bad: [
    {
      title: 'A letter too many.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: baskets
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
`,
    },
  ],
  good: [
    {
      title: 'Pods that other files, or another tool, make.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
`,
    },
  ],
  *check(context) {
    const { file } = context;
    const seen = new Set<number>();
    for (const object of context.stored) {
      const where: ObjectInFile = { file, object };
      for (const site of object.selectorSites) {
        const selector = isAsking(site) && looksAtHome(object, site) ? knownSelector(site) : undefined;
        if (selector === undefined || seen.has(site.span.start)) continue;
        if (isRelabelled(context, object) || !isClosed(context, where)) break;
        seen.add(site.span.start);
        const near = missesOf(context, where, site, selector);
        if (near !== undefined) yield factOf(context, where, site, selector, near);
      }
    }
  },
  say({ near, selector }) {
    const [first, ...others] = near;
    if (first === undefined) return 'Nothing that is applied with it matches this selector.';
    const labels = { labels: first.miss.carrier.labels, open: first.miss.carrier.open };
    const failed = explain(selector, labels).filter(({ answer }) => answer === 'no');
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `Nothing that is applied with it matches this selector. Near miss: ${nameOf(first)}${more}, ${whyMissed(first, failed[0]?.reason)}.`;
  },
  mend: ({ near, site }, { text, uri }) => near.flatMap((each) => fixesFor(each, site, text, uri)),
});

/** Selectors of workloads have rules of their own, and those of affinities and spreads look at whom they like. */
function isAsking({ fact, path, state }: SelectorSite): boolean {
  if (!fact.plain || state !== 'present' || fact.targets.length === 0 || fact.filledFrom !== undefined) return false;
  return fact.templateLabelsAt === undefined && !/ffinity|topologySpread|volumeClaim/.test(path);
}

function isClosed({ workspace }: RuleContext, where: ObjectInFile): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.length > 0 && scopes.every(({ closed }) => closed === true);
}

/** A selector of which every key is known, and that no controller has to answer. */
function knownSelector(site: SelectorSite): Known | undefined {
  if (site.open || site.selector?.ok !== true) return undefined;
  const selector = site.selector.value;
  if (selector.kind !== 'all' || selector.open) return undefined;
  return selector.requirements.some(({ key }) => isSetByController(key)) ? undefined : selector;
}

/** What a template writes on both sides is the same: there, all but what fails is certain. */
function isCertain(selector: Known, { miss, failed }: NearMiss): boolean {
  const others = selector.requirements.filter((each) => !failed.includes(each));
  return evaluate({ kind: 'all', requirements: others }, miss.carrier) === 'yes';
}

/** The near misses of a selector that matches nothing; undefined where something matches or might. */
function missesOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
): readonly NearMiss[] | undefined {
  const { workspace } = context;
  const selection = context.selectionOf(where.object, site);
  if (selection.matches.length + selection.maybe.length > 0) return undefined;
  // What nothing could match is what another rule says.
  if (!satisfiable(selector) || selection.mayTakeOthers || !selection.hasCompany) return undefined;
  const near = selection.nearMisses.map((miss) => nearMissOf(selector, miss));
  // A kustomization may put all of it into one namespace.
  const isBuilt = isIn(workspace, placeOf(where), 'kustomization');
  if (isBuilt && near.some(({ by }) => by === 'place')) return undefined;
  const isKnown = !selector.requirements.some(({ values }) => values.some((value) => isUnknown(value)));
  if (!isKnown) return near.length > 0 && near.every((each) => isCertain(selector, each)) ? near : undefined;
  if (near.length > 0) return near;
  // A key that nobody in the workspace carries is probably set by an operator.
  return areCarried(workspace, site, selector) ? [] : undefined;
}

/** Whether something of the selected kinds carries each key, wherever it is. */
function areCarried(workspace: Workspace, { fact }: SelectorSite, { requirements }: Known): boolean {
  const left = new Set(requirements.map(({ key }) => key));
  for (const target of fact.targets) {
    for (const [key] of workspace.labelsOf(kindKey(target))) {
      left.delete(key);
      if (left.size === 0) return true;
    }
  }
  return left.size === 0;
}

function factOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  near: readonly NearMiss[],
): Lonely {
  const [first, ...others] = near;
  const place = first === undefined ? undefined : failedPlace(first, site);
  const isValue = place !== undefined && first?.miss.carrier.labels[place.requirement.key] !== undefined;
  const span = place === undefined || others.length > 0 ? site.keySpan : isValue ? place.value : place.key;
  return {
    span,
    site,
    selector,
    near,
    related: near.map((each) => ({ file: each.miss.file, span: spanOf(each), message: `Near miss: ${nameOf(each)}.` })),
    ...(isEvident(context, where, site, near) && { severity: 'warning' as const }),
  };
}

/** The label that differs, else the labels, else the name of what is missed. */
function spanOf({ miss, failed }: NearMiss): Span {
  const site = miss.carrier.site;
  const entry = failed.length === 1 ? entryOf(site?.entries ?? [], failed[0]?.key ?? '') : undefined;
  return entry?.value.span ?? site?.keySpan ?? miss.object.name?.span ?? miss.object.kindSpan;
}

function failedPlace({ failed }: NearMiss, site: SelectorSite): RequirementPlace | undefined {
  const [only, ...others] = failed;
  if (others.length > 0) return undefined;
  return requirementPlaces(site).find(({ requirement }) => requirement === only);
}

/** One thing alone is missed by little, by a key that no variants are told apart by, and nothing else takes it. */
function isEvident(
  { workspace, catalogue }: RuleContext,
  { object }: ObjectInFile,
  site: SelectorSite,
  near: readonly NearMiss[],
): boolean {
  const [only, ...others] = near;
  if (only === undefined || others.length > 0 || (only.by !== 'letters' && only.by !== 'own labels')) return false;
  if (only.failed.some(({ key }) => isVariantKey(key))) return false;
  return takersOf(workspace, catalogue, only.miss).every(
    (taker) =>
      taker.object.kind !== object.kind ||
      taker.object.group !== object.group ||
      taker.site.fact.path !== site.fact.path,
  );
}

function nameOf({ miss }: NearMiss): string {
  return `${miss.object.kind}/${miss.object.name?.text ?? miss.object.generateName?.text ?? ''}`;
}

function whyMissed({ by, miss }: NearMiss, reason: string | undefined): string {
  if (by === 'own labels') return `which has the labels itself, and not in \`${miss.carrier.via}\``;
  if (by === 'place') return 'in another namespace';
  return `where ${reason ?? 'more than one label differs'}`;
}

function fixesFor(near: NearMiss, site: SelectorSite, text: string, uri: string): readonly Fix[] {
  const { miss } = near;
  if (near.by === 'own labels') return fixTemplate(near, text, uri);
  const place = failedPlace(near, site);
  if (place === undefined) return [];
  const fits = place.entry?.merged ? [] : fitToLabels(place, miss.carrier.site?.entries ?? []);
  return [...fits, ...fixLabel(near, place, uri)];
}

/** The label is changed where it stands, unless a selector of the same object asks for it. */
function fixLabel({ miss }: NearMiss, { requirement }: RequirementPlace, uri: string): readonly Fix[] {
  const [wanted] = requirement.values;
  const entry = entryOf(miss.carrier.site?.entries ?? [], requirement.key);
  if (entry === undefined || entry.merged || typeof wanted !== 'string' || typeof entry.value.value !== 'string')
    return [];
  const asked = miss.object.selectorSites.some(({ entries, expressions }) =>
    [...entries, ...expressions].some(({ key }) => key?.text === requirement.key),
  );
  if (asked) return [];
  const edits = [replaceScalar(entry.value, wanted)];
  const title = `Change the label of ${shorten(`${miss.object.kind}/${miss.object.name?.text ?? ''}`)} to '${shorten(wanted)}'`;
  if (miss.file.uri === uri) return [{ title, edits, preferred: false }];
  return [{ title, edits: [], elsewhere: new Map([[miss.file.uri, edits]]), preferred: false }];
}

/** Into the labels of the template, where one is missing and the template stands in the same file. */
function fixTemplate({ miss, failed }: NearMiss, text: string, uri: string): readonly Fix[] {
  const [only, ...others] = failed;
  const [wanted] = only?.values ?? [];
  const labels = miss.carrier.site;
  if (only === undefined || others.length > 0 || labels === undefined || miss.file.uri !== uri) return [];
  if (typeof wanted !== 'string' || entryOf(labels.entries, only.key) !== undefined) return [];
  const title = `Add '${shorten(`${only.key}: ${wanted}`)}' to the labels of \`${miss.carrier.via}\``;
  return [{ title, edits: [addEntry(text, labels, only.key, wanted)], preferred: true }];
}
