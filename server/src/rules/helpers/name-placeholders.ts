/** Recognizes names that users or tools replace. */

/** Matches the name of a variable, such as `service_name` or `target_port`, a word in capitals, such as `ROLLOUT_NAME`, `REPLACEME` or `XXX`, the parts of an address or a version (`A.B.C.D`), a word in braces or brackets, alternatives (`blue | green`) or an ellipsis, which are placeholders. */
const placeholder =
  /^[a-z_]{1,60}_name(?:space)?$|^(?:container|service|target)_port$|(?:^|[^A-Za-z0-9])(?:[A-Z][A-Z0-9_]{3,60}|XXX|[A-Z](?:\.[A-Z]){2,3})(?:$|[^A-Za-z0-9_])|\{[\w.-]{1,60}\}|\[[\w.-]{1,60}\]| \| |\.{3}|\u2026/;

/** Matches a phrase such as `replaced by kustomization`, which is a placeholder. */
const insertedPhrase = /\b(?:placeholder|replaced?|your) | (?:placeholder|replaced?)\b/i;

/** Whether a text is a placeholder that users or tools replace: `<team>`, `${TEAM}`, `$(TEAM)`, `@@TEAM@@`, `__TEAM__`, `#{TEAM}#`, `%TEAM%`, `[team]`, `REPLACE_ME!`, `TODO: set`, `your team`. */
export function isPlaceholder(text: string): boolean {
  return (
    /[<>${}[\]#%]|@\w+@|^["']?__|__["']?$/.test(text) ||
    /^["']?(?:TODO|FIXME)\b|\b(?:REPLACE|CHANGE|SET|INSERT|FILL)[-_ ]?(?:ME|THIS|IN)\b|\byour\b/i.test(
      text.replaceAll('_', ' '),
    )
  );
}

/** Whether a text in the place of a name in lower case, or of one of some allowed words, is a placeholder: also a word in capitals, such as `EFFECT`, `SECRET_NAME_0` and `shop-XXX`, or an ellipsis. */
export function isWordPlaceholder(text: string): boolean {
  return isPlaceholder(text) || /^[^\da-z]+(?:_\d{1,2})?$/.test(text) || /XX|[^\w.:/ -]/.test(text);
}

/** Whether a name is a placeholder. */
export function isNamePlaceholder(name: string): boolean {
  return placeholder.test(name) || insertedPhrase.test(name);
}
