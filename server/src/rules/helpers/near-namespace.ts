/** Finds misspelled names of namespaces: names that do not otherwise occur in the files, although a similar name does. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import { type Value, validateName } from '../../engine/index.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { Manifest, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { written } from '../../manifests/sites/sites.ts';
import { isLikelyMisspelling, misspelling } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { Span } from '../../text/span.ts';
import type { Candidate, ObjectInFile, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import {
  definitionOf,
  type KnownNamespace,
  makesNamespace,
  namespaceNameOf,
  namespacesAround,
  usesIn,
  usesOf,
} from '../../workspace/references/namespaces-around.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { CandidatesAround } from '../../workspace/selection/candidates-around.ts';
import type { RuleContext } from '../framework/rule.ts';

/** A misspelled namespace name, and the name of the intended namespace. */
export interface NearNamespace {
  readonly wanted: Written;
  readonly actual: string;
  /**
   * The position of the intended name, in an object that creates the namespace or is in the namespace; undefined if
   * there is none.
   */
  readonly at: { readonly file: WorkspaceFile; readonly span: Span } | undefined;
  /** Set if the names are not similar, but the object is alone in its namespace, and the objects that it selects are in the other. */
  readonly isAlone?: true;
}

/** Returns the misspelled namespace names in a selector, or in the list of namespaces next to the selector. */
export function nearNamespaces(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
): readonly NearNamespace[] {
  const { workspace } = context;
  const names = namesIn(context, where.object, site);
  if (names.length === 0) return [];
  const known = namespacesAround(workspace, placeOf(where));
  const listed = new Set(names.map(({ value }) => value));
  return names.flatMap(({ value, isExcluded, find }): readonly NearNamespace[] => {
    if (typeof value !== 'string' || known.has(value)) return [];
    const meant = closestTo(value, known);
    // Beside the similar name, the name is not a misspelling of it.
    if (meant === undefined || listed.has(meant.actual)) return [];
    // An excluded namespace need not exist, except for those of every cluster.
    if (isExcluded && meant.uri !== everyCluster) return [];
    const wanted = isElsewhere(workspace, value) ? undefined : find();
    if (wanted === undefined) return [];
    return [{ wanted, actual: meant.actual, at: locationOfName(workspace, meant.uri, meant.actual) }];
  });
}

/** Returns the name of the namespace that was probably intended with a name that does not occur otherwise. */
export function nearNamespaceName(
  { workspace }: Pick<RuleContext, 'workspace'>,
  where: ObjectInFile,
  name: string,
): string | undefined {
  const known = namespacesAround(workspace, placeOf(where));
  const meant = known.has(name) ? undefined : closestTo(name, known);
  return meant === undefined || isElsewhere(workspace, name) ? undefined : meant.actual;
}

interface Name {
  readonly value: Value;
  readonly isExcluded?: boolean;
  /** Returns the scalar that contains the name of the namespace. */
  find(): Written | undefined;
}

/** Returns the namespace names in a selector (values of the label `kubernetes.io/metadata.name`), and in the list of namespaces next to the selector. */
function namesIn(context: RuleContext, object: ManifestObject, site: SelectorSite): readonly Name[] {
  const { fact, entries, expressions, namespaces } = site;
  const listed = (namespaces?.names ?? []).map(
    (value): Name => ({ value, find: () => listedName(context, object, site, value) }),
  );
  const isNamespace = ({ group, kind }: GroupKind) =>
    context.catalogue.kind(group, '', kind)?.nameLabels?.includes(nameLabel);
  if (!fact.targets.some(isNamespace)) return listed;
  const ofEntries = entries.flatMap(({ key, value }): readonly Name[] =>
    key.text === nameLabel ? [{ value: value.value, find: () => value }] : [],
  );
  const ofExpressions = expressions.flatMap(({ key, operator, values }) =>
    (key?.text === nameLabel ? values : []).map(
      (each): Name => ({ value: each.value, isExcluded: operator?.text === 'NotIn', find: () => each }),
    ),
  );
  return [...listed, ...ofEntries, ...ofExpressions];
}

