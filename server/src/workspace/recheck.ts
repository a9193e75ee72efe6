/** Determines which files must be checked again after some files changed: files that share a scope with a changed file, and files whose check depends on a question about all files whose answer changed. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../engine/index.ts';
import { getOrAdd, once } from '../engine/memoize.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { AskedQuestions } from './asked-questions.ts';
import { gitopsScopesOf } from './gitops/defined-scopes.ts';
import { kindKey } from './index/file-outline.ts';
import { labeledObjectsInFile } from './index/index-entries.ts';
import {
  filesNamedBy,
  kustomizationsListing,
  kustomizationsNaming,
  withTransformers,
} from './kustomize/named-files.ts';
import { mayShareTooMuch } from './kustomize/shared-files.ts';
import { buildsWithAny } from './kustomize/view.ts';
import type { FileChange, Workspace, WorkspaceFile } from './model.ts';
import type { Question } from './questions.ts';
import { changedNameTerms } from './references/name-terms.ts';
import { everyCluster, type Scope } from './scopes/model.ts';
import { identityOf, pathInTemplate, type ScopeFacts, sameScopeFacts } from './scopes/scope-facts.ts';
import { filesInSiblings } from './scopes/sibling-folders.ts';
import { folderOf } from './uri.ts';

/** Returns the URIs of the files whose findings may differ after some changes; `all` if a change may affect every file. `asked` contains the questions of the checks before the changes. */
export function filesToRecheck(
  workspace: Workspace,
  changes: readonly FileChange[],
  asked: AskedQuestions,
  catalogueOf: (uri: string) => Catalogue,
): ReadonlySet<string> | 'all' {
  if (changes.length === 0) return new Set();
  if (changes.some((change) => concernsEveryFile(change))) return 'all';
  const renaming = changes.filter(({ before, after }) => !sameScopeFacts(before.scope, after.scope));
  const isGitops = changes.some(({ before, after }) => isPartOfGitops(before) || isPartOfGitops(after));
  if ((isGitops || renaming.length > 0) && gitopsScopesOf(workspace.scopes()).length > 0) return 'all';
  if (renaming.some(renamesInEveryCluster(workspace))) return 'all';
  const removed = renaming.map(({ before, after }) => [after.uri, before.objects - after.objects] as const);
  if (renaming.length > 0 && mayShareTooMuch(workspace, removed)) return 'all';
  const neighbors = new Neighbors(workspace);
  const changed = new Set([...changes.map(({ after }) => after.uri), ...withTransformers(workspace)]);
  const comparing = renaming.flatMap(({ after }) => neighbors.comparingNames(after.uri));
  const near = new Set([...neighbors.of(changed), ...comparing]);
  // A match in the scope may also be in other scopes, where other selectors match it.
  const far = once(() => neighbors.of(near));
  const found = new Set(near);
  const add = (uris: Iterable<string>) => {
    for (const uri of uris) found.add(uri);
  };
  const built = once(() =>
    buildsWithAny(workspace, changed).flatMap(({ path }) => workspace.terms(path, catalogueOf(path))?.terms ?? []),
  );
  for (const change of changes) {
    for (const { uris } of askedAboutMatches(asked, change)) add(uris);
    for (const term of changedNameTerms(change, catalogueOf(change.after.uri))) add(asked.namedBy(term));
  }
  if (changes.some(({ after }) => after.data !== undefined)) for (const { uris } of asked.built()) add(uris);
  for (const terms of asked.areBuiltAsked ? built() : []) for (const { uris } of asked.builtWith(terms)) add(uris);
  for (const { question, uris } of asked.others()) {
    if (question.about === 'anything') add(uris);
    if (question.about === 'selecting') add([...uris].filter((uri) => far().has(uri)));
    if (question.about === 'owned' && built().some((terms) => terms.has(question.term))) add(uris);
    if (
      question.about === 'key' &&
      changes.some((change) => hasKey(question, change.before) !== hasKey(question, change.after))
    )
      add(uris);
  }
  return found;
}

/** Whether a change may affect the scopes, how other files are parsed, or facts about all files that rules use without recording a question. */
function concernsEveryFile({ before, after }: FileChange): boolean {
  if (!sameScopeFacts(before.scope, after.scope) && !haveSameScopes(before.scope, after.scope)) return true;
  if ([before, after].some(decidesOthers)) return true;
  // The namespaces that kustomizations set affect which namespaces are reported as misspelled.
  return before.kustomization?.namespace?.text !== after.kustomization?.namespace?.text;
}

/** Whether two versions of a file are in the same scopes, except in scopes of GitOps objects, although they may contain different objects. Objects of Templates determine scopes. */
function haveSameScopes(before: ScopeFacts, after: ScopeFacts): boolean {
  const withoutObjects = (facts: ScopeFacts): ScopeFacts => ({ ...facts, identities: [], objects: 1 });
  const arePlain = [before, after].every(({ objects, templates }) => objects > 0 && templates.length === 0);
  return arePlain && sameScopeFacts(withoutObjects(before), withoutObjects(after));
}

/** Returns a function that determines whether a change adds or removes an object that every cluster has: its copy in the workspace is an alternative to it, in every scope. */
function renamesInEveryCluster(workspace: Workspace): (change: FileChange) => boolean {
  const everywhere = new Set(workspace.files.get(everyCluster)?.manifest.objects.map(identityOf));
  return ({ before, after }) => {
    const [some, others] = [new Set(before.scope.identities), new Set(after.scope.identities)];
    return [...some, ...others].some((each) => everywhere.has(each) && some.has(each) !== others.has(each));
  };
}

