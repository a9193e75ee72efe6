/** A workspace whose diagnostics are updated after changes, for comparisons with a full check. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { AllProblems, type Checked } from '../../server/src/features/diagnostics/all-problems.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { Session } from '../../server/src/session.ts';
import { offsetToPosition } from '../../server/src/text/lines.ts';
import type { Span } from '../../server/src/text/span.ts';
import type { Base } from '../../server/src/workspace/base.ts';
import type { WorkspaceFile } from '../../server/src/workspace/model.ts';
import { TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

export const folder = 'file:///work';

/** A workspace whose diagnostics are known by file, and updated. */
export class Watched {
  readonly source: MemoryFiles;
  readonly session = new Session({ catalogue, log: new TestLog() });
  readonly problems: AllProblems;
  readonly found = new Map<string, readonly string[]>();
  /** The files that the last run checked. */
  checked: string[] = [];

  /** `check` replaces the check of all rules. */
  constructor(
    texts: Iterable<readonly [uri: string, text: string]>,
    check: (file: WorkspaceFile, watched: Watched, text: string) => readonly Finding[] = (file, { session }, text) =>
      session.check(file, () => text),
  ) {
    const { session } = this;
    this.source = new MemoryFiles(texts);
    this.problems = new AllProblems({
      workspace: session.workspace,
      source: this.source,
      check: (file, text) => check(file, this, text),
    });
  }

  async load() {
    await this.session.workspace.load(
      this.source,
      [folder],
      () => undefined,
      () => false,
    );
    return this;
  }

  /** Compares the workspace with a state of the same files. */
  async compareWith(texts: ReadonlyMap<string, string>) {
    const { session } = await new Watched(texts).load();
    const { workspace } = session;
    const base: Base = {
      name: 'HEAD',
      side: {
        workspace: session.snapshot(),
        catalogueOf: (uri) => workspace.catalogueOf(uri),
        textOf: (uri) => texts.get(uri),
      },
      textNow: (uri) => this.source.texts.get(uri),
      changed: new Set(texts.keys()),
    };
    this.session.choose({ base });
    return this;
  }

  /** Returns the findings of files, as an editor requests them for open files. */
  ofOpenFiles(uris: Iterable<string> = this.session.snapshot().files.keys()): ReadonlyMap<string, readonly string[]> {
    const files = [...uris].flatMap((uri) => this.session.snapshot().files.get(uri) ?? []);
    const found = files.map((file): readonly [string, readonly string[]] => {
      const findings = this.session.check(file, () => this.source.texts.get(file.uri) ?? '');
      return [file.uri, linesOf({ file, findings })];
    });
    return new Map(found.filter(([, lines]) => lines.length > 0));
  }

  async write(uri: string, text: string) {
    this.source.texts.set(uri, text);
    await this.session.workspace.refresh(this.source, [{ uri, gone: false }]);
  }

  async delete(uri: string) {
    this.source.texts.delete(uri);
    await this.session.workspace.refresh(this.source, [{ uri, gone: true }]);
  }

  async run() {
    this.checked = [];
    const keep = (uri: string, checked: Checked | undefined) => {
      this.checked.push(uri);
      const lines = checked === undefined ? [] : linesOf(checked);
      if (lines.length === 0) this.found.delete(uri);
      else this.found.set(uri, lines);
    };
    assert.equal(await this.problems.run(keep, () => false), true);
    return this.found;
  }
}

function linesOf({ file, findings }: Checked): readonly string[] {
  const at = (where: WorkspaceFile, { start, end }: Span) =>
    [start, end].map((offset) => Object.values(offsetToPosition(where.lines, offset)).join(':')).join('-');
  return findings.map(({ rule, severity, span, message, related }) => {
    const others = related.map((each) => `${each.file.uri} ${at(each.file, each.span)} ${each.message}`);
    return [severity, rule, at(file, span), message, ...others].join(' ');
  });
}
