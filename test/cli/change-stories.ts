/** Stories in which a change of one file concerns the findings in another file. */
import assert from 'node:assert/strict';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { runInMemory } from './memory-world.ts';

export const pods = (name: string, labels: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  selector:
    matchLabels: {${labels}}
  template:
    metadata:
      labels: {${labels}}
`;

export const service = (name: string, labels: string, more = '') => `apiVersion: v1
kind: Service
metadata: {name: ${name}${more}}
spec:
  selector: {${labels}}
`;

export const budget = (name: string, labels: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}}
spec:
  selector:
    matchLabels: {${labels}}
`;

export const map = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {a: b}
`;

export interface Story {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** The changed file, and the replaced text in it. A file without this text is added with the new text, or deleted if the new text is empty. */
  readonly change: readonly [path: string, from: string, to: string];
  /** The file whose findings differ after the change. */
  readonly concerns: string;
  /** Every file is checked again. */
  readonly checksAll?: true;
  /** A file with findings that is not checked again, although its check depends on other scopes. */
  readonly keeps?: string;
  /** No other file contains an object that a selector matches. */
  readonly selectsAll?: true;
}

const bad = `apiVersion: v1
kind: ConfigMap
metadata: {name: bad, labels: {"-": a}}
`;

/** In a separate scope: a finding, and a selector that no change concerns. */
const unrelated = {
  'far/from/all/bad.yaml': `${service('far', 'far: away')}---\n${bad}`,
  'far/from/all/pods.yaml': pods('far', 'far: away'),
};

/** Tests that a check with a cache finds the consequences of the change, and that it checks no more than needed. */
export function testStory({ title, files: related, change, concerns, checksAll, keeps, selectsAll }: Story): void {
  it(`${title}`, async () => {
    const [path, from, to] = change;
    const files: Readonly<Record<string, string>> = {
      ...related,
      ...(selectsAll ? { 'far/from/all/bad.yaml': bad } : unrelated),
    };
    const text = files[path];
    const { [path]: _, ...others } = files;
    const isReplaced = text?.includes(from) === true;
    const changed =
      to === '' && !isReplaced ? others : { ...files, [path]: isReplaced ? text.replaceAll(from, to) : to };
    const words = ['check', '--format', 'json'];
    const caches = new Map<string, StoredFiles>();
    const before = await runInMemory(words, { files, caches });
    const cached = await runInMemory(words, { files: changed, caches });
    const anew = await runInMemory(words, { files: changed });
    assert.notDeepEqual(findingsIn(anew.json, concerns), findingsIn(before.json, concerns), 'the change has no effect');
    assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
    assert.equal(cached.readAgain.includes('far/from/all/bad.yaml'), checksAll === true);
    if (keeps === undefined) return;
    assert.notDeepEqual(findingsIn(anew.json, keeps), []);
    assert.ok(!cached.readAgain.includes(keeps));
  });
}

function findingsIn(report: unknown, file: string): readonly unknown[] {
  const { diagnostics } = report as { readonly diagnostics: readonly { readonly file: string }[] }; // by the schema
  return diagnostics.filter((each) => each.file === file);
}
