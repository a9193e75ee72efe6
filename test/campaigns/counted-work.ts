/** Counts the work of the server's code, independently of the machine and of its load. */

import { Session } from 'node:inspector/promises';

/** Counts how often functions and blocks of the server's code are executed, as V8 counts them for coverage. Until the counter stops, V8 does not optimize code. */
export class WorkCounter {
  readonly #inspector = new Session();

  async start(): Promise<void> {
    this.#inspector.connect();
    await this.#inspector.post('Profiler.enable');
    await this.#inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns the work since the last call. */
  async take(): Promise<number> {
    const { result } = await this.#inspector.post('Profiler.takePreciseCoverage');
    const own = result.filter(({ url }) => url.includes('/server/src/'));
    const ranges = own.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  }

  async stop(): Promise<void> {
    await this.#inspector.post('Profiler.stopPreciseCoverage');
    this.#inspector.disconnect();
  }
}
