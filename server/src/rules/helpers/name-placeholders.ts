/** Recognizes names that users or tools replace. */

/** Matches the name of a variable, such as `service_name` or `target_port`, a word in capitals, such as `ROLLOUT_NAME`, `REPLACEME` or `XXX`, the parts of an address or a version (`A.B.C.D`), a word in braces or brackets, alternatives (`blue | green`) or an ellipsis, which are placeholders. */
const placeholder =
  /^[a-z_]{1,60}_name(?:space)?$|^(?:container|service|target)_port$|(?:^|[^A-Za-z0-9])(?:[A-Z][A-Z0-9_]{3,60}|XXX|[A-Z](?:\.[A-Z]){2,3})(?:$|[^A-Za-z0-9_])|\{[\w.-]{1,60}\}|\[[\w.-]{1,60}\]| \| |\.{3}|\u2026/;

/** Matches a phrase such as `replaced by kustomization`, which is a placeholder. */
const insertedPhrase = /\b(?:placeholder|replaced?|your) | (?:placeholder|replaced?)\b/i;

/** Whether a word in the place of one of some allowed words is a placeholder: a word in capitals, such as `EFFECT`, one in brackets, such as `{effect}`, or an ellipsis. */
export function isWordPlaceholder(word: string): boolean {
  return /^[A-Z][A-Z0-9_]*$|[{}<>%]|^\W+$/.test(word);
}

/** Whether a name is a placeholder. */
export function isNamePlaceholder(name: string): boolean {
  return placeholder.test(name) || insertedPhrase.test(name);
}
