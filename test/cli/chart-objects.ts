/** Lists the objects of charts with the command `objects`. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string | null>>;
  readonly pods?: readonly { readonly labels: object }[];
}

export async function objects(
  files: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<readonly Shown[]> {
  const { code, json, err } = await runInMemory(['objects', '--format', 'json', ...words], { files });
  assert.equal(code, 0, String(err));
  return (json as { objects: readonly Shown[] }).objects; // by the schema
}

/** Returns texts such as `ConfigMap/web name=web tier=?`, without the prefixes of the keys; `?` is an unknown value. */
export function shown(all: readonly Shown[]): readonly string[] {
  return all.map(({ kind, name, labels: own }) => {
    const written = Object.entries(own).map(([key, value]) => `${key.replace(/^.*\//, '')}=${value ?? '?'}`);
    return `${kind}/${name} ${written.join(' ')}`.trim();
  });
}
