/** Names the GitOps objects that apply objects: `(Application/shop)` instead of the path of their file. */

import { getOrAdd } from '../../engine/memoize.ts';
import { kindNames } from '../../workspace/gitops/model.ts';
import { relativeFolder } from '../../workspace/uri.ts';
import type { Tree } from '../trees/tree.ts';
import type { Statement } from './model.ts';

/** Returns a function that replaces the paths of GitOps objects in parentheses, if they are those of one object. */
export function applicationNames(trees: readonly Tree[]): <T extends Statement>(statement: T) => T {
  const names = new Map<string, Set<string>>();
  for (const { session, root } of trees)
    for (const { gitops, path } of session.snapshot().scopes().all())
      if (gitops !== undefined)
        getOrAdd(names, relativeFolder(root, path), () => new Set()).add(
          `${kindNames[gitops.kind]}/${gitops.facts.name}`,
        );
  const replaced = (text: string) =>
    text.replaceAll(/\(([^()\n]{1,500})\)/g, (whole, path: string) => {
      const [name, other] = names.get(path) ?? [];
      return name === undefined || other !== undefined ? whole : `(${name})`;
    });
  return (statement) => {
    if (names.size === 0) return statement;
    const { more } = statement;
    return { ...statement, text: replaced(statement.text), ...(more !== undefined && { more: replaced(more) }) };
  };
}
