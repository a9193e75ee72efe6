/** Caches the last result of a function, or the last two. */

/**
 * Caches the last result with its argument. A weak map would keep all results, and delay their garbage collection: of
 * ten thousand files that are checked once, the last one is enough.
 */
export function lastAnswer<Asked, Answer>(make: (asked: Asked) => Answer): (asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (asked) => {
    if (last === undefined || last.asked !== asked) last = { asked, answer: make(asked) };
    return last.answer;
  };
}

/** Caches the last two results, for two states of a file that are used alternately. */
export function lastTwoAnswers<Asked, Answer>(make: (asked: Asked) => Answer): (asked: Asked) => Answer {
  let last: readonly { readonly asked: Asked; readonly answer: Answer }[] = [];
  return (asked) => {
    const known = last.find((each) => each.asked === asked) ?? { asked, answer: make(asked) };
    if (last[0] !== known) last = [known, ...last.slice(0, 1)];
    return known.answer;
  };
}
