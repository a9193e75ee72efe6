/** Finds the files that cause work on all files to fail, so that the work can be done without these files. */

/** After this number of attempts, the remaining files count as failing. */
const maximumAttempts = 200;

/**
 * Splits files into those with which `work` succeeds together, and those that make it throw, by halving.
 * @param uris the files; the first ones have precedence
 * @param work processes some of the files, and throws if one of them, or a combination, makes it fail
 * @returns the files to leave out, each with the error that was thrown when it was added to the others
 */
export function failingFiles(
  uris: readonly string[],
  work: (uris: ReadonlySet<string>) => void,
): ReadonlyMap<string, unknown> {
  const sound = new Set<string>();
  const failing = new Map<string, unknown>();
  let attempts = 0;
  const waiting: (readonly string[])[] = [uris];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const thrown = attempts++ < maximumAttempts ? failure(() => work(new Set([...sound, ...next]))) : exhausted;
    if (thrown === undefined) for (const uri of next) sound.add(uri);
    else if (next.length <= 1 || thrown === exhausted) for (const uri of next) failing.set(uri, thrown.error);
    else {
      const middle = next.length >> 1;
      waiting.push(next.slice(middle), next.slice(0, middle));
    }
  }
  return failing;
}

const exhausted = { error: new Error('too many files fail') };

function failure(work: () => void): { readonly error: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
