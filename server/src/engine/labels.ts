/** Validates label keys, label values and annotations, and reports every fault with its position. */

import { type Flaw, hasNameShape, hasSubdomainShape, nameFlaw, subdomainFlaw } from './characters.ts';
import { withoutLookalikes } from './lookalikes.ts';
import { excerpt } from './messages.ts';
import { moved } from './problems.ts';
import type { Problem, ProblemCode } from './types.ts';
import { offsetAtByte, utf8Length } from './utf8.ts';

/** The maximum number of bytes in the prefix of a label or annotation key. */
export const maxPrefixBytes = 253;
/** The maximum number of bytes in the name part of a label or annotation key. */
export const maxNameBytes = 63;
/** The maximum number of bytes in a label value. */
export const maxValueBytes = 63;
/** The maximum number of bytes in all annotations of an object, keys and values together. */
export const maxAnnotationsBytes = 256 * 1024;

const reservedDomains = ['kubernetes.io', 'k8s.io'];

/**
 * Whether `prefix` (without its slash) is reserved for Kubernetes: `kubernetes.io`, `k8s.io` and their subdomains.
 * Users may still set the well-known keys under it.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
export function isReservedPrefix(prefix: string): boolean {
  return reservedDomains.some((domain) => prefix === domain || prefix.endsWith(`.${domain}`));
}

/** Whether `text` is a valid label key. Gives the same answer as `validateLabelKey`, without the reasons. */
export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash === -1) return text.length <= maxNameBytes && hasNameShape(text);
  if (slash > maxPrefixBytes || text.length - slash - 1 > maxNameBytes) return false;
  return hasSubdomainShape(text, true, slash) && hasNameShape(text, slash + 1);
}

/** Whether `text` is a valid label value. Gives the same answer as `validateLabelValue`, without the reasons. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= maxValueBytes && hasNameShape(text));
}

/**
 * Returns every fault of a label key: `key-too-many-slashes`, or any of `prefix-empty`, `prefix-too-long`,
 * `prefix-syntax`, `name-empty`, `name-too-long`, `name-syntax`. Defined by `IsQualifiedName` in
 * k8s.io/apimachinery/pkg/util/validation.
 */
export function validateLabelKey(text: string): readonly Problem[] {
  return isLabelKey(text) ? [] : keyProblems(text, 'label key');
}

/**
 * Returns every fault of a label value: `value-too-long`, `value-syntax`. The empty value is valid. Defined by
 * `IsValidLabelValue` in k8s.io/apimachinery/pkg/util/validation.
 */
export function validateLabelValue(text: string): readonly Problem[] {
  if (isLabelValue(text)) return [];
  return [
    ...lengthProblems('value-too-long', 'label value', text, maxValueBytes),
    ...nameShapeProblems('value-syntax', 'label value', text),
  ];
}

/** Returns every fault of an annotation key, with the codes of `validateLabelKey`. The prefix may also contain upper-case letters. Defined by `ValidateAnnotations` in k8s.io/apimachinery/pkg/api/validation. */
export function validateAnnotationKey(text: string): readonly Problem[] {
  if (isLabelKey(text)) return [];
  const lowered = lowerCase(text);
  return isLabelKey(lowered) ? [] : keyProblems(lowered, 'annotation key');
}

/**
 * Returns the faults of the keys in an annotation map (each with the key as `path`), and `annotations-too-large` if
 * keys and values together have more than 256 KiB. Values that are not strings are not reported. Defined by
 * `ValidateAnnotations` in k8s.io/apimachinery/pkg/api/validation.
 */
export function validateAnnotations(map: Readonly<Record<string, unknown>>): readonly Problem[] {
  const problems: Problem[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(map)) {
    for (const problem of validateAnnotationKey(key)) problems.push({ ...problem, path: [key] });
    bytes += utf8Length(key) + (typeof value === 'string' ? utf8Length(value) : 0);
  }
  if (bytes > maxAnnotationsBytes) {
    problems.push({
      code: 'annotations-too-large',
      message: `the keys and values of all annotations must have no more than ${maxAnnotationsBytes} bytes in total: shorten them by ${bytes - maxAnnotationsBytes}`,
      path: [],
    });
  }
  return problems;
}

