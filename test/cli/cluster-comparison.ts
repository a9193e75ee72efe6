/** Compares two states of a workspace with `impact` and with `diff`. */

import { indexFolders } from '../../server/src/cli/indexed-workspace.ts';
import { compare } from '../../server/src/cli/objects/compare.ts';
import { sideOf } from '../../server/src/cli/paths/committed-world.ts';
import { PathSelection } from '../../server/src/cli/paths/path-selection.ts';
import type { Tree } from '../../server/src/cli/trees/tree.ts';
import { home, memoryWorld, runInMemory } from './memory-world.ts';

export type Files = ReadonlyMap<string, string>;

const root = `file://${home}`;

async function treeOf(files: Files): Promise<Tree> {
  const world = memoryWorld({ files: Object.fromEntries(files) }, [], [], new Map(), []);
  const session = await indexFolders(world, { folders: [root], inside: [], namespace: undefined });
  const textOf = (uri: string) => files.get(uri.slice(root.length + 1));
  return {
    session,
    side: { ...sideOf(session, world), textOf },
    selection: new PathSelection(session, [{ kind: 'folder', uri: root }], undefined),
    root,
    skipped: [],
    isFaulty: false,
    isPartial: false,
  };
}

export interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly builtBy?: string;
  readonly scope?: string;
}

export interface Changed {
  readonly kind: string;
  readonly message: string;
  readonly scope?: string;
  readonly owner: Named;
  readonly path: string;
  readonly target: Named;
}

/** Returns the changes that `diff` lists, and its notes. */
export async function diffOf(before: Files, after: Files) {
  const { changes, uncompared, notes } = compare(await treeOf(before), await treeOf(after));
  return { changes: changes as readonly Changed[], notes: [...uncompared, ...notes] };
}

/** Returns the answer of `impact` to a proposal of all changes, with its notes. */
export async function impactOf(before: Files, after: Files) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const proposal = { files: paths.map((path) => ({ path, text: after.get(path) ?? null })) };
  const standardInput = { text: JSON.stringify(proposal) };
  const words = ['impact', '-', '--format', 'json'];
  const { json, err } = await runInMemory(words, { files: Object.fromEntries(before), standardInput });
  return { ...(json as { readonly changes: readonly Changed[]; readonly complete: boolean }), notes: err }; // its schema
}
