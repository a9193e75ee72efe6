/** Determines which files must be checked again after some files changed: files that share a scope with a changed file, and files whose check depends on a question about all files whose answer changed. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import { addsOrDeletes } from '../absent-file.ts';
import { changedBuilds, filesOfGitops, hasGitops, scopesReadingData } from '../gitops/changed-builds.ts';
import { kindKey } from '../index/file-outline.ts';
import { labeledObjectsInFile } from '../index/index-entries.ts';
import { type Structure, withTransformers } from '../kustomize/named-files.ts';
import { hasObjectsIn } from '../kustomize/rendering-terms.ts';
import { buildsWithAny } from '../kustomize/view.ts';
import type { FileChange, Workspace, WorkspaceFile } from '../model.ts';
import { concernsNetwork } from '../reach/network-objects.ts';
import { kindsMadeBy } from '../references/names.ts';
import { everyCluster } from '../scopes/model.ts';
import { answerTo, unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { allIdentities, identityOf, sameExceptObjects, sameScopeFacts } from '../scopes/scope-facts.ts';
import { mayAlmostMatch } from '../selection/cluster-candidates.ts';
import { isExclusive } from '../selection/cluster-overlaps.ts';
import { equalExceptSpans } from '../store/equal-except-spans.ts';
import { referredNames } from '../store/serialized-file.ts';
import type { AskedQuestions } from './asked-questions.ts';
import { movedFiles } from './moved-files.ts';
import { Neighbors } from './neighbors.ts';
import { nameTerm, type Question } from './questions.ts';

/**
 * Returns the URIs of the files whose findings may differ after some changes; `all` if a change may affect every file.
 * `asked` contains the questions of the checks before the changes, and `before` the workspace before the changes.
 */
export function filesToRecheck(
  workspace: Workspace,
  changes: readonly FileChange[],
  asked: AskedQuestions,
  catalogueOf: (uri: string) => Catalogue,
  before: Workspace,
  areAroundRecorded = false,
): ReadonlySet<string> | 'all' {
  const isSameLayout = unrecordedScopes(before) === unrecordedScopes(workspace);
  if (changes.length === 0 && isSameLayout) return new Set();
  const isSameStructure = before.scopes().structure() === workspace.scopes().structure();
  const structures = isSameStructure ? [workspace] : [before, workspace];
  if (changes.some(concernsEveryFile)) return 'all';
  const restructuring = changes.filter((each) => !sameScopeFacts(each.before.scope, each.after.scope));
  const moved = movedFiles(before, workspace, changes);
  if (moved === undefined) return 'all';
  const builds = changedBuilds({ workspace: before, catalogueOf }, { workspace, catalogueOf }, changes);
  if (builds === undefined) return 'all';
  const local = new Set(areAroundRecorded && isSameStructure ? changes.filter(isLocal(workspace)) : []);
  const rebuilt = [before, workspace].flatMap((each, index) => {
    const neighbors = new Neighbors(each);
    const scopes = [...(builds[index] ?? []), ...scopesReadingData(each, changes)];
    return scopes.map((scope) => ({ path: scope.path, files: neighbors.filesOf(scope) }));
  });
  const areBuildsChanged = builds.flat().length > 0;
  const changed = {
    workspace,
    structures,
    changes,
    restructuring,
    local,
    rebuilt,
    areBuildsChanged,
    areScopesChanged: !isSameLayout,
    asked,
    catalogueOf,
  };
  return filesConcerned(changed, moved);
}

/** The changes, and the state of the workspace after and, if its scopes changed, before them. */
interface Changed {
  readonly workspace: Workspace;
  readonly structures: readonly Structure[];
  readonly changes: readonly FileChange[];
  /** The changes of facts on which scopes depend. */
  readonly restructuring: readonly FileChange[];
  /** The changes that concern only files whose checks asked a question with another answer. */
  readonly local: ReadonlySet<FileChange>;
  /** The GitOps objects and charts that may build other objects. */
  readonly rebuilt: readonly { readonly path: string; readonly files: readonly string[] }[];
  /** Whether any GitOps object may build other objects, although its own files are the same. */
  readonly areBuildsChanged: boolean;
  readonly areScopesChanged: boolean;
  readonly asked: AskedQuestions;
  catalogueOf(uri: string): Catalogue;
}

