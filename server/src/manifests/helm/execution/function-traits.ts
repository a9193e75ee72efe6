/** States what the executor must know about functions besides their results. */

import { hasSignature } from './signatures.ts';
import { codeOf, OneOf, type TemplateValue, Unknown } from './template-value.ts';
import { integerOf } from './text-functions.ts';

/** The functions whose result depends on the order of a list, and those for which it does not matter. */
export const dependsOnOrder = new Set(['first', 'last', 'rest', 'initial', 'slice', 'index', 'reverse']);
export const orderFree = new Set(['sortAlpha', 'has', 'len', 'kindOf', 'typeOf', 'empty', 'toStrings', 'without']);

/** The name of a release, and its namespace, begin and end with a lower case letter or a digit, and have at most 63 characters. */
const names = new Set(['.Release.Name', '.Release.Namespace']);

/** Whether an unknown value is the name of the release, or its namespace: a text that is not empty. */
export function isReleaseName(value: TemplateValue): boolean {
  return value instanceof Unknown && names.has(value.code);
}

/** Whether a function returns its last parameter unchanged, because this is a valid name. */
export function isSettled(name: string, [first = null, last = first]: readonly TemplateValue[]): boolean {
  if (!isReleaseName(last)) return false;
  if (name === 'trunc') return integerOf(first) >= 63;
  return name === 'lower' || name === 'trim' || (/^trim(?:Suffix|Prefix|All)$/.test(name) && first === '-');
}

/** Whether the result of a function differs for each call, or depends on the cluster. */
export function isUnsteady(name: string): boolean {
  return /^(?:rand|gen|now$|uuid|shuffle$|getHostByName$|bcrypt$|htpasswd$|derivePassword$|encryptAES$|date|ago$)/.test(
    name,
  );
}

/** The functions of Helm whose parameters are not checked, and whose results are unknown. */
const others =
  /^(?:now|ago|hello|lookup|htmlDate|dateInZone|date_?modify|date_in_zone|must_date_modify|unixEpoch|decryptAES|buildCustomCert|derivePassword|htpasswd|bcrypt|trimall|toDuration|duration|sprig)/i;

/** Returns the name of a function without the prefix of a variant such as `mustMerge`, which only reports errors differently. */
export function plainName(name: string): string {
  return name.replace(/^must([A-Z])/, (_, letter: string) => letter.toLowerCase());
}

/** Whether Helm has a function. It removes `env` and `expandenv` of sprig. */
export function isFunction(name: string): boolean {
  return hasSignature(name) || isUnsteady(name) || others.test(name);
}

/** The functions that use their parameters without walking them, unless their result is unknown. */
export const withoutWalk: ReadonlySet<string> = new Set([
  ...['include', 'tpl', 'get', 'set', 'unset', 'dict', 'list', 'tuple', 'hasKey', 'index', 'first', 'last', 'rest'],
  ...['default', 'coalesce', 'ternary', 'empty', 'not', 'kindOf', 'kindIs', 'typeOf', 'typeIs'],
]);

/** Evaluates a function for each value that a parameter may have; undefined if the results differ. */
export function forEachValue(
  given: readonly TemplateValue[],
  evaluate: (given: readonly TemplateValue[]) => TemplateValue,
): TemplateValue | undefined {
  const several = given.find((each) => each instanceof OneOf);
  const results = (several?.values ?? []).map((value) =>
    evaluate(given.map((each) => (each === several ? value : each))),
  );
  const [first = null] = results;
  return results.every((each) => codeOf(each) === codeOf(first)) ? first : undefined;
}
