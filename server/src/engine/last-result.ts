/** Caches the most recent result of a function, or the two most recent results. */

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

/** Caches the two most recent results of a function, for alternating use of two states of a file. */
export function lastTwoAnswers<CheckInput, Answer>(make: (input: CheckInput) => Answer): (input: CheckInput) => Answer {
  let last: readonly { readonly input: CheckInput; readonly answer: Answer }[] = [];
  return (input) => {
    const known = last.find((each) => each.input === input) ?? { input, answer: make(input) };
    if (last[0] !== known) last = [known, ...last.slice(0, 1)];
    return known.answer;
  };
}
