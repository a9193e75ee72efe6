/** Logs the problems of files. Each problem is logged once, and again only after it changed. */

import type { Log } from '../../log.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { WorkspaceFile } from '../model.ts';

export class ReportedOnce {
  readonly #log: Log;
  readonly #reported = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs the problems of a `.selector-lens.yaml`; `file` is undefined if it was removed. */
  configProblems(uri: string, file: WorkspaceFile | undefined): void {
    const problems = (file?.config?.problems ?? []).map(({ message, span }) => {
      return `${uri}:${offsetToPosition(file?.lines ?? [], span.start).line + 1}: ${message}`;
    });
    if (this.#reported.get(uri) === problems.join('\n')) return;
    this.#reported.set(uri, problems.join('\n'));
    for (const each of problems) this.#log.warn(each);
  }

  /** Logs the parts of a template that cannot be parsed, with their positions. */
  notes({ uri, notes, lines }: WorkspaceFile): void {
    for (const { at, message, is } of notes ?? []) {
      if (is === 'yaml error') continue;
      const note = localize`${uri}:${offsetToPosition(lines, at).line + 1}: the template ${message}.`;
      const key = `${uri} ${message}`;
      if (this.#reported.get(key) === note) continue;
      this.#reported.set(key, note);
      this.#log.info(note);
    }
  }
}
