/** Recognizes and compares the integers that `gt` and `lt` accept. */

/** The digits of the largest and, without its sign, of the smallest 64-bit signed integer. */
const maximum = '9223372036854775807';
const minimum = '9223372036854775808';

/**
 * Whether `text` is a 64-bit signed decimal integer: an optional sign, then digits, leading zeros allowed. Kubernetes
 * parses it with Go's `strconv.ParseInt(text, 10, 64)`.
 */
export function isInteger(text: string): boolean {
  const start = firstDigit(text);
  if (start === text.length) return false;
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return compareDigits(text, start, text[0] === '-' ? minimum : maximum, 0) <= 0;
}

/** Compares two integers: the result is negative, zero or positive if `a` is less than, equal to or greater than `b`. Works on the strings, so that 64-bit integers are exact and nothing is allocated. Both strings must be integers. */
export function compareIntegers(a: string, b: string): number {
  const left = signOf(a);
  const right = signOf(b);
  if (left !== right) return left - right;
  return left * compareDigits(a, firstDigit(a), b, firstDigit(b));
}

function firstDigit(text: string): number {
  return text[0] === '-' || text[0] === '+' ? 1 : 0;
}

/** Returns the sign of an integer: -1, 0 or 1; the sign of `-0` is 0. */
function signOf(text: string): number {
  if (skipZeros(text, firstDigit(text)) === text.length) return 0;
  return text[0] === '-' ? -1 : 1;
}

function skipZeros(text: string, start: number): number {
  let index = start;
  while (index < text.length && text[index] === '0') index++;
  return index;
}

function compareDigits(a: string, aStart: number, b: string, bStart: number): number {
  const left = skipZeros(a, aStart);
  const right = skipZeros(b, bStart);
  const length = a.length - left;
  if (length !== b.length - right) return length - (b.length - right);
  for (let index = 0; index < length; index++) {
    const difference = a.charCodeAt(left + index) - b.charCodeAt(right + index);
    if (difference !== 0) return difference;
  }
  return 0;
}
