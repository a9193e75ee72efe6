/** Caches the most recent results of a function. */

/**
 * Caches the last result with its argument. A weak map would retain all results, and delay their garbage collection: of
 * ten thousand files that are checked once, the last one is sufficient.
 */
export function lastAnswer<CheckInput, Answer>(make: (input: CheckInput) => Answer): (input: CheckInput) => Answer {
  let last: { readonly input: CheckInput; readonly answer: Answer } | undefined;
  return (input) => {
    if (last === undefined || last.input !== input) last = { input, answer: make(input) };
    return last.answer;
  };
}

/** Caches the results that were used last, as long as their sizes together are at most `maximum`; two results are always cached, for alternating use of two states of a file. */
export function lastAnswers<Answer>(
  make: (input: string) => Answer,
  sizeOf: (input: string, answer: Answer) => number,
  maximum: number,
): (input: string) => Answer {
  const known = new Map<string, { readonly answer: Answer; readonly size: number }>();
  let total = 0;
  return (input) => {
    const earlier = known.get(input);
    if (earlier !== undefined) {
      known.delete(input);
      known.set(input, earlier);
      return earlier.answer;
    }
    const answer = make(input);
    const size = sizeOf(input, answer);
    known.set(input, { answer, size });
    total += size;
    for (const [oldest, each] of known) {
      if (total <= maximum || known.size <= 2) break;
      known.delete(oldest);
      total -= each.size;
    }
    return answer;
  };
}