function keyProblems(text: string, what: string): readonly Problem[] {
  const slash = text.indexOf('/');
  if (slash === -1) return nameProblems(text, what);
  const second = text.indexOf('/', slash + 1);
  if (second !== -1) {
    const message = `${what} must have no more than one '/', between its prefix and its name`;
    return [{ code: 'key-too-many-slashes', message, start: second, end: text.length }];
  }
  const prefix = prefixProblems(text.slice(0, slash), `prefix of the ${what}`);
  return [...prefix, ...moved(nameProblems(text.slice(slash + 1), `name of the ${what}`), slash + 1)];
}

function prefixProblems(prefix: string, what: string): readonly Problem[] {
  if (prefix === '') {
    const message = `${what} must not be empty: add a DNS subdomain before the '/', or remove the '/'`;
    return [{ code: 'prefix-empty', message, start: 0, end: 1 }];
  }
  return [
    ...lengthProblems('prefix-too-long', what, prefix, maxPrefixBytes),
    ...subdomainShapeProblems('prefix-syntax', what, prefix, true),
  ];
}

function nameProblems(name: string, what: string): readonly Problem[] {
  const length: readonly Problem[] =
    name === ''
      ? [{ code: 'name-empty', message: `${what} must not be empty`, start: 0, end: 0 }]
      : lengthProblems('name-too-long', what, name, maxNameBytes);
  return [...length, ...nameShapeProblems('name-syntax', what, name)];
}

/** Returns a problem for the part of a text that exceeds `limit` bytes; empty if the text is short enough. */
export function lengthProblems(code: ProblemCode, what: string, text: string, limit: number): readonly Problem[] {
  const excess = utf8Length(text) - limit;
  if (excess <= 0) return [];
  const message = `${what} must be no more than ${limit} bytes: shorten it by ${excess}`;
  return [{ code, message, start: offsetAtByte(text, limit), end: text.length }];
}

function nameShapeProblems(code: ProblemCode, what: string, text: string): readonly Problem[] {
  const flaw = nameFlaw(text);
  if (flaw === undefined) return [];
  return [flawProblem(code, what, text, flaw, "letters, digits, '-', '_' and '.'", 'letter or digit')];
}

/** Returns the problem of a text that is not a DNS subdomain (without `dots`: not a DNS label); empty if the text is valid. `written` is the text that the user wrote, if it differs from the text to check. */
export function subdomainShapeProblems(
  code: ProblemCode,
  what: string,
  text: string,
  dots: boolean,
  written = text,
): readonly Problem[] {
  const flaw = subdomainFlaw(text, dots);
  if (flaw === undefined) return [];
  if (hasSubdomainShape(text.toLowerCase(), dots)) {
    const message = `${what} must be in lower case: write '${excerpt(written.toLowerCase())}'`;
    return [{ code, message, start: flaw.start, end: flaw.end }];
  }
  const allowed = dots ? "lower-case letters, digits, '-' and '.'" : "lower-case letters, digits and '-'";
  return [flawProblem(code, what, text, flaw, allowed, 'lower-case letter or digit')];
}

function flawProblem(
  code: ProblemCode,
  what: string,
  text: string,
  flaw: Flaw,
  allowed: string,
  ends: string,
): Problem {
  const found = text.slice(flaw.start, flaw.end);
  const messages = {
    empty: `${what} must have at least one ${ends}`,
    character: `${what} must not contain ${foreign(found)}: use only ${allowed}`,
    first: `${flaw.start === 0 ? what : `each part of the ${what}`} must begin with a ${ends}: remove or replace '${found}'`,
    last: `${flaw.end === text.length ? what : `each part of the ${what}`} must end with a ${ends}: remove or replace '${found}'`,
  };
  return { code, message: messages[flaw.kind], start: flaw.start, end: flaw.end };
}

/** Describes characters that are not allowed; letters that look like allowed letters have their code points. */
function foreign(found: string): string {
  const meant = withoutLookalikes(found);
  // Capital letters in front of other characters look like one word.
  if (/^[A-Z]{1,3}[^A-Z]$/.test(found)) return `'${found.slice(0, -1)}' or '${found.slice(-1)}'`;
  if (meant === found || found.length > 4) return `'${excerpt(found)}'`;
  const codes = [...found].map((each) => `U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
  return `'${found}' (${codes.join(' ')}), which looks like '${meant}'`;
}

/** Converts a string to lower case one code point at a time, as Go does: U+0130 becomes `i`, although JavaScript converts it to two characters. */
function lowerCase(text: string): string {
  let lowered = '';
  for (const character of text) lowered += character === '\u0130' ? 'i' : character.toLowerCase();
  return lowered;
}