function filesConcerned(changed: Changed, moved: ReadonlySet<string>): ReadonlySet<string> {
  const { workspace, structures, changes, restructuring, local, rebuilt, asked, catalogueOf } = changed;
  const all = structures.map((structure) => new Neighbors(structure));
  const around = (uris: Iterable<string>) => new Set(all.flatMap((neighbors) => [...neighbors.of(uris)]));
  const applied = new Set([
    ...urisOf(changes.filter((change) => !local.has(change))),
    ...moved,
    ...structures.flatMap(withTransformers),
  ]);
  const near = around(applied);
  const isRestructured = moved.size > 0 || restructuring.length > 0;
  const found = new Set([...near, ...urisOf(local), ...(isRestructured ? structures.flatMap(filesOfGitops) : [])]);
  const add = (uris: Iterable<string>) => {
    for (const uri of uris) found.add(uri);
  };
  for (const { files } of rebuilt) add(files);
  const built = once(() => {
    const paths = new Set([...buildsWithAny(workspace, applied), ...rebuilt].map(({ path }) => path));
    return [...paths].map(
      (path): BuiltScope => ({ path, terms: workspace.terms(path, catalogueOf(path))?.terms ?? noTerms }),
    );
  });
  const nearLocal = once(() => around(urisOf(local)));
  for (const change of changes) {
    add(asked.asking({ about: 'file', uri: change.after.uri }));
    for (const { question, uris } of askedAboutMatches(asked, change))
      add(isAround(question) ? [...nearLocal()].filter((uri) => uris.has(uri)) : uris);
    for (const term of changedNameTerms(change, catalogueOf(change.after.uri)))
      add(asked.asking({ about: 'named', term }));
  }
  for (const file of versionsOf(moved, changes, workspace)) {
    for (const { uris } of new Set(askedAbout(asked, file))) add(uris);
    for (const term of nameTermsOf(file, catalogueOf(file.uri))) add(asked.asking({ about: 'named', term }));
  }
  for (const { terms } of asked.areBuiltAsked ? built() : []) for (const { uris } of asked.builtWith(terms)) add(uris);
  // A file without objects has the same facts as a file that does not exist.
  const placed = [...restructuring, ...changes.filter(addsOrDeletes)];
  const relocated = new Set([...moved, ...around(urisOf(placed))]);
  // Where an object of every cluster belongs depends on whether a file contains it.
  if (restructuring.some(renamesInEveryCluster(workspace))) relocated.add(everyCluster);
  for (const uri of relocated) add(asked.asking({ about: 'place', uri }));
  for (const uris of askedAround(asked, local, near, nearLocal, around)) add(uris);
  const mayMoveGitops = isRestructured && structures.some(hasGitops);
  const effects = { ...changed, built, isRestructured, mayMoveGitops };
  for (const { question, uris } of asked.others()) if (mayDiffer(question, effects)) add(uris);
  for (const { question, uris } of changed.areScopesChanged ? asked.answers() : [])
    if (question.about === 'answer' && answerTo(workspace.scopes(), question) !== question.answer) add(uris);
  return found;
}

interface Effects extends Pick<Changed, 'workspace' | 'changes' | 'areBuildsChanged' | 'areScopesChanged'> {
  readonly isRestructured: boolean;
  /** Whether GitOps objects may apply objects with other names. */
  readonly mayMoveGitops: boolean;
  built(): readonly BuiltScope[];
}

/** Whether the answer to a question that is not about certain labels, names or files around the check may differ. */
function mayDiffer(question: Question, effects: Effects): boolean {
  const { workspace, changes, isRestructured, mayMoveGitops, areBuildsChanged, built } = effects;
  switch (question.about) {
    case 'anything':
      return true;
    case 'layout':
      return effects.areScopesChanged;
    case 'cluster':
      return areBuildsChanged || changes.some((change) => concernsCluster(workspace, change));
    case 'gitops':
      return areBuildsChanged || mayMoveGitops;
    case 'paths':
      return changes.some(addsOrDeletes);
    case 'key':
      return changes.some((change) => hasKey(question, change.before) !== hasKey(question, change.after));
    case 'applied':
      return built().some(({ terms }) => terms.has(question.term));
    case 'scope':
    case 'namespace':
    case 'similar':
      return isRestructured || built().some((each) => concernsScope(question, each));
    default:
      return false;
  }
}

/** Yields the files that depend on any file around them, or on selectors around them, if one of these changed. `near` contains the files around all other changes. */
function* askedAround(
  asked: AskedQuestions,
  local: ReadonlySet<FileChange>,
  near: ReadonlySet<string>,
  nearLocal: () => ReadonlySet<string>,
  around: (uris: Iterable<string>) => ReadonlySet<string>,
): Iterable<readonly string[]> {
  // A match in the scope may also be in other scopes, where other selectors match it.
  const far = once(() => around([...near, ...around(urisOf([...local].filter(changesSelectors)))]));
  for (const { question, uris } of asked.others()) {
    if (question.about === 'around') yield [...nearLocal()].filter((uri) => uris.has(uri));
    if (question.about === 'selecting') yield [...far()].filter((uri) => uris.has(uri));
  }
}

function isAround(question: Question): boolean {
  return question.about === 'matches' && question.isAround === true;
}

