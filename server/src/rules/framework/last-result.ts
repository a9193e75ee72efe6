/** What was the answer, when the same is asked again and again before anything else is? */

/**
 * Remembers what was last made, and of what. A weak map would remember all of it, and keep it from being collected
 * quickly: of ten thousand files that are looked at once, the last one is enough.
 */
export function lastAnswer<Asked, Answer>(make: (asked: Asked) => Answer): (asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (asked) => {
    if (last === undefined || last.asked !== asked) last = { asked, answer: make(asked) };
    return last.answer;
  };
}

/** Remembers the last two: for two states of a file that are looked at in turns. */
export function lastTwoAnswers<Asked, Answer>(make: (asked: Asked) => Answer): (asked: Asked) => Answer {
  let last: readonly { readonly asked: Asked; readonly answer: Answer }[] = [];
  return (asked) => {
    const known = last.find((each) => each.asked === asked) ?? { asked, answer: make(asked) };
    if (last[0] !== known) last = [known, ...last.slice(0, 1)];
    return known.answer;
  };
}
