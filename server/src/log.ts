/** The port for what the program notices, and the barriers that keep a failure where it happens. */

export interface Log {
  /** A step worth knowing: what was indexed, what was skipped and why. */
  info(message: string): void;
  /** Something outside went wrong and the work goes on: a file that cannot be read. */
  warn(message: string): void;
  /** A broken invariant: our fault. Tests fail on it, users are not disturbed. */
  bug(where: string, error: unknown): void;
}

/**
 * A barrier: returns the result of `work`; if `work` throws, logs the error as a bug of `where` and returns the result of
 * `otherwise`. Barriers stand only where the contributions of many files meet (docs/architecture.md lists them); without a
 * log the error goes on.
 */
export function contain<T>(log: Log | undefined, where: string, work: () => T, otherwise: () => T): T {
  if (log === undefined) return work();
  try {
    return work();
  } catch (error) {
    log.bug(where, error);
    return otherwise();
  }
}

/** The number of different bugs that are remembered in order to log each once. */
const rememberedBugs = 1_000;

/** The same log, in which each bug of each place stands once: a file that fails is checked again at every keystroke. */
export function eachBugOnce(log: Log): Log {
  const logged = new Set<string>();
  return {
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    bug(where, error) {
      const key = `${where}: ${error}`;
      if (logged.has(key)) return;
      if (logged.size >= rememberedBugs) logged.clear();
      logged.add(key);
      log.bug(where, error);
    },
  };
}