function urisOf(changes: Iterable<FileChange>): readonly string[] {
  return [...changes].map(({ after }) => after.uri);
}

/** The maximum number of objects in files that are applied together whose selectors are certainly all compared. */
const maximumCompared = 700;

/** Returns a function that determines whether a change keeps how files are applied, and everything that is read of the file except by recorded look-ups. */
function isLocal(workspace: Workspace): (change: FileChange) => boolean {
  const neighbors = new Neighbors(workspace);
  return ({ before, after }) => {
    const { uri } = after;
    if (!sameExceptObjects(before.scope, after.scope) || !neighbors.isPlain(uri)) return false;
    if ([before, after].some(({ data, template, notes }) => (data ?? template ?? notes) !== undefined)) return false;
    const [old, fresh] = [new Set(before.scope.identities), new Set(after.scope.identities)];
    const isRenamed = (identity: string) => old.has(identity) !== fresh.has(identity);
    if (namespacesOf(before) !== namespacesOf(after)) return false;
    let objects = 0;
    for (const each of neighbors.of([uri])) {
      const facts = workspace.scopes().factsOf(each);
      objects += facts?.objects ?? 0;
      // Files with the same objects may be alternatives.
      if (each !== uri && facts?.identities.some(isRenamed)) return false;
    }
    return objects <= maximumCompared;
  };
}

/** Returns a string that contains the namespaces that a file creates, and those of its objects. */
function namespacesOf({ scope }: WorkspaceFile): string {
  return JSON.stringify(
    [...scope.identities, ...(scope.unnamed ?? [])]
      .map((identity) => identity.split('\n'))
      .map(([group, kind, namespace, name]) => [namespace, group === '' && kind === 'Namespace' ? name : ''])
      .sort(),
  );
}

function changesSelectors({ before, after }: FileChange): boolean {
  const [old, fresh] = [before, after].map(({ manifest }) =>
    JSON.stringify(
      manifest.objects.map(({ group, version, kind, selectorSites }) => [
        group,
        version,
        kind,
        selectorSites.map(({ path, selector, entries }) => [
          path,
          selector,
          entries.map(({ key, value }) => [key.text, value.text]),
        ]),
      ]),
    ),
  );
  return old !== fresh;
}

/** A scope that is built with a changed file, with its terms after the changes; none if they are unknown. */
interface BuiltScope {
  readonly path: string;
  readonly terms: ReadonlySet<string>;
}

const noTerms: ReadonlySet<string> = new Set();

type ScopeQuestion = Question & { readonly about: 'namespace' | 'similar' | 'scope' };

/** Whether the change of a scope may affect the answer to a question about scopes. */
function concernsScope(question: ScopeQuestion, { path, terms }: BuiltScope): boolean {
  if (question.about === 'scope') return question.path === path;
  if (question.about === 'namespace') return hasObjectsIn(terms, question.namespace);
  return mayAlmostMatch(terms, question.selector);
}

/** Whether a change may concern the connections that network policies allow, or the budgets of pods. A file without objects may be part of a kustomization. */
function concernsCluster(workspace: Workspace, { before, after }: FileChange): boolean {
  if (workspace.scopes().isPatch(after.uri)) return true;
  return [before, after].some(({ manifest, kustomization }) => {
    const { objects } = manifest;
    return (
      kustomization !== undefined ||
      objects.length === 0 ||
      objects.some((each) => concernsNetwork(each) || isExclusive(each))
    );
  });
}

function versionsOf(
  moved: ReadonlySet<string>,
  changes: readonly FileChange[],
  { files }: Workspace,
): readonly WorkspaceFile[] {
  const changed = new Map(changes.map((change) => [change.after.uri, change]));
  return [...moved].flatMap((uri) => {
    const change = changed.get(uri);
    return change === undefined ? (files.get(uri) ?? []) : [change.before, change.after];
  });
}

/** Returns a function that determines whether a change adds or removes an object that every cluster has: its copy in the workspace is an alternative to it, in every scope. */
function renamesInEveryCluster(workspace: Workspace): (change: FileChange) => boolean {
  const everywhere = new Set(workspace.files.get(everyCluster)?.manifest.objects.map(identityOf));
  return ({ before, after }) => {
    const [some, others] = [new Set(before.scope.identities), new Set(after.scope.identities)];
    return [...some, ...others].some((each) => everywhere.has(each) && some.has(each) !== others.has(each));
  };
}

/** Whether a change affects how files are parsed that need not be parsed again, or how all files are applied. */
function concernsEveryFile({ before, after }: FileChange): boolean {
  if (before.config !== undefined || after.config !== undefined) return true;
  const [were, are] = [before, after].map(({ manifest }) => manifest.objects.flatMap(({ defines }) => defines ?? []));
  return !equalExceptSpans(were, are);
}

