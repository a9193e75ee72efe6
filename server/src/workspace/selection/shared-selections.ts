/** Shares selections among equal selectors of one file, so that the matches of a selector that occurs in a thousand Services are found, sorted and stored once. */

import type { SelectorFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { dataText } from '../../manifests/sites/sites.ts';
import type { Candidate, ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import type { Around } from './around.ts';
import type { Comparisons } from './comparison-budget.ts';
import type { Selection } from './model.ts';
import { isSubset } from './subset-answers.ts';

/** The selections of the selectors of one file. */
interface Shared {
  readonly uri: string;
  /** The check that computed the selections. Another check must record its own questions. */
  readonly turn: number | undefined;
  readonly selections: Map<SelectorFact, Map<string, Selection>>;
  readonly joined: Map<ManifestObject, Map<SelectorSite, Selection>>;
  /** All objects of some kinds around a position, by position and kinds. */
  readonly company: Map<string, readonly Candidate[]>;
  /** The objects in neighboring folders of a position, by position and kinds. */
  readonly beside: Map<string, Around>;
}

/** For each snapshot, only results for the most recent file are cached, because most results are used once. */
type SharedIn = WeakMap<Workspace, Shared>;

const sharedByRequests: SharedIn = new WeakMap();

/** A check counts its comparisons, so it does not reuse results of earlier requests: the count must not depend on them. */
const sharedByChecks = new WeakMap<Comparisons, SharedIn>();

function sharedOf(workspace: Workspace, uri: string, comparisons: Comparisons | undefined): Shared {
  const sharedIn =
    comparisons === undefined
      ? sharedByRequests
      : getOrAdd(sharedByChecks, comparisons, () => new WeakMap<Workspace, Shared>());
  const known = sharedIn.get(workspace);
  const turn = workspace.questions?.turn;
  if (known?.uri === uri && known.turn === turn) return known;
  const made: Shared = { uri, turn, selections: new Map(), joined: new Map(), company: new Map(), beside: new Map() };
  sharedIn.set(workspace, made);
  return made;
}

/** Returns the selection of an equal selector at the same position, or computes a new selection. */
export function sharedSelection(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons: Comparisons | undefined,
  make: () => Selection,
): Selection {
  const question = questionText(owner, site);
  if (question === undefined) return make();
  const { selections } = sharedOf(workspace, owner.file.uri, comparisons);
  return getOrAdd(
    getOrAdd(selections, site.fact, () => new Map<string, Selection>()),
    question,
    make,
  );
}

/** Returns the selection of a selector in all scopes that apply its object, computed once for all requests about its file. A check counts its comparisons, so its results are not shared. */
export function sharedJoined(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  site: SelectorSite,
  comparisons: Comparisons | undefined,
  make: () => Selection,
): Selection {
  if (comparisons !== undefined) return make();
  const { joined } = sharedOf(workspace, file.uri, comparisons);
  return getOrAdd(
    getOrAdd(joined, object, () => new Map<SelectorSite, Selection>()),
    site,
    make,
  );
}

/** Returns all objects of some kinds around a position, computed once for all selectors of its file. */
export function sharedCompany(
  workspace: Workspace,
  uri: string,
  around: string,
  comparisons: Comparisons | undefined,
  make: () => readonly Candidate[],
): readonly Candidate[] {
  return getOrAdd(sharedOf(workspace, uri, comparisons).company, around, make);
}

/** Returns the objects in neighboring folders of a position, computed once for all selectors of a file. */
export function sharedBeside(workspace: Workspace, uri: string, around: string, make: () => Around): Around {
  return getOrAdd(sharedOf(workspace, uri, undefined).beside, around, make);
}

/** Returns a string that contains everything on which the matches of a selector depend; undefined if they also depend on other fields of the object that contains the selector, a template or a placeholder. */
function questionText(owner: ObjectInFile, site: SelectorSite): string | undefined {
  const { fact, state, open, parts, placeholders, namespaces } = site;
  const { namespace, inline } = owner.object;
  // Other fields of the object decide, too: the namespaces beside a selector of Calico, the host of a subset, the rest of a rule.
  if ((fact.language !== undefined && fact.language !== 'cilium') || isSubset(owner, site)) return undefined;
  if (typeof fact.reach !== 'string' || state !== 'present' || inline !== undefined) return undefined;
  if (open || parts !== undefined || placeholders !== undefined || namespaces !== undefined) return undefined;
  if (namespace !== undefined && typeof namespace.value !== 'string') return undefined;
  return `${placeOf(owner)}\n${namespace === undefined ? '' : `in ${namespace.text}`}\n${dataText(site)}`;
}
