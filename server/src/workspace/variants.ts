/**
 * Which files of a folder are alternatives of each other? Where one identity is written twice, in sibling files or in
 * sibling folders, only one of the two is applied: each is looked at with itself and its ancestors' files.
 */

import type { ManifestObject } from '../manifests/manifest.ts';
import type { WorkspaceFile } from './workspace.ts';

export interface Variants {
  areApart(a: string, b: string): boolean;
}

/** Group, kind, namespace and name: two objects with one identity cannot be in a cluster together. */
export function identityOf(object: ManifestObject): string {
  return [object.group, object.kind, object.namespace?.text ?? '', object.name?.text ?? `?${object.span.start}`].join(
    '\n',
  );
}

export function findVariants(files: readonly WorkspaceFile[]): Variants {
  const written = new Map<string, string[]>();
  for (const file of files) {
    for (const identity of new Set(file.manifest.objects.map(identityOf))) {
      const uris = written.get(identity);
      if (uris === undefined) written.set(identity, [file.uri]);
      else uris.push(file.uri);
    }
  }
  const identities = new Map<string, Set<string>>();
  for (const [identity, uris] of written) if (uris.length > 1) markBranches(identity, uris, identities);
  return {
    areApart(a, b) {
      const [left, right] = branches(a, b);
      const others = identities.get(right);
      if (others === undefined) return false;
      return [...(identities.get(left) ?? [])].some((identity) => others.has(identity));
    },
  };
}

/** Marks every two branches (files, or folders with all below them) in which the identity repeats. */
function markBranches(identity: string, uris: readonly string[], identities: Map<string, Set<string>>): void {
  for (const [index, a] of uris.entries()) {
    for (const b of uris.slice(index + 1, index + maximumCopies)) {
      for (const branch of branches(a, b)) {
        const known = identities.get(branch) ?? new Set();
        identities.set(branch, known.add(identity));
      }
    }
  }
}

/** Each copy is compared with so many others, so that thousands of copies cost linear time. */
const maximumCopies = 64;

/** The two parts of the nearest common folder that hold one file and the other. */
function branches(a: string, b: string): readonly [string, string] {
  const left = a.split('/');
  const right = b.split('/');
  let common = 0;
  while (common < left.length - 1 && common < right.length - 1 && left[common] === right[common]) common++;
  // A file in an ancestor's folder is an alternative of nothing below it but its own copy.
  return [left.slice(0, common + 1).join('/'), right.slice(0, common + 1).join('/')];
}