type Asked = ReturnType<AskedQuestions['matching']>[number]['id'];

/** Returns the questions about matches that an object in a file may match. */
function askedAbout(asked: AskedQuestions, { uri, manifest }: WorkspaceFile): readonly Asked[] {
  const labeled = manifest.objects.flatMap((object) => labeledObjectsOf(object));
  return labeled.flatMap((each) => asked.matching(uri, kindKey(each.target), each).map(({ id }) => id));
}

/** Returns the questions about matches to which the versions of a file give different answers. */
function askedAboutMatches(asked: AskedQuestions, { before, after }: FileChange): ReadonlySet<Asked> {
  const [old, fresh] = [matchesIn(asked, before), matchesIn(asked, after)];
  const differs = (each: Asked) => JSON.stringify(old.get(each)) !== JSON.stringify(fresh.get(each));
  return new Set([...old.keys(), ...fresh.keys()].filter(differs));
}

/** Returns everything that determines whether and how certainly the objects of a file match, by the questions about these matches. */
function matchesIn(asked: AskedQuestions, { uri, manifest }: WorkspaceFile): ReadonlyMap<Asked, readonly unknown[]> {
  const found = new Map<Asked, unknown[]>();
  for (const object of manifest.objects) {
    if (!object.forCluster) continue;
    const { group, version, kind, name, generateName, namespace, template } = object;
    const who = [group, version, kind, name?.value, generateName?.value, namespace?.value, template];
    for (const labeled of labeledObjectsOf(object)) {
      const { target, labels, open, via, parts, guessed } = labeled;
      for (const { id, answer, selector } of asked.matching(uri, kindKey(target), labeled)) {
        const keys = selector.kind === 'all' ? selector.requirements.map(({ key }) => key) : [];
        const values = keys.map((key) => (Object.hasOwn(labels, key) ? labels[key] : null));
        getOrAdd(found, id, () => []).push([answer, who, values, open, via, parts, guessed]);
      }
    }
  }
  return found;
}

function hasKey({ target, key }: Question & { readonly about: 'key' }, file: WorkspaceFile): boolean {
  const { objects } = file.manifest;
  const labeled = target === undefined ? objects.filter(({ forCluster }) => forCluster).flatMap(labeledObjectsOf) : [];
  const found = target === undefined ? labeled : labeledObjectsInFile(file, [target]).map(({ labelSet }) => labelSet);
  return found.some(({ labels }) => Object.hasOwn(labels, key));
}

function changedNameTerms({ before, after }: FileChange, catalogue: Catalogue): ReadonlySet<string> {
  const terms = termsOfIdentities(difference(identitiesOf(before), identitiesOf(after)), catalogue);
  for (const name of difference(referredNames(before), referredNames(after))) terms.add(nameTerm.reference(name));
  const namespaces = [before, after].map(({ kustomization }) => kustomization?.namespace?.text);
  if (namespaces[0] !== namespaces[1])
    for (const each of namespaces) if (each !== undefined) terms.add(nameTerm.namespace(each));
  return terms;
}

function nameTermsOf(file: WorkspaceFile, catalogue: Catalogue): ReadonlySet<string> {
  const terms = termsOfIdentities(identitiesOf(file), catalogue);
  for (const name of referredNames(file)) terms.add(nameTerm.reference(name));
  return terms;
}

function termsOfIdentities(identities: Iterable<string>, catalogue: Catalogue): Set<string> {
  const terms = new Set<string>();
  for (const identity of identities) {
    const [group = '', kind = '', namespace = '', name = ''] = identity.split('\n');
    const places = group === '' && kind === 'Namespace' ? [namespace, name] : [namespace];
    for (const each of [kind, '*']) terms.add(nameTerm.object(each, name));
    terms.add(nameTerm.kind(kind)).add(nameTerm.all);
    for (const each of places) terms.add(nameTerm.namespace(each));
    for (const made of kindsMadeBy(catalogue, group, kind)) terms.add(nameTerm.maker(made));
  }
  return terms;
}

/** Returns the identities of the objects that a file contains or generates; objects with `generateName` are numbered. */
function identitiesOf({ scope, kustomization }: WorkspaceFile): readonly string[] {
  const generated = (kustomization?.generators ?? []).map(({ kind, name }) => `\n${kind}\n\n${name?.text ?? ''}`);
  const unnamed = (scope.unnamed ?? []).map((identity, index) => `${identity}${index}`);
  return [...allIdentities(scope), ...unnamed, ...generated];
}

/** Returns the elements that are in only one of two lists. */
function difference(some: readonly string[], others: readonly string[]): readonly string[] {
  const [one, other] = [new Set(some), new Set(others)];
  return [...[...one].filter((each) => !other.has(each)), ...[...other].filter((each) => !one.has(each))];
}
