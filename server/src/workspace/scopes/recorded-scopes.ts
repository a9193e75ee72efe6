/** Records what is read of the scopes of a workspace, so that a later run determines which changes of scopes concern a check. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { hashOf } from '../../text/hash.ts';
import type { Question, Questions } from '../dependencies/questions.ts';
import type { GitopsObject } from '../gitops/model.ts';
import type { Scope, Scopes, Seen, Someone } from './model.ts';
import { fileOfPlace } from './scope-facts.ts';

/** Scopes as a check reads them: what is read about a file is recorded for that file; everything that is read about all scopes is recorded as one dependency on all of them, unless a `scopeQuery` reads it. */
class RecordedScopes implements Scopes {
  readonly scopes: Scopes;
  readonly questions: Questions;
  readonly withoutDefaults: () => Scopes;

  constructor(scopes: Scopes, questions: Questions) {
    this.scopes = scopes;
    this.questions = questions;
    this.withoutDefaults = () => recordedScopes(scopes.withoutDefaults(), questions);
  }

  #whole(): Scopes {
    this.questions.note({ about: 'layout' });
    return this.scopes;
  }

  #at(place: string): Scopes {
    if (this.questions.isRecording) this.questions.readPlace(fileOfPlace(place));
    return this.scopes;
  }

  /** The cluster of a GitOps object depends on the scopes that apply its definition, and on those that apply theirs. */
  #inClusters(...scopes: readonly Scope[]): Scopes {
    if (!this.questions.isRecording) return this.scopes;
    const seen = new Set(scopes.flatMap(({ gitops }) => gitops ?? []));
    for (const each of seen) for (const other of this.#above(each)) seen.add(other);
    return this.scopes;
  }

  #above({ uri }: GitopsObject): readonly GitopsObject[] {
    return this.#at(uri)
      .of(uri)
      .flatMap(({ gitops }) => gitops ?? []);
  }

  of(place: string) {
    return this.#at(place).of(place);
  }

  ofFile(uri: string) {
    return this.#at(uri).ofFile(uri);
  }

  isPatch(uri: string) {
    return this.#at(uri).isPatch(uri);
  }

  isTriedOut(uri: string) {
    return this.#at(uri).isTriedOut(uri);
  }

  isGenerated(uri: string) {
    return this.#at(uri).isGenerated(uri);
  }

  relation(from: string, to: string, who?: Someone) {
    this.#at(from);
    this.#at(to);
    if (this.questions.isRecording)
      for (const place of [from, to])
        for (const scope of this.scopes.of(place)) if (scope.gitops !== undefined) this.#inClusters(scope);
    return this.scopes.relation(from, to, who);
  }

  relationOf(one: Scope, other: Scope) {
    return this.#inClusters(one, other).relationOf(one, other);
  }

  shareCluster(one: Scope, other: Scope) {
    return this.#inClusters(one, other).shareCluster(one, other);
  }

  haveOtherClusters(one: Scope, other: Scope) {
    return this.#inClusters(one, other).haveOtherClusters(one, other);
  }

  clusterGroups() {
    return this.#whole().clusterGroups();
  }

  filesAround(place: string) {
    const files = this.scopes.filesAround(place);
    this.questions.readFilesAround(fileOfPlace(place), files);
    return files;
  }

  foldersAround(place: string) {
    return this.#at(place).foldersAround(place);
  }

  together(from: string, to: string) {
    return this.#at(from) && this.#at(to).together(from, to);
  }

  namespaceOf(place: string) {
    return this.#at(place).namespaceOf(place);
  }

  all() {
    return this.#whole().all();
  }

  building(uri: string) {
    return this.#at(uri).building(uri);
  }

  partsOf(root: Scope) {
    return this.scopes.partsOf(root);
  }

  seenFrom(scope: Scope, seen: Seen) {
    return new RecordedScopes(this.scopes.seenFrom(scope, seen), this.questions);
  }

  facts() {
    return this.#whole().facts();
  }

  factsOf(uri: string) {
    this.questions.readAround(uri);
    return this.#at(uri).factsOf(uri);
  }

  structure() {
    return this.#whole().structure();
  }

  withObjects(changed: Parameters<Scopes['withObjects']>[0]) {
    return this.scopes.withObjects(changed);
  }

  dataFiles() {
    return this.#whole().dataFiles();
  }

  isCut(uri: string) {
    return this.#at(uri).isCut(uri);
  }

  repositoryOf(uri: string) {
    return this.scopes.repositoryOf(uri);
  }

  at(folder: string, path: string) {
    return this.scopes.at(folder, path);
  }
}

