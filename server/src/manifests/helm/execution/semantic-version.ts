/** Compares versions with constraints as `semverCompare` does. Source: github.com/Masterminds/semver `constraints.go`. */

interface Version {
  readonly numbers: readonly [number, number, number];
  readonly prerelease: string;
}

const versionForm =
  /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Parses a version, whose minor version and patch may be missing; undefined if it is not valid. */
export function parseVersion(text: string): Version | undefined {
  const found = versionForm.exec(text);
  if (found === null) return undefined;
  const [, major, minor = 0, patch = 0, prerelease = ''] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease };
}

/** Whether a version satisfies a constraint; undefined if one of them is not valid. */
export function satisfies(constraint: string, text: string): boolean | undefined {
  const version = parseVersion(text);
  const alternatives = withRanges(constraint).split('||').map(comparisonsIn);
  if (version === undefined || !alternatives.every((each) => each !== undefined)) return undefined;
  return alternatives.some((each) => each.every((comparison) => holds(comparison, version)));
}

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** The number of parts that are given: the rest is missing, or a wildcard. */
  readonly parts: number;
}

/** Replaces `1.2 - 3.4` by `>=1.2 <=3.4`. */
function withRanges(constraint: string): string {
  return constraint.replace(/([^\s|,]{1,100})[ \t]{1,10}-[ \t]{1,10}([^\s|,]{1,100})/g, '>=$1 <=$2');
}

const comparisonForm =
  /^(=|!=|>=|=>|<=|=<|>|<|~|~>|\^)?[ \t]*v?(\d{1,15}|[xX*])(?:\.(\d{1,15}|[xX*]))?(?:\.(\d{1,15}|[xX*]))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?/;

function comparisonsIn(text: string): readonly Comparison[] | undefined {
  const found: Comparison[] = [];
  let rest = text.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const match = comparisonForm.exec(rest);
    if (match === null) return undefined;
    const [whole, operator = '', ...given] = match;
    const numbers = given.slice(0, 3);
    const wild = numbers.findIndex((each) => each === undefined || /[xX*]/.test(each));
    const [major = 0, minor = 0, patch = 0] = numbers.map((each, at) => (wild !== -1 && at >= wild ? 0 : Number(each)));
    found.push({
      operator,
      version: { numbers: [major, minor, patch], prerelease: given[3] ?? '' },
      parts: wild === -1 ? 3 : wild,
    });
    rest = rest.slice(whole.length).replace(/^[\s,]+/, '');
  }
  return found.length === 0 ? undefined : found;
}

function holds({ operator, version: wanted, parts }: Comparison, version: Version): boolean {
  // A version with a prerelease satisfies only a constraint with a prerelease.
  if (version.prerelease !== '' && wanted.prerelease === '' && operator !== '!=') return false;
  const order = compared(version, wanted);
  const isWithin = (count: number) => version.numbers.slice(0, count).every((each, at) => each === wanted.numbers[at]);
  switch (operator) {
    case '!=':
      return parts < 3 ? !isWithin(parts) : order !== 0;
    case '>':
      return parts < 3 ? order > 0 && !isWithin(parts) : order > 0;
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return parts < 3 ? order <= 0 || isWithin(parts) : order <= 0;
    case '~':
    case '~>':
      return order >= 0 && isWithin(Math.min(parts, 2));
    case '^': {
      if (order < 0) return false;
      const [major, minor] = wanted.numbers;
      if (major > 0 || parts < 2) return isWithin(Math.min(parts, 1));
      return minor > 0 || parts < 3 ? isWithin(2) : isWithin(3);
    }
    default:
      return parts < 3 ? order >= 0 && isWithin(parts) : order === 0;
  }
}

function compared(a: Version, b: Version): number {
  for (const [at, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1;
  const [left, right] = [a.prerelease.split('.'), b.prerelease.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at], right[at]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    if (one === other) continue;
    const areNumbers = [one, other].map((each) => /^\d+$/.test(each));
    if (areNumbers[0] && areNumbers[1]) return Number(one) - Number(other);
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}
