/** Is this a valid name for an object, under the rule that its kind follows? */

import { hasSubdomainShape, subdomainFlaw } from './characters.ts';
import { maxNameBytes, maxPrefixBytes, subdomainProblem, tooLong } from './labels.ts';
import type { Problem } from './types.ts';

export type NameRule = 'dns1123Subdomain' | 'dns1123Label' | 'dns1035Label' | 'pathSegment';

/** The most bytes of a name that must be a DNS subdomain. */
export const maxSubdomainBytes = maxPrefixBytes;
/** The most bytes of a name that must be a DNS label. */
export const maxDnsLabelBytes = maxNameBytes;

/**
 * Takes the rule and a name (`prefix: true`: the value of `generateName`, to which a suffix will be added), gives every
 * fault of it: `name-empty`, `name-too-long`, `name-syntax`, `name-reserved`. Defined by `NameIsDNSSubdomain`,
 * `NameIsDNSLabel`, `NameIsDNS1035Label` in k8s.io/apimachinery/pkg/api/validation and `ValidatePathSegmentName` in
 * pkg/api/validation/path.
 */
export function validateName(
  rule: NameRule,
  text: string,
  options: { readonly prefix?: boolean } = {},
): readonly Problem[] {
  const prefix = options.prefix === true;
  return rule === 'pathSegment' ? pathSegmentProblems(text, prefix) : dnsProblems(rule, text, prefix);
}

function pathSegmentProblems(text: string, prefix: boolean): readonly Problem[] {
  const problems: Problem[] = [];
  if (!prefix && (text === '.' || text === '..')) {
    const message = `name must not be '${text}': choose another`;
    return [{ code: 'name-reserved', message, start: 0, end: text.length }];
  }
  for (const character of ['/', '%']) {
    const start = text.indexOf(character);
    if (start === -1) continue;
    const message = `name must not contain '${character}': remove or replace it`;
    problems.push({ code: 'name-syntax', message, start, end: start + 1 });
  }
  return problems;
}

function dnsProblems(rule: Exclude<NameRule, 'pathSegment'>, given: string, prefix: boolean): readonly Problem[] {
  const dots = rule === 'dns1123Subdomain';
  const text = prefix ? maskTrailingDash(given) : given;
  const limit = (dots ? maxSubdomainBytes : maxDnsLabelBytes) + (text === given ? 0 : 1);
  const shaped = hasSubdomainShape(text, dots) && !(rule === 'dns1035Label' && isDigit(text));
  if (shaped && given.length <= limit) return [];
  if (text === '') return [{ code: 'name-empty', message: 'name must not be empty', start: 0, end: 0 }];

  const problems: Problem[] = [];
  tooLong(problems, 'name-too-long', 'name', given, 0, given.length, limit);
  const flaw = subdomainFlaw(text, dots);
  if (flaw) problems.push(subdomainProblem('name-syntax', 'name', text, flaw, dots));
  else if (!shaped) {
    const message = `name must begin with a lower-case letter: remove or replace '${text.slice(0, 1)}'`;
    problems.push({ code: 'name-syntax', message, start: 0, end: 1 });
  }
  return problems;
}

function isDigit(text: string): boolean {
  return text >= '0' && text < ':';
}

/**
 * What Kubernetes checks of a `generateName` that ends in a dash: its last two bytes, whatever the first of them is,
 * become one `a`. (Half of a longer character stays behind, and is as wrong as the whole.)
 */
function maskTrailingDash(text: string): string {
  if (text.length < 2 || !text.endsWith('-')) return text;
  return text.charCodeAt(text.length - 2) < 0x80 ? `${text.slice(0, -2)}a` : text.slice(0, -1);
}