const known = new WeakMap<Scopes, WeakMap<Questions, Scopes>>();

/** Returns scopes that record what a check reads of them. */
export function recordedScopes(scopes: Scopes, questions: Questions): Scopes {
  const byQuestions = getOrAdd(known, scopes, () => new WeakMap<Questions, Scopes>());
  return getOrAdd(byQuestions, questions, () => new RecordedScopes(scopes, questions));
}

/** Returns scopes that record nothing, for a result that many checks share, or whose dependencies the caller records. */
export function unrecordedScopes({ scopes: scopesOf }: { scopes(): Scopes }): Scopes {
  const scopes = scopesOf();
  return scopes instanceof RecordedScopes ? scopes.scopes : scopes;
}

/** A query whose answer is compared after a change; undefined if a scope to which it refers does not exist. */
type Asked = (scopes: Scopes, parameters: readonly string[]) => string | undefined;

const queries = new Map<string, Asked>();

/**
 * Returns a function that answers a question about all scopes. A check that asks it depends only on the answer: the text
 * that `textOf` returns must differ for answers that are not the same to the caller.
 */
export function scopeQuery<Parameters extends readonly (string | Scope)[], Answer>(
  name: string,
  ask: (scopes: Scopes, ...parameters: Parameters) => Answer,
  textOf: (answer: Answer) => string,
): (scopes: Scopes, ...parameters: Parameters) => Answer {
  const shortTextOf = (answer: Answer) => {
    const text = textOf(answer);
    return text.length > maximumText ? hashOf(text) : text;
  };
  queries.set(name, (scopes, written) => {
    const parameters = written.flatMap((each) => (each.startsWith(scopeMark) ? (scopeWith(scopes, each) ?? []) : each));
    // The parameters are those with which the query was asked.
    return parameters.length < written.length
      ? undefined
      : shortTextOf(ask(scopes, ...(parameters as unknown as Parameters)));
  });
  return (scopes, ...given) => {
    if (!(scopes instanceof RecordedScopes)) return ask(scopes, ...given);
    const answer = ask(scopes.scopes, ...given);
    if (scopes.questions.isRecording) {
      const parameters = given.map((each) => (typeof each === 'string' ? each : scopeKey(each)));
      scopes.questions.note({ about: 'answer', query: name, parameters, answer: shortTextOf(answer) });
    }
    return answer;
  };
}

/** Longer texts of answers are stored as hashes. */
const maximumText = 24;

/** No other parameter starts with this character. */
const scopeMark = '\0';

/** Returns a string that identifies a scope in each state of a workspace. */
function scopeKey({ kind, path, name = '', generated = false }: Scope): string {
  return scopeMark + [kind, path, name, generated].join('\n');
}

const scopesByKey = memoized((all: readonly Scope[]) => new Map(all.map((scope) => [scopeKey(scope), scope])));

/** Returns the scope that a `scopeKey` identifies. */
function scopeWith(scopes: Scopes, key: string): Scope | undefined {
  return scopesByKey(scopes.all()).get(key);
}

/** Returns a short text that is equal for equal scopes, for answers that contain scopes. */
export const textOfScope = memoized((scope: Scope) => {
  const { files, release: _, edited: __, ...properties } = scope;
  return hashOf(JSON.stringify([properties, textOfFiles(files)]));
});

/** Many scopes can share one set of files. */
const textOfFiles = memoized((files: ReadonlySet<string>) => hashOf(JSON.stringify([...files])));

/** Returns the answer to a recorded question in other scopes, as it is recorded. */
export function answerTo(
  scopes: Scopes,
  { query, parameters }: Question & { readonly about: 'answer' },
): string | undefined {
  return queries.get(query)?.(scopes instanceof RecordedScopes ? scopes.scopes : scopes, parameters);
}
