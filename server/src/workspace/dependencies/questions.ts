/** Records the questions about all files on which a check depends, so that a later run can determine which changes may affect the checked file. */

import type { Selector } from '../../engine/index.ts';
import { everyCluster } from '../scopes/model.ts';

/** A question whose answer may depend on files in any scope. Plain data: it is stored between two runs. */
export type Question =
  /**
   * Requests the objects of a kind that a selector may match. Labels that the selector does not mention do not affect
   * the answer. `target` is a `kindKey`. With `isAround`, only objects that are applied together with the checked file
   * matter; with `uri`, only those in a file.
   */
  | MatchesQuestion
  /** Asks whether any object of a kind, or of any kind, has a label key. */
  | { readonly about: 'key'; readonly target?: string; readonly key: string }
  /** Requests the selectors that match an object of the scope; the object may also be in other scopes. */
  | { readonly about: 'selecting' }
  /** Asks which scopes that may share the cluster build an object that a selector matches; the caller also asks about the content of each of them. */
  | { readonly about: 'built'; readonly selector: Selector }
  /** Asks which scopes apply an object with a term, such as its name; the caller also asks about the content of each of them. */
  | { readonly about: 'applied'; readonly term: string }
  /** Requests facts about the names of objects in all files; `term` is a `nameTerm`. */
  | { readonly about: 'named'; readonly term: string }
  /** Asks which scopes apply objects to a namespace; the caller also asks about the content of each of them. */
  | { readonly about: 'namespace'; readonly namespace: string }
  /** Asks which scopes apply objects that a selector matches except for a misspelling; the caller also asks about the content of each of them. */
  | { readonly about: 'similar'; readonly selector: Selector }
  /** Requests the objects that a scope applies; `path` is the path of the scope. */
  | { readonly about: 'scope'; readonly path: string }
  /** Requests the pods, Services, Namespaces, network policies and disruption budgets of the cluster of a GitOps object. */
  | { readonly about: 'cluster' }
  /** Requests facts about what other GitOps objects apply to the cluster of an object. */
  | { readonly about: 'gitops' }
  /** Asks in which scopes a file is, and for the facts of the file from which scopes are found. */
  | { readonly about: 'place'; readonly uri: string }
  /** A query about all scopes; a check depends on it only if its answer differs. */
  | {
      readonly about: 'answer';
      readonly query: string;
      readonly parameters: readonly string[];
      readonly answer: string;
    }
  /** Requests any other facts about the scopes of all files. */
  | { readonly about: 'layout' }
  /** Requests the content of a file. */
  | { readonly about: 'file'; readonly uri: string }
  /** Requests the positions of the content of a file. */
  | { readonly about: 'positions'; readonly uri: string }
  /** Requests facts about any file that is applied together with the checked file. */
  | { readonly about: 'around' }
  /** Asks which files and folders exist. */
  | { readonly about: 'paths' }
  /** Requests any other facts about the labels or selectors of all files. */
  | { readonly about: 'anything' };

export interface MatchesQuestion {
  readonly about: 'matches';
  readonly target: string;
  readonly selector: Selector;
  readonly isAround?: true;
  readonly uri?: string;
}

/** The facts about names on which a check may depend. */
export const nameTerm = {
  /** The objects of a kind with a name; the kind `*` means any kind. */
  object: (kind: string, name: string) => `object ${kind}/${name}`,
  kind: (kind: string) => `kind ${kind}`,
  namespace: (namespace: string) => `namespace ${namespace}`,
  /** The files with objects whose controllers create objects of a kind. */
  maker: (kind: string) => `maker ${kind}`,
  reference: (name: string) => `reference ${name}`,
  all: 'all',
} as const;

/** A question, and the URIs of the files whose checks depend on it. */
export interface CachedQuestion {
  readonly question: Question;
  readonly uris: readonly string[];
}

const nothing: ReadonlySet<string> = new Set();

/** The maximum number of files around a check of which each read is recorded; with more, the check depends on all files around it. */
const maximumAround = 200;

/** What was recorded for one check, or for a result that many checks share. */
interface Recording {
  readonly noted: Map<string, Question>;
  readonly read: Set<string>;
  readonly placed: Set<string>;
  readonly rendered: Set<string>;
  readonly around: ReadonlySet<string>;
  /** Whether reads of files in `around` are recorded. */
  readonly areAroundRecorded: boolean;
}