/** Returns the scalar of a name in the list next to a selector, or in a field that contains a single name. */
function listedName(
  context: RuleContext,
  object: ManifestObject,
  { fact: { reach }, path }: SelectorSite,
  value: Value,
): Written | undefined {
  if (typeof reach === 'string' || reach.namesAt === undefined) return undefined;
  const node = targetAt(treeOf(context, object), stepsOf(concretePath(reach.namesAt, path)))?.node;
  const found = (node?.kind === 'list' ? node.items : [node]).find(
    (each) => each?.kind === 'scalar' && each.text === value,
  );
  return found && written(found);
}

function locationOfName(workspace: Workspace, uri: string, name: string): NearNamespace['at'] {
  const file = uri === everyCluster ? undefined : workspace.files.get(uri);
  const found = file && namesOfNamespaces(file.manifest).get(name);
  return file && found && found.origin === undefined ? { file, span: found.span } : undefined;
}

/** The first scalar in a file for each name of a namespace. */
const namesOfNamespaces = memoized(({ objects }: Manifest): ReadonlyMap<string, Written> => {
  const names = objects.flatMap((object) => namespaceNameOf(object) ?? []);
  return new Map(names.toReversed().map((each) => [each.text, each]));
});

type Namespaces = ReadonlyMap<string, KnownNamespace>;

const similarNames = new WeakMap<Namespaces, SimilarNames>();

/** Returns the most likely namespace of those that may be intended whose name is similar to the given name; undefined if there is none, or if several are equally likely. */
function closestTo(
  wanted: string,
  known: Namespaces,
  isPossible: (name: string, namespace: KnownNamespace) => boolean = () => true,
): (KnownNamespace & { readonly actual: string }) | undefined {
  const similar = getOrAdd(similarNames, known, () => new SimilarNames(known.keys())).near(wanted);
  const near = similar.flatMap((actual) => {
    const each = known.get(actual);
    if (each === undefined || !isValid(actual) || !isPossible(actual, each)) return [];
    const likeness = misspelling(wanted, actual);
    if (likeness === undefined || (likeness === 'possible' && !(each.certain && wanted[0] === actual[0]))) return [];
    if (each.isOutside && !isAlmost(wanted, actual)) return [];
    return [{ ...each, actual, likeness }];
  });
  const evident = near.filter(({ likeness }) => likeness === 'evident');
  const closest = evident.length > 0 ? evident : near;
  // If only a single object uses a name, the name may itself be misspelled, so certain names take precedence.
  const certain = closest.filter((each) => each.certain);
  const [only, ...others] = certain.length > 0 ? certain : closest;
  return others.length > 0 ? undefined : only;
}

/** Whether a Namespace can have a name; a name that the API server rejects is never proposed. */
function isValid(name: string): boolean {
  return validateName('dns1123Label', name).length === 0;
}

/** Returns the namespace that was probably intended for an object. The object must be alone in its own namespace, and the intended namespace must contain matches of its selector. */
export function nearHome(
  workspace: Workspace,
  where: ObjectInFile,
  others: readonly string[],
): NearNamespace | undefined {
  const wanted = where.object.namespace;
  if (typeof wanted?.value !== 'string' || wanted.origin !== undefined || makesNamespace(where.object))
    return undefined;
  const known = namespacesAround(workspace, placeOf(where));
  if (known.get(wanted.value)?.certain !== false && !isOnlyIn(workspace, where, wanted.value)) return undefined;
  const meant = closestTo(wanted.value, known, (name) => others.includes(name));
  return meant && { wanted, actual: meant.actual, at: locationOfName(workspace, meant.uri, meant.actual) };
}

