/** Collects what is known about the matches of a selector, for every view that shows them: the CodeLens, the hover, the list and the page. */

import { once } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import { localize, localized } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject, isVersionOfAny } from '../../workspace/same-object.ts';
import { hasDefaultValues, type Scope } from '../../workspace/scopes/model.ts';
import { meaningOf } from '../../workspace/selection/effective-selector.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { unknownMatches } from '../../workspace/selection/unknown-matches.ts';
import { type EnvironmentInCluster, environmentsInClusters } from '../environments.ts';
import { appliedLead, notSetText } from '../presentation/applied-name.ts';
import { byCertainty } from '../presentation/certainty.ts';
import type { Line } from '../presentation/rich-text.ts';
import { allSelected, unknownTargets } from '../presentation/selector-description.ts';
import { type View, whereIn } from '../view.ts';
import { matchingAlternatives } from './alternatives.ts';
import { type ClusterMatches, withoutCluster } from './cluster-relations.ts';
import { type ImpliedNamespace, impliedNamespaces } from './implied-namespaces.ts';
import { matchesOfOtherValues, possibleMatches, withoutChance } from './other-values.ts';

/** A statement that a selector matches nothing, or that its matches are unknown. */
export interface Verdict {
  readonly isUnknown: boolean;
  /** The words that name the environment, such as ` in prod`, if the verdict on another one differs; otherwise empty. */
  readonly suffix: string;
  /** A sentence that begins with the verdict. */
  readonly line: Line;
}