/** Records the questions of one check at a time. */
export class Questions {
  #current: Recording | undefined;
  /**
   * Changes with each check, so that a check does not use results that were cached during another check, and records
   * its own questions.
   */
  turn = 0;

  /** Begins to record questions. `around` contains the files that are applied together with the checked file; unless their reads are recorded, each of their changes concerns the check. */
  start(around: ReadonlySet<string> = nothing, areAroundRecorded = false): void {
    this.#current = {
      noted: new Map(),
      read: new Set(),
      placed: new Set(),
      rendered: new Set(),
      around,
      areAroundRecorded,
    };
    this.turn++;
  }

  note(question: Question): void {
    this.#current?.noted.set(keyOf(question), question);
  }

  /** Records that a file was read; all files if there is no URI. */
  read(uri?: string): void {
    if (this.#current === undefined) return;
    const { read, around, areAroundRecorded } = this.#current;
    if (uri === undefined) this.note({ about: 'anything' });
    else if ((areAroundRecorded || !around.has(uri)) && uri !== everyCluster) read.add(uri);
  }

  /** Records that the objects of a file that a selector matches were read. */
  readMatches(uri: string, question: MatchesQuestion): void {
    if (uri === everyCluster || this.#current?.around.has(uri)) this.read(uri);
    else this.note({ ...question, uri });
  }

  get isRecording(): boolean {
    return this.#current !== undefined;
  }

  /** Records that the scopes of a file were read; a change of the scopes of the files around the check concerns it in any case. */
  readPlace(uri: string): void {
    if (this.#current?.around.has(uri) === false) this.#current.placed.add(uri);
  }

  /** Records that the files around a file were read: a file around the check may be applied together with files that the check is not applied with, such as a configuration that contains objects. */
  readFilesAround(uri: string, files: ReadonlySet<string>): void {
    if (this.#current !== undefined && this.#current.around !== files) this.#current.placed.add(uri);
  }

  /** Records that facts of a file were found by a look-up whose question states less than what is read of files around the check. */
  readAround(uri: string): void {
    if (this.#current?.areAroundRecorded === true && this.#current.around.has(uri)) this.read(uri);
  }

  /** Records a question about the files around the check. */
  noteAround(question: Question): void {
    if (this.#current?.areAroundRecorded === true) this.note(question);
  }

  /** Records that the objects of the scope at a path were rendered. */
  render(path: string): void {
    this.#current?.rendered.add(path);
  }

  /** Stops recording until the returned function is called. */
  pause(): () => void {
    const current = this.#current;
    this.#current = undefined;
    return () => {
      this.#current = current;
    };
  }

  /** Returns the questions recorded since `start`, without duplicates, and stops recording. */
  finish(): readonly Question[] {
    if (this.#current === undefined) return [];
    const { noted, read, placed, rendered, around: files } = this.#current;
    const around = [...read].filter((uri) => files.has(uri));
    if (around.length > maximumAround) {
      this.note({ about: 'around' });
      for (const uri of around) read.delete(uri);
    }
    for (const uri of read) this.note({ about: 'file', uri });
    for (const uri of placed) this.note({ about: 'place', uri });
    for (const path of rendered) this.note({ about: 'scope', path });
    this.#current = undefined;
    return [...noted.values()];
  }

  /** Computes a result that many checks share, and returns it with the questions that it asked. They are not recorded for the current check. */
  shared<T>(compute: () => T): { readonly result: T; readonly questions: readonly Question[] } {
    const resume = this.pause();
    this.start();
    try {
      const result = compute();
      return { result, questions: this.finish() };
    } finally {
      resume();
    }
  }
}

/** Computes a result that many checks share, without recording what it depends on: the check that computes it first does not depend on more than the others. */
export function unrecorded<T>({ questions }: { readonly questions?: Questions | undefined }, compute: () => T): T {
  const resume = questions?.pause();
  const result = compute();
  resume?.();
  return result;
}

/** Returns a string that is equal for equal questions; most questions are asked thousands of times. */
function keyOf(question: Question): string {
  return Object.keys(question).length === 1 ? question.about : JSON.stringify(question);
}
