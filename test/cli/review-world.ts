/** Runs `review` for changes between a commit and the current files, in memory. */
import { home, runInMemory } from './memory-world.ts';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

/** The verdict of a review of changes without a meaning. */
export const neutral = 'No selector, reference, connection or immutable field changes.';

/** Reviews the change from the commit `main` to the current files. */
export function review(old: Files, fresh: Files, ...words: string[]) {
  return runInMemory(['review', 'main', ...words], { files: fresh, repositories: [home], commits: { main: old } });
}

/** A base that overlays build, and the overlays. */
export function overlays(base: Files, count: number): Files {
  const names = Array.from({ length: count }, (_, index) => `overlays/${String(index).padStart(2, '0')}`);
  return {
    ...Object.fromEntries(Object.entries(base).map(([path, text]) => [`base/${path}`, text])),
    'base/kustomization.yaml': `resources: [${Object.keys(base).join(', ')}]\n`,
    ...Object.fromEntries(
      names.map((name) => [`${name}/kustomization.yaml`, 'resources: [../../base]\nnamePrefix: a-\n']),
    ),
  };
}
