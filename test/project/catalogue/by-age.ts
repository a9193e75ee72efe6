/** The order of API versions in Kubernetes. */

/** Orders versions newest first: stable before beta before alpha, then the higher number, then by name. */
export function byAge(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [stage === '' ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
  };
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0;
    if (value !== other) return other - value;
  }
  return a < b ? -1 : 1;
}
