/** Implements the template functions for checksums, URLs and numbers with a fraction. Sources: github.com/Masterminds/sprig `crypto.go`, `url.go`, `numeric.go`; github.com/shopspring/decimal; Go `net/url`. */

import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { percentEncode } from '../../../text/percent-encoding.ts';
import { fail } from './failure.ts';
import { TemplateMap, type TemplateValue } from './template-value.ts';
import { integerOf, type KnownFunction } from './text-functions.ts';
import { finite, floatOf } from './value-functions.ts';

function ofText(apply: (text: string) => TemplateValue | undefined): KnownFunction {
  return (text) => (typeof text === 'string' ? apply(text) : fail('a parameter is not a string'));
}

export const digestFunctions: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>(
  Object.entries<KnownFunction>({
    sha256sum: ofText((text) => bytesToHex(sha256(utf8ToBytes(text)))),
    sha1sum: ofText((text) => bytesToHex(sha1(utf8ToBytes(text)))),
    adler32sum: ofText((text) => String(adler32(utf8ToBytes(text)))),
    urlquery: (...values) =>
      values.every((each) => typeof each === 'string') ? queryEscaped(values.join('')) : undefined,
    urlParse: ofText(parsedUrl),
    regexQuoteMeta: ofText((text) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
    swapcase: ofText((text) =>
      /[^ -~]/.test(text)
        ? undefined
        : [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join(''),
    ),
    addf: decimals((a, b) => sum(a, b)),
    add1f: (a) => {
      const value = decimalOf(floatOf(a));
      return value && numberOf(sum(value, { digits: 1n, exponent: 0 }));
    },
    subf: decimals((a, b) => sum(a, { digits: -b.digits, exponent: b.exponent })),
    mulf: decimals((a, b) => ({ digits: a.digits * b.digits, exponent: a.exponent + b.exponent })),
    divf: decimals(quotient),
    maxf: (...all) => finite(Math.max(...all.map(floatOf))),
    minf: (...all) => finite(Math.min(...all.map(floatOf))),
    round: (value, places, from = 0.5) => {
      if (floatOf(places) < 0) return undefined;
      const factor = 10 ** floatOf(places);
      const scaled = floatOf(value) * factor;
      return finite((scaled - Math.trunc(scaled) >= floatOf(from) ? Math.ceil(scaled) : Math.floor(scaled)) / factor);
    },
    seq: (...given) => sequence(given.map(integerOf)),
  }),
);

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

/** Escapes text as Go's `url.QueryEscape` does. */
function queryEscaped(text: string): string {
  return percentEncode(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Splits an absolute URL without escapes; the result for any other text is unknown. */
function parsedUrl(text: string): TemplateValue | undefined {
  const found =
    /^([a-z][a-z\d+.-]{0,50}):\/\/(?:([\w.~:-]{1,500})@)?([\w.-]{1,300})((?::\d{1,5})?)((?:\/[\w./~-]{0,2000})?)(?:\?([\w=&.~-]{0,2000}))?(?:#([\w.~-]{0,500}))?$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [, scheme = '', user = '', name = '', port = '', path = '', query = '', fragment = ''] = found;
  return new TemplateMap([
    ['scheme', scheme.toLowerCase()],
    ['host', name + port],
    ['hostname', name],
    ['path', path],
    ['query', query],
    ['opaque', ''],
    ['fragment', fragment],
    ['userinfo', user],
  ]);
}

/** The number `digits` · 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Creates a function that computes with exact decimal numbers, from the left to the right. */
function decimals(apply: (a: Decimal, b: Decimal) => Decimal | undefined): KnownFunction {
  return (first, ...others) => {
    let result: Decimal | undefined = decimalOf(floatOf(first));
    for (const each of others) {
      const next = decimalOf(floatOf(each));
      result = result && next && apply(result, next);
    }
    return result && numberOf(result);
  };
}

function decimalOf(value: number): Decimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The maximum size of an exponent with which numbers are computed exactly. */
const maximumExponent = 400;

function numberOf({ digits, exponent }: Decimal): number | undefined {
  return Math.abs(exponent) > maximumExponent ? undefined : Number(`${digits}e${exponent}`);
}

function sum(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (of: Decimal) => of.digits * 10n ** BigInt(of.exponent - exponent);
  return { digits: scaled(a) + scaled(b), exponent };
}

/** The number of decimal places of a quotient. */
const places = 16;

/** Returns a quotient that is rounded half away from zero. */
function quotient(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.digits === 0n) return fail('division by zero');
  const shift = places + a.exponent - b.exponent;
  if (Math.abs(shift) > maximumExponent) return undefined;
  const [over, under] =
    shift < 0 ? [a.digits, b.digits * 10n ** BigInt(-shift)] : [a.digits * 10n ** BigInt(shift), b.digits];
  const size = (value: bigint) => (value < 0n ? -value : value);
  const rounded = (size(over) * 2n + size(under)) / (size(under) * 2n);
  return { digits: over < 0n === under < 0n ? rounded : -rounded, exponent: -places };
}

/** The maximum length of a sequence. */
const maximumItems = 10_000;

/** Returns the numbers between two bounds, which are included, as text. */
function sequence(given: readonly number[]): string | undefined {
  if (given.length === 0 || given.length > 3) return '';
  const [start, end] = given.length === 1 ? [1, given[0] ?? 0] : [given[0] ?? 0, given.at(-1) ?? 0];
  const step = given.length === 3 ? (given[1] ?? 0) : end < start ? -1 : 1;
  if (given.length === 3 && end < start && step > 0) return '';
  if (step === 0 || Math.abs((end - start) / step) > maximumItems) return undefined;
  const items: number[] = [];
  for (let at = start; step > 0 ? at <= end : at >= end; at += step) items.push(at);
  return items.join(' ');
}
