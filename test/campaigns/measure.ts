/** Measures the cost of the steps of a campaign: CPU time per step, and memory over the run. */

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Milliseconds of CPU time of this process, with the threads that collect garbage: usual steps take less than a tenth, so
 * that only a step without a bound takes longer.
 */
const slowStep = 5_000;

/** Bytes by which a heap may differ without a leak: caches that fill, code that is compiled. */
const slack = 40_000_000;

export class Measure {
  readonly #name: string;
  readonly #collect: () => void;
  #steps = 0;
  #slowest = { milliseconds: 0, what: '' };
  readonly #heaps: number[] = [];

  constructor(name: string) {
    this.#name = name;
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc');
  }

  /** Runs one step; `what` describes it if it is the slowest one. */
  step<T>(what: () => string, work: () => T): T {
    const before = process.cpuUsage();
    try {
      return work();
    } finally {
      this.#note(what, before);
    }
  }

  /** Runs one asynchronous step. */
  async stepAsync<T>(what: () => string, work: () => Promise<T>): Promise<T> {
    const before = process.cpuUsage();
    try {
      return await work();
    } finally {
      this.#note(what, before);
    }
  }

  #note(what: () => string, before: NodeJS.CpuUsage): void {
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1000;
    this.#steps++;
    if (milliseconds > this.#slowest.milliseconds) this.#slowest = { milliseconds, what: what() };
  }

  /** Records the memory in use: must be called at equal intervals, when only data of the run itself is in use. */
  async heap(): Promise<void> {
    await nextTask();
    this.#collect();
    this.#heaps.push(process.memoryUsage().heapUsed);
  }

  /** Fails if a step was slow or memory grew; prints the figures of a full run. */
  finish(): void {
    const { milliseconds, what } = this.#slowest;
    const [, second = 0] = this.#heaps;
    const last = this.#heaps.at(-1) ?? 0;
    const figures = `${this.#name}: ${this.#steps} steps, slowest ${Math.round(milliseconds)} ms, heaps ${this.#heaps.map((each) => Math.round(each / 1e6)).join(' ')} MB`;
    if (process.env['SELECTOR_LENS_CAMPAIGN'] === 'full') console.log(`      ${figures}`);
    assert.ok(milliseconds < slowStep, `${figures}: ${what}`);
    assert.ok(last < second + slack, figures);
  }
}

/** Continues in another task, as each request of a server does: what a WeakRef refers to is in use until the task ends. */
export async function nextTask(): Promise<void> {
  await setImmediate();
}
