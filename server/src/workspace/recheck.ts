/**
 * Computes the files to check again after some files changed: those that share a scope with a changed file, and those
 * whose check depends on a question about all files whose answer changed.
 */

import { evaluate } from '../engine/index.ts';
import { once } from '../engine/memoize.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import { labeledObjectsInFile } from './index/index-entries.ts';
import { filesNamedBy, kustomizationsNaming, withTransformers } from './kustomize/named-files.ts';
import type { FileChange, Workspace, WorkspaceFile } from './model.ts';
import type { CachedQuestion, Question } from './questions.ts';
import type { Scope } from './scopes/model.ts';
import { pathInTemplate, sameScopeFacts } from './scopes/scope-facts.ts';
import { filesInSiblings } from './scopes/sibling-folders.ts';
import { folderOf } from './uri.ts';

/**
 * Returns the URIs of the files whose findings may differ after some changes; `all` if a change may concern every file.
 * `asked` are the questions of the checks before the changes.
 */
export function filesToRecheck(
  workspace: Workspace,
  changes: readonly FileChange[],
  asked: readonly CachedQuestion[],
): ReadonlySet<string> | 'all' {
  if (changes.length === 0) return new Set();
  if (changes.some((change) => concernsEveryFile(change))) return 'all';
  const isGitops = changes.some(({ before, after }) => isPartOfGitops(before) || isPartOfGitops(after));
  if (
    isGitops &&
    workspace
      .scopes()
      .all()
      .some(({ gitops }) => gitops !== undefined)
  )
    return 'all';
  const neighbors = new Neighbors(workspace);
  const near = neighbors.of([...changes.map(({ after }) => after.uri), ...withTransformers(workspace)]);
  // A match in the scope may also be in further scopes, and be selected there.
  const far = once(() => neighbors.of(near));
  const found = new Set(near);
  for (const { question, uris } of asked) {
    if (!changes.some((change) => mayChangeAnswer(question, change))) continue;
    for (const uri of uris) if (question.about !== 'selecting' || far().has(uri)) found.add(uri);
  }
  return found;
}

/**
 * Whether a change may change the scopes, how other files are parsed, or facts of all files that rules use without a
 * question.
 */
function concernsEveryFile({ before, after }: FileChange): boolean {
  if (!sameScopeFacts(before.scope, after.scope)) return true;
  if ([before, after].some(decidesOthers)) return true;
  // The namespaces that kustomizations set affect which names may be misspelled.
  return before.kustomization?.namespace?.text !== after.kustomization?.namespace?.text;
}

/**
 * Whether GitOps objects may read a file: what they build depends on their definitions, which other objects may change,
 * and on variables in any file.
 */
function isPartOfGitops({ manifest }: WorkspaceFile): boolean {
  return manifest.objects.some(({ gitopsSpec, variables }) => gitopsSpec !== undefined || variables !== undefined);
}

/** Whether a file affects how others are parsed. */
function decidesOthers({ config, chart, helm, manifest }: WorkspaceFile): boolean {
  const isDefinition = manifest.objects.some(({ defines }) => defines !== undefined);
  return config !== undefined || chart !== undefined || helm !== undefined || isDefinition;
}

/** Whether a change may change the answer to a question. */
function mayChangeAnswer(question: Question, { before, after }: FileChange): boolean {
  switch (question.about) {
    case 'matches':
      return matchesIn(question, before) !== matchesIn(question, after);
    case 'key':
      return hasKey(question, before) !== hasKey(question, after);
    case 'selecting':
    case 'anything':
      return true;
  }
}

/**
 * The possible matches of a selector in a file, as text: everything that decides whether and how certainly they match.
 */
function matchesIn({ target, selector }: Question & { readonly about: 'matches' }, file: WorkspaceFile): string {
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

/** The files that share a scope, and those in neighboring plain folders. */
class Neighbors {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** All files that share a scope with some files, and these. */
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

  /** The scopes that a file takes part in: as a manifest, a kustomization, or a file that a kustomization names. */
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

  /** The files in the folder of a kustomization: one that it does not list may be reported. */
  #beside(uri: string): readonly string[] {
    const folder = folderOf(uri);
    return [...this.#workspace.scopes().facts().keys()].filter((each) => folderOf(each) === folder);
  }
}
