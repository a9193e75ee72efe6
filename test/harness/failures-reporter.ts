/** A reporter of mocha that writes the failed assertions of each test file as JSON, for `npm run approve`. */
import { writeFileSync } from 'node:fs';
import type Mocha from 'mocha';
import type { FailedAssertion } from './expected-texts.ts';

/** An environment variable with the path of the file to write. */
export const failuresVariable = 'SELECTOR_LENS_FAILURES';

/** By the URL of the test file. */
export type Failures = Readonly<Record<string, readonly FailedAssertion[]>>;

export default class FailuresReporter {
  constructor(runner: Mocha.Runner) {
    const failures: Record<string, FailedAssertion[]> = {};
    runner.on('fail', (_, error: Error & { readonly actual?: unknown }) => {
      // An assertion in a helper has no expected text of its own: the test file must be the first frame outside of
      // Node.
      const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line) && !/\(?node:/.test(line)) ?? '';
      const [, file, line, column] = /(file:\S+\.test\.ts):(\d+):(\d+)\)?$/.exec(frame) ?? [];
      if (file === undefined || !('actual' in error)) return;
      const failed = { line: Number(line), column: Number(column), actual: error.actual };
      failures[file] = [...(failures[file] ?? []), failed];
    });
    runner.once('end', () => writeFileSync(process.env[failuresVariable] ?? '', JSON.stringify(failures)));
  }
}