/** What a selector matches. The lists belong to the first environment unless they state otherwise. */
export class FoundBySelector {
  readonly lead: EnvironmentInCluster;
  readonly others: readonly EnvironmentInCluster[];
  /** The matches in the scope, and in other GitOps objects of its cluster. */
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly beside: ClusterMatches;
  /** The verdict on a selector that the default values of a chart do not set; the lists of matches are empty then. */
  readonly unset: Verdict | undefined;
  readonly #view: View;
  readonly #owner: ObjectInFile;
  readonly #site: SelectorSite;
  readonly #selection: Selection;
  readonly #otherValues: readonly Match[];
  readonly #ofOtherValues = once(() => {
    const { workspace, catalogue } = this.#view;
    return matchesOfOtherValues(workspace, catalogue, this.#owner, this.#site, this.lead.selection);
  });
  readonly #inAlternatives = once(() => matchingAlternatives(this.#view, this.lead.owner, this.lead.site));

  constructor(view: View, owner: ObjectInFile, site: SelectorSite) {
    this.#view = view;
    this.#owner = owner;
    this.#site = site;
    this.#selection = selectionOf(view.workspace, view.catalogue, owner, site);
    const unset = unsetIn(view, owner, site);
    const isSet = unset === undefined;
    this.unset = isSet ? undefined : { isUnknown: false, suffix: '', line: [notSetText(unset, localize`selector`)] };
    const [first, ...others] = isSet ? environmentsInClusters(view, owner, site, this.#selection) : [];
    const selection = isSet ? this.#selection : { matches: [], maybe: [], nearMisses: [] };
    this.lead = first ?? { name: '', path: '', scopes: [], site, owner, selection };
    this.others = others;
    this.matches = this.lead.selection.matches;
    const { maybe, otherValues } = possibleMatches(this.lead.site, this.lead.selection.maybe);
    this.maybe = maybe;
    this.#otherValues = otherValues;
    this.beside = this.lead.beside ?? { matches: [], maybe: [] };
  }

  /** The matches that only other values of a chart could cause, without those for which two values must be the same by chance. */
  get otherValues(): readonly Match[] {
    return [...withoutChance(this.lead.site, this.#otherValues), ...withoutChance(this.#site, this.#ofOtherValues())];
  }

  /** Whether other values of a chart could cause matches, even if only by chance. */
  get #needsOtherValues(): boolean {
    return this.#otherValues.length > 0 || this.#ofOtherValues().length > 0;
  }

  /** The namespaces without Namespace objects. */
  get namespaces(): readonly ImpliedNamespace[] {
    return this.unset === undefined ? impliedNamespaces(this.#view, this.#owner, this.#site, this.#selection) : [];
  }

  /** The matches that are not applied together with the selector. */
  get elsewhere(): { readonly certain: readonly Match[]; readonly possible: readonly Match[] } {
    if (this.unset !== undefined) return { certain: [], possible: [] };
    const inCluster = [...this.beside.matches, ...this.beside.maybe];
    const others = this.#selection.elsewhere.filter(
      (each) => !isVersionOfAny(each, this.matches) && !this.matches.some(({ object }) => object === each.object),
    );
    return byCertainty(withoutCluster(this.#view, this.#owner, others, inCluster));
  }

  get nearMisses(): readonly Match[] {
    return this.lead.selection.nearMisses;
  }

  /** The verdict on a selector that matches nothing in the first environment; undefined if the meaning of the selector implies it, or if all that matches is elsewhere. */
  get verdict(): Verdict | undefined {
    if (this.unset !== undefined) return this.unset;
    const isOfAnyKind = this.#site.fact.targets.length === 0 && !this.#owner.object.inline;
    if (isOfAnyKind) return { isUnknown: true, suffix: '', line: [localized(unknownTargets)] };
    const isMeant = this.#site.state !== 'present' && ['nothing', 'invalid'].includes(meaningOf(this.#site));
    if (isMeant || countIn(this.lead) > this.#otherValues.length || this.namespaces.length > 0) return undefined;
    const { certain, possible } = this.elsewhere;
    const isElsewhere = certain.length + possible.length > 0;
    if (isElsewhere && this.others.length === 0) return undefined;
    const reasonIn = ({ scopes }: EnvironmentInCluster) => unknownIn(this.#view, this.#owner, this.#site, scopes);
    const unknown = reasonIn(this.lead);
    const isUnknown = unknown !== undefined;
    const differs = this.others.some((each) => countIn(each) > 0 || (reasonIn(each) !== undefined) !== isUnknown);
    const suffix = (differs || isElsewhere) && this.lead.name !== '' ? localize` in ${this.lead.name}` : '';
    if (isUnknown) return { isUnknown, suffix, line: [strong(localize`Matches unknown${suffix}`), `: ${unknown}.`] };
    const all = allSelected(this.lead.site);
    // It selects what the cluster contains, of which no file contains a part.
    if (all !== undefined && !this.#needsOtherValues)
      return { isUnknown, suffix, line: [localize`The files contain no ${all}${suffix}.`] };
    const nothing = strong(localize`Matches nothing${suffix}`);
    return { isUnknown, suffix, line: [nothing, suffix === '' ? ` ${this.#extent()}.` : '.'] };
  }

  /** The matches in alternatives to the file; only for a selector with matches elsewhere, without matches, or with unknown ones. */
  get alternatives(): readonly Match[] {
    if (this.#site.fact.targets.length === 0) return [];
    const { certain, possible } = this.elsewhere;
    if (this.verdict === undefined && certain.length + possible.length === 0) return [];
    const listed = [
      ...this.matches,
      ...this.maybe,
      ...this.beside.matches,
      ...this.beside.maybe,
      ...certain,
      ...possible,
    ];
    const certainly = [...this.matches, ...this.beside.matches];
    return this.#inAlternatives().filter(
      (each) => !isVersionOfAny(each, certainly) && !listed.some((other) => isSameObject(other, each)),
    );
  }

  /** Returns the objects among which nothing matches. */
  #extent(): string {
    if (this.#needsOtherValues) return localize`with chart defaults`;
    return this.#selection.mayMatchOthers || this.#inAlternatives().length > 0
      ? localize`that is applied together with it`
      : whereIn(this.#view);
  }
}

/** Returns the scope whose default values create an object without one of its selectors; undefined if they set it. */
function unsetIn(view: View, owner: ObjectInFile, site: SelectorSite): Scope | undefined {
  const lead = appliedLead(view, owner);
  const { appliedBy } = lead.workspace;
  if (appliedBy === undefined || !hasDefaultValues(appliedBy) || lead.owner === owner) return undefined;
  const { selectorSites } = owner.object;
  const isSet =
    !selectorSites.includes(site) || versionOfSite(lead.owner.object.selectorSites, site, selectorSites) !== undefined;
  return isSet ? undefined : appliedBy;
}

/** Returns why it is unknown whether a selector matches further objects in any of some scopes, as a clause; undefined if it matches none. */
export function unknownIn(
  { workspace, catalogue }: View,
  owner: ObjectInFile,
  site: SelectorSite,
  scopes: readonly Scope[],
): string | undefined {
  return unknownMatches({ workspace, catalogue, owner, site, scopes });
}

function countIn({ selection, beside = { matches: [], maybe: [] } }: EnvironmentInCluster): number {
  return selection.matches.length + selection.maybe.length + beside.matches.length + beside.maybe.length;
}

function strong(text: string): Line[number] {
  return { kind: 'strong', text };
}
