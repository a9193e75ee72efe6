/** Finds expectations of configurations that a change breaks. */

import { type BrokenExpectation, brokenExpectations, expectationSentence } from '../../rules/helpers/expectations.ts';
import { lineNumber } from '../../text/lines.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { Tree } from '../trees/tree.ts';
import type { Statement } from './model.ts';

/** Expectations that only the new tree does not meet, as statements, and their owners. */
export interface NewlyBroken {
  readonly statements: readonly Statement[];
  readonly owners: readonly string[];
}

export function newlyBroken([before, after]: readonly [Tree, Tree]): NewlyBroken {
  const found = brokenIn(after);
  if (found.length === 0) return { statements: [], owners: [] };
  const earlier = new Set(brokenIn(before).map(({ key }) => key));
  const fresh = found.filter(({ key }) => !earlier.has(key));
  return {
    statements: fresh.map(({ broken, path, line }) => ({
      text: expectationSentence(broken),
      count: 1,
      cause: { path, line },
    })),
    owners: [...new Set(fresh.map(({ broken }) => broken.owner))],
  };
}

interface Located {
  readonly broken: BrokenExpectation;
  readonly path: string;
  readonly line: number;
  /** Equal in both trees for the same expectation. */
  readonly key: string;
}

function brokenIn({ session, side, root }: Tree): readonly Located[] {
  const workspace = session.snapshot();
  return [...workspace.files.values()]
    .filter(({ config }) => (config?.values.expect?.length ?? 0) > 0)
    .flatMap((file) => {
      const { uri } = file;
      const path = relativePath(root, uri);
      const text = side.textOf(uri) ?? '';
      return [...brokenExpectations({ file, uri, workspace, catalogue: side.catalogueOf(uri) })].map((broken) => ({
        broken,
        path,
        line: lineNumber(text, broken.span.start),
        key: `${path}\n${broken.name}`,
      }));
    });
}
