/** An interface for log messages, and functions that prevent a failure from affecting other work. */

export interface Log {
  /** Logs a notable step, such as which files were indexed or skipped, and the reason. */
  info(message: string): void;
  /** Logs an external problem after which work continues, such as a file that cannot be read. */
  warn(message: string): void;
  /** Logs a violated invariant of this program. Tests fail if it is called; users are not notified. */
  bug(where: string, error: unknown): void;
}

/** Isolates a failure: returns the result of `work`; if `work` throws, logs the error as a bug in `where` and returns the result of `otherwise`. It is used only where the results for many files are combined (see docs/architecture.md). Without a log, the error is thrown. */
export function contain<T>(log: Log | undefined, where: string | (() => string), work: () => T, otherwise: () => T): T {
  if (log === undefined) return work();
  try {
    return work();
  } catch (error) {
    log.bug(typeof where === 'string' ? where : where(), error);
    return otherwise();
  }
}

/** The number of different bugs that are remembered, so that each bug is logged only once. */
const rememberedBugs = 1_000;

/** Returns a log that reports each bug only once for each `where`, because a file that causes an error is checked again at every keystroke. */
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
