/** Finds the files of a folder that are alternatives to each other. If sibling files or sibling folders contain the same identity, only one of them is applied; each is evaluated together with the files of its parent folders. */

import { getOrAdd } from '../../engine/memoize.ts';
import { folderOf } from '../uri.ts';

interface Variants {
  /**
   * Whether two files belong to different variants, or whether a different copy of the object in `to` takes precedence
   * for `from`. `identity` is called only if there are copies.
   */
  areAlternatives(from: string, to: string, identity: () => string | undefined): boolean;
}

/** The files of a scope that are generated, or all of its other files. */
export interface Half {
  readonly identities: ReadonlySet<string>;
  /** Computed lazily. */
  variants(): Variants;
}

/** Creates a half from files and the identities that each file contains. */
export function halfOf(written: readonly (readonly [uri: string, identities: readonly string[]])[]): Half {
  let variants: Variants | undefined;
  return {
    identities: new Set(written.flatMap(([, identities]) => identities)),
    variants: () => {
      variants ??= findVariants(written);
      return variants;
    },
  };
}

const noVariants: Variants = { areAlternatives: () => false };

function findVariants(files: Iterable<readonly [uri: string, identities: readonly string[]]>): Variants {
  const written = new Map<string, string[]>();
  for (const [uri, identities] of files) {
    for (const identity of identities) {
      const uris = written.get(identity);
      if (uris === undefined) written.set(identity, [uri]);
      else uris.push(uri);
    }
  }
  const copies = [...written].filter(([identity, uris]) => uris.length > 1 && areVariants(identity));
  if (copies.length === 0) return noVariants;
  const marks = new Map<string, Set<string>>();
  for (const [identity, uris] of copies) markBranches(identity, uris, marks);
  const areApart = (a: string, b: string) => {
    const [left, right] = branches(a, b);
    const mine = marks.get(left);
    const others = marks.get(right);
    if (mine === undefined || others === undefined || left === right) return false;
    const [few, many] = mine.size < others.size ? [mine, others] : [others, mine];
    for (const identity of few) if (many.has(identity)) return true;
    return false;
  };
  const withCopies = new Set([...written.values()].filter((uris) => uris.length > 1).flat());
  const foldersOf = new Map<string, ReadonlySet<string>>();
  const isCopyShadowed = (from: string, to: string, identity: string) => {
    const uris = written.get(identity);
    if (uris === undefined || uris.length < 2) return false;
    // Copies in the nearest folder take precedence. If no parent folder contains a copy, all copies apply.
    const folders = getOrAdd(foldersOf, identity, () => new Set(uris.map(folderOf)));
    const nearest = nearestAround(from, folders);
    return nearest !== undefined && folderOf(to) !== nearest;
  };
  return {
    areAlternatives(from, to, identityOf) {
      if (areApart(from, to)) return true;
      // Most files contain no copy, so that the object need not be deserialized.
      if (!withCopies.has(to)) return false;
      const identity = identityOf();
      return identity !== undefined && isCopyShadowed(from, to, identity);
    },
  };
}

/** Whether the identity creates variants. A Namespace does not, since many folders repeat their Namespace. */
function areVariants(identity: string): boolean {
  return !identity.startsWith('\nNamespace\n');
}

/** Marks the branches of a folder that contain the identity, if there are several. The branches are the files and the subfolders of the folder; a file also belongs to the content of the subfolders next to it. */
function markBranches(identity: string, uris: readonly string[], marks: Map<string, Set<string>>): void {
  const folders = new Map<string, Set<string>>();
  const put = (parent: string, branch: string) => {
    const known = folders.get(parent);
    if (known === undefined) folders.set(parent, new Set([branch]));
    else known.add(branch);
  };
  for (const uri of uris) {
    // A trailing slash distinguishes the files of a folder from its subfolders.
    put(`${folderOf(uri)}/`, uri);
    for (let branch = folderOf(uri); branch.includes('/'); branch = folderOf(branch)) put(folderOf(branch), branch);
  }
  for (const siblings of folders.values()) {
    if (siblings.size < 2) continue;
    for (const branch of siblings) {
      const known = marks.get(branch);
      if (known === undefined) marks.set(branch, new Set([identity]));
      else known.add(identity);
    }
  }
}

/** Returns the two branches of the nearest common folder of two files: the branch that contains the first file, and the branch that contains the second file. */
function branches(a: string, b: string): readonly [string, string] {
  let common = 0;
  for (let at = 0; at < a.length && at < b.length && a[at] === b[at]; at++) if (a[at] === '/') common = at + 1;
  return [branchAfter(a, common), branchAfter(b, common)];
}

function branchAfter(uri: string, common: number): string {
  const end = uri.indexOf('/', common);
  return end === -1 ? uri : uri.slice(0, end);
}

/** Returns the nearest folder around a file that contains a copy; undefined if there is none. */
function nearestAround(from: string, folders: ReadonlySet<string>): string | undefined {
  let folder = folderOf(from);
  while (!folders.has(folder)) {
    const parent = folderOf(folder);
    if (parent === folder || parent === '') return folders.has(parent) ? parent : undefined;
    folder = parent;
  }
  return folder;
}
