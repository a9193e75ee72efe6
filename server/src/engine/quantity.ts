/** Parses Kubernetes quantities (`500m`, `1Gi`, `1e3`) into amounts that can be compared. */

const syntax = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?[0-9]{1,2}))?$/;

/** Matches every text that the API server reads as a quantity: a suffix without digits is 0, and exponents have any length (apimachinery `resource.ParseQuantity`). */
const quantity = /^[+-]?[0-9]*(?:\.[0-9]*)?(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;

/** Whether the API server reads a text as a quantity; blanks around it are ignored. */
export function isQuantity(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== '' && quantity.test(trimmed);
}

/** Returns the quantity that a text certainly means: a unit of bytes, in any case, a blank before the unit, or a decimal comma, unless it may separate thousands. */
export function meantQuantity(text: string): string | undefined {
  const [, number, unit = ''] =
    /^([+-]?[0-9]{1,20}(?:\.[0-9]{1,9}|,(?![0-9]{3}(?![0-9]))[0-9]{1,9})?) {0,3}([A-Za-z]{0,5})$/.exec(text.trim()) ??
    [];
  if (number === undefined) return undefined;
  const [, letter, isBinary] = /^([kmgt])(i)?b?$/i.exec(unit) ?? [];
  // An `m` is a thousandth.
  const isMilli = unit === 'm' || unit === '';
  if (letter === undefined && !isMilli) return undefined;
  const prefix = isBinary ? letter?.toUpperCase() : letter?.toUpperCase().replace('K', 'k');
  const meant = `${number.replace(',', '.')}${isMilli ? unit : `${prefix}${isBinary ? 'i' : ''}`}`;
  return isQuantity(meant) ? meant : undefined;
}

/** The maximum length of a number, in UTF-16 units: longer numbers do not occur and would be slow to parse. */
const maximumLength = 40;

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Returns the amount of a quantity in billionths, the precision of Kubernetes: finer amounts are rounded away from zero (apimachinery `resource.ParseQuantity`). Returns undefined for a value that is not a quantity. */
export function amountOf(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > maximumLength) return undefined;
  const [, sign, whole = '', fraction = '', unit = '', exponent] = syntax.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const power = 9 - fraction.length + (exponent === undefined ? (decimal[unit] ?? 0) : Number(exponent));
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary.indexOf(unit) + 1);
  const amount = power >= 0 ? digits * 10n ** BigInt(power) : roundedUp(digits, 10n ** BigInt(-power));
  return sign === '-' ? -amount : amount;
}

function roundedUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}
