/** Validates object names under the rule that their kind follows. */

import { hasSubdomainShape } from './characters.ts';
import { lengthProblems, maxNameBytes, maxPrefixBytes, subdomainShapeProblems } from './labels.ts';
import type { Problem } from './types.ts';

export type NameRule = 'dns1123Subdomain' | 'dns1123Label' | 'dns1035Label' | 'pathSegment' | 'priorityClass';

/** The maximum number of bytes in a name that must be a DNS subdomain. */
export const maxSubdomainBytes = maxPrefixBytes;
/** The maximum number of bytes in a name that must be a DNS label. */
export const maxDnsLabelBytes = maxNameBytes;

/**
 * Returns every fault of a name under a rule: `name-empty`, `name-too-long`, `name-syntax`, `name-reserved`. With
 * `prefix: true`, the text is the value of `generateName`, to which a suffix will be added. Defined by
 * `NameIsDNSSubdomain`, `NameIsDNSLabel`, `NameIsDNS1035Label` in k8s.io/apimachinery/pkg/api/validation and
 * `ValidatePathSegmentName` in pkg/api/validation/path.
 */
export function validateName(
  rule: NameRule,
  text: string,
  options: { readonly prefix?: boolean } = {},
): readonly Problem[] {
  const prefix = options.prefix === true;
  if (rule === 'pathSegment') return pathSegmentProblems(text, prefix);
  if (rule !== 'priorityClass') return dnsProblems(rule, text, prefix);
  return [...dnsProblems('dns1123Subdomain', text, prefix), ...reservedProblems(text)];
}

const systemPrefix = 'system-';

/** The priority classes that Kubernetes creates. */
const systemPriorityClasses: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

/** Returns the problem of a name that is reserved for Kubernetes: `ValidatePriorityClass` in k8s.io/kubernetes/pkg/apis/scheduling/validation. */
function reservedProblems(text: string): readonly Problem[] {
  if (!text.startsWith(systemPrefix) || systemPriorityClasses.has(text)) return [];
  const message = `name must not begin with '${systemPrefix}', which is reserved for Kubernetes`;
  return [{ code: 'name-reserved', message, start: 0, end: systemPrefix.length }];
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

function dnsProblems(
  rule: Exclude<NameRule, 'pathSegment' | 'priorityClass'>,
  given: string,
  prefix: boolean,
): readonly Problem[] {
  const dots = rule === 'dns1123Subdomain';
  const text = prefix ? blankTrailingDash(given) : given;
  const limit = (dots ? maxSubdomainBytes : maxDnsLabelBytes) + (text === given ? 0 : 1);
  if (text === '') return [{ code: 'name-empty', message: 'name must not be empty', start: 0, end: 0 }];
  const problems = [
    ...lengthProblems('name-too-long', 'name', given, limit),
    ...subdomainShapeProblems('name-syntax', 'name', text, dots, given),
  ];
  if (rule === 'dns1035Label' && isDigit(text.charCodeAt(0)) && hasSubdomainShape(text, dots)) {
    const message = `name must begin with a lower-case letter: remove or replace '${text.charAt(0)}'`;
    problems.push({ code: 'name-syntax', message, start: 0, end: 1 });
  }
  return problems;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Returns the text that Kubernetes validates for a `generateName` that ends in a dash: its last two bytes, whatever the first of them is, become one `a`. (Half of a multibyte character remains, and is as invalid as the whole character.) */
function blankTrailingDash(text: string): string {
  if (text.length < 2 || !text.endsWith('-')) return text;
  return text.charCodeAt(text.length - 2) < 0x80 ? `${text.slice(0, -2)}a` : text.slice(0, -1);
}
