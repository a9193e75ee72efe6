/**
 * A reporter of mocha that writes the counts of a run for the run of all stages. Like mocha's own `spec`, with a line
 * for each repeated test, and a file at the end.
 */
import Mocha from 'mocha';
import { writeCounts } from './host/counts.ts';

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      console.log(`    repeated: ${test.fullTitle()}: ${error.message}`);
    });
    runner.once('end', () => writeCounts({ passed: this.stats.passes, failed: this.stats.failures }));
  }
}