/** Whether GitOps objects may depend on a file. What they build depends on their definitions, which other objects may change, and on variables in any file. */
function isPartOfGitops({ manifest }: WorkspaceFile): boolean {
  return manifest.objects.some(({ gitopsSpec, variables }) => gitopsSpec !== undefined || variables !== undefined);
}

/** Whether a file affects how other files are parsed. */
function decidesOthers({ config, chart, helm, manifest }: WorkspaceFile): boolean {
  const isDefinition = manifest.objects.some(({ defines }) => defines !== undefined);
  return config !== undefined || chart !== undefined || helm !== undefined || isDefinition;
}

/** Returns the questions about matches to which the versions of a file give different answers. */
function askedAboutMatches(asked: AskedQuestions, { before, after }: FileChange) {
  const found = new Set<ReturnType<AskedQuestions['matching']>[number]['id']>();
  for (const { manifest } of [before, after])
    for (const labeled of manifest.objects.flatMap((object) => labeledObjectsOf(object))) {
      const target = kindKey(labeled.target);
      for (const { id, selector } of asked.matching(target, labeled))
        if (!found.has(id) && matchesIn(target, selector, before) !== matchesIn(target, selector, after)) found.add(id);
    }
  return found;
}

/** Returns the possible matches of a selector in a file as a string that contains everything that determines whether and how certainly they match. */
function matchesIn(target: string, selector: Selector, file: WorkspaceFile): string {
  const keys = selector.kind === 'all' ? selector.requirements.map(({ key }) => key) : [];
  const matches = labeledObjectsInFile(file, [target]).flatMap(({ id, labelSet }) => {
    const answer = evaluate(selector, labelSet);
    const object = file.manifest.objects[id.object];
    const labeledObject = object && labeledObjectsOf(object)[id.labeledObject];
    if (answer === 'no' || object === undefined || labeledObject === undefined) return [];
    const { group, version, kind, name, generateName, namespace, template } = object;
    const who = [group, version, kind, name?.value, generateName?.value, namespace?.value, template];
    const { labels, open, via, parts, guessed } = labeledObject;
    return [
      [answer, who, keys.map((key) => (Object.hasOwn(labels, key) ? labels[key] : null)), open, via, parts, guessed],
    ];
  });
  return JSON.stringify(matches);
}

function hasKey({ target, key }: Question & { readonly about: 'key' }, file: WorkspaceFile): boolean {
  return labeledObjectsInFile(file, [target]).some(({ labelSet }) => Object.hasOwn(labelSet.labels, key));
}

/** Finds the files that share a scope, and the files in neighboring plain folders. */
class Neighbors {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Returns the given files and all files that share a scope with one of them. */
  of(uris: Iterable<string>): ReadonlySet<string> {
    const found = new Set(uris);
    const seen = new Set<object>();
    const isNew = (scope: object) => !seen.has(scope) && seen.add(scope);
    const scopes = this.#workspace.scopes();
    const add = (files: Iterable<string>) => {
      for (const each of files) found.add(each);
    };
    for (const uri of [...found]) {
      const templates = scopes.facts().get(uri)?.templates ?? [];
      for (const place of [uri, ...templates.map(({ name }) => pathInTemplate(uri, name))]) {
        const around = scopes.filesAround(place);
        if (!isNew(around)) continue;
        add(around);
        add(filesInSiblings(scopes, place));
      }
      for (const scope of this.#takingPart(uri)) if (isNew(scope)) add(this.#filesOf(scope));
      if (scopes.facts().get(uri)?.kustomization !== undefined) add(this.#beside(uri));
    }
    return found;
  }

  /**
   * Returns the files that may be compared with the names of the objects in a file: the files that are listed together
   * with it, and the files next to the kustomizations that build it, which may contain the same objects.
   */
  comparingNames(uri: string): readonly string[] {
    const scopes = this.#workspace.scopes();
    const parts = this.#takingPart(uri).flatMap((scope) => scopes.partsOf(scope));
    return [...parts, ...(kustomizationsListing(this.#workspace).get(uri) ?? [])].flatMap((part) => {
      const { resources = [] } = scopes.facts().get(part)?.kustomization ?? {};
      return [...this.#beside(part), ...resources.map((path) => this.#workspace.at(folderOf(part), path))];
    });
  }

  /**
   * Returns the scopes in which a file takes part: as a manifest, as a kustomization, or as a file that a kustomization
   * names.
   */
  #takingPart(uri: string): readonly Scope[] {
    const scopes = this.#workspace.scopes();
    const naming = kustomizationsNaming(this.#workspace).get(uri) ?? [];
    return [...scopes.ofFile(uri), ...[uri, ...naming].flatMap((each) => scopes.building(each))];
  }

  #filesOf(scope: Scope): readonly string[] {
    const scopes = this.#workspace.scopes();
    const parts = scopes.partsOf(scope);
    return [...scope.files, ...parts, ...parts.flatMap((uri) => filesNamedBy(this.#workspace, uri))];
  }

  /**
   * Returns the files in the folder of a kustomization, because a file that the kustomization does not list may be
   * reported.
   */
  #beside(uri: string): readonly string[] {
    return getOrAdd(folders, this.#workspace.scopes().facts(), filesByFolder).get(folderOf(uri)) ?? [];
  }
}

/** The files in each folder. They are cached while no scope changes. */
const folders = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

function filesByFolder(facts: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const uri of facts.keys()) getOrAdd(found, folderOf(uri), () => []).push(uri);
  return found;
}
