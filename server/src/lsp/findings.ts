/** Computes the findings of open documents in slices, so that other requests are answered in between, and an edit replaces a check that has not ended. */

import type { CancellationToken } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../rules/framework/rule.ts';
import type { Session } from '../session.ts';
import { inSlices } from '../steps.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { cancelled } from './request-guard.ts';

/** A check that other work has interrupted. */
interface Run {
  /** Whether each of those who wait still wants the result. */
  readonly wanted: (() => boolean)[];
  readonly findings: Promise<readonly Finding[]>;
}

export class OpenFindings {
  readonly #session: Session;
  readonly #source: Pick<FileSource, 'pause'>;
  readonly #runs = new Map<string, Run>();

  constructor(session: Session, source: Pick<FileSource, 'pause'>) {
    this.#session = session;
    this.#source = source;
  }

  /** Returns the findings in an open file as soon as it stays the same for the whole check; all that wait share one check. */
  of(uri: string, isWanted = () => true): readonly Finding[] | Promise<readonly Finding[]> {
    const running = this.#runs.get(uri);
    if (running !== undefined) {
      running.wanted.push(isWanted);
      return running.findings;
    }
    const first = this.#check(uri);
    if (!(first instanceof Promise)) return first ?? [];
    const wanted = [isWanted];
    const findings = this.#repeated(uri, first, wanted).finally(() => this.#runs.delete(uri));
    this.#runs.set(uri, { wanted, findings });
    return findings;
  }

  /** Answers a request with the findings of a document; an answer that must wait is not computed for a request that was cancelled. */
  answer<T>(
    { uri }: TextDocument,
    token: CancellationToken,
    answer: (findings: readonly Finding[]) => T | Promise<T>,
  ): T | Promise<T> {
    const found = this.of(canonicalUri(uri), () => !token.isCancellationRequested);
    if (!(found instanceof Promise)) return answer(found);
    return found.then((findings) => {
      if (token.isCancellationRequested) throw cancelled();
      return answer(findings);
    });
  }

  #check(uri: string) {
    return inSlices(this.#session.findingsInSteps(uri), () => this.#source.pause());
  }

  /** Checks a file again as long as it changes during the check. */
  async #repeated(
    uri: string,
    first: Promise<readonly Finding[] | undefined>,
    wanted: Run['wanted'],
  ): Promise<readonly Finding[]> {
    let found = await first;
    while (found === undefined && wanted.some((each) => each())) found = await this.#check(uri);
    return found ?? [];
  }
}