/** Returns the only namespace of the objects that a selector matches, if it contains the workload with the name of the selector's object, and nothing else in the workspace is in the namespace of the object. */
export function homeOfNamesake(
  workspace: Workspace,
  { object }: ObjectInFile,
  outside: readonly string[],
  around: CandidatesAround,
): NearNamespace | undefined {
  const [home, ...others] = new Set(outside);
  const wanted = object.namespace;
  if (
    home === undefined ||
    !isValid(home) ||
    others.length > 0 ||
    typeof wanted?.value !== 'string' ||
    wanted.origin !== undefined
  )
    return undefined;
  const isNamesake = (each: Candidate) =>
    each.isMade && each.where.object.namespace?.value === home && each.object.name?.value === object.name?.value;
  if (around.filter(isNamesake).length === 0 || usesOf(workspace, wanted.value, 2) !== 1) return undefined;
  return { wanted, actual: home, at: locationOfName(workspace, definitionOf(workspace, home), home), isAlone: true };
}

/** Whether only the file of an object that a GitOps object applies uses a namespace, in the whole workspace. */
function isOnlyIn(workspace: Workspace, { file }: ObjectInFile, name: string): boolean {
  if (workspace.appliedBy?.gitops === undefined) return false;
  const own = usesIn(workspace, file.uri, name);
  return own > 0 && usesOf(workspace, name, own + 1) === own;
}

/** Returns the only known namespace of which a name is certainly a misspelling. */
function slipIn(known: Namespaces, wanted: string): ReturnType<typeof closestTo> {
  const isSlip = (name: string) => isLikelyMisspelling(wanted, name);
  return closestTo(wanted, known, (name, { certain }) => certain && isSlip(name));
}

/** Returns the namespace that was probably intended for all objects of a file in a namespace that nothing else in the workspace uses or creates. A Namespace must have the intended name, and other files must use it. */
function nearFileNamespace(
  workspace: Workspace,
  { file: { uri } }: ObjectInFile,
  wanted: Written,
  known: Namespaces,
): NearNamespace | undefined {
  // Nearly all names have no similar one, so that the uses of a name, which are in all files, are counted last.
  const meant = slipIn(known, wanted.text);
  if (meant === undefined) return undefined;
  const own = usesIn(workspace, uri, wanted.text);
  if (own === 0 || usesOf(workspace, wanted.text, own + 1) !== own || definitionOf(workspace, wanted.text) !== '')
    return undefined;
  const definition = definitionOf(workspace, meant.actual);
  const here = usesIn(workspace, uri, meant.actual);
  // A Namespace alone, without objects in it, may be the misspelled one.
  const isUsed = definition !== '' && usesOf(workspace, meant.actual, here + 2) > here + (definition === uri ? 0 : 1);
  return isUsed ? { wanted, actual: meant.actual, at: locationOfName(workspace, meant.uri, meant.actual) } : undefined;
}

/** Returns the namespace that was probably intended for an object, if no other object in the workspace is in the same namespace, or only those of its file are. */
export function nearOwnNamespace(workspace: Workspace, where: ObjectInFile): NearNamespace | undefined {
  const wanted = where.object.namespace;
  if (typeof wanted?.value !== 'string' || wanted.origin !== undefined || makesNamespace(where.object))
    return undefined;
  const known = namespacesAround(workspace, placeOf(where));
  if (known.get(wanted.value)?.certain !== false) return nearFileNamespace(workspace, where, wanted, known);
  const meant = closestTo(wanted.value, known, (name, { certain }) => certain && isAlmost(name, wanted.text));
  if (meant === undefined || usesOf(workspace, wanted.value, 2) > 1) return undefined;
  return { wanted, actual: meant.actual, at: locationOfName(workspace, meant.uri, meant.actual) };
}

/** Whether a name is a misspelling of another name even without further evidence. For short names, only a missing letter is sufficient: `prd` and `prod`, but not `data` and `date`. */
function isAlmost(one: string, other: string): boolean {
  return misspelling(one, other) !== 'possible' || Math.abs(one.length - other.length) === 1;
}

function isElsewhere(workspace: Workspace, name: string): boolean {
  return usesOf(workspace, name, 1) > 0;
}
