/** Returns the renderings of the root kustomizations that a kustomization is part of, and its entries that fail in all of them. */

import type { BrokenEntry, Rendering } from '../../workspace/model.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Returns the renderings of all root kustomizations that include a kustomization, directly or through others; a root includes itself. */
export function rootRenderings({
  workspace,
  catalogue,
  uri,
}: Pick<RuleContext, 'workspace' | 'catalogue' | 'uri'>): readonly Rendering[] {
  return workspace
    .scopes()
    .building(uri)
    .flatMap(({ path }) => workspace.rendering(path, catalogue) ?? []);
}

/** Returns the entries of the kustomization in a file that are broken in each of its root kustomizations, which are completely known: at most one for each position. */
export function brokenEntries(context: RuleContext): readonly BrokenEntry[] {
  const renderings = rootRenderings(context);
  const [first, ...others] = renderings;
  if (first === undefined || !renderings.every(({ isWhole }) => isWhole)) return [];
  const places = new Map<number, BrokenEntry>();
  for (const broken of first.broken)
    if (broken.uri === context.uri && !places.has(broken.span.start)) places.set(broken.span.start, broken);
  return [...places.values()].filter((broken) =>
    others.every((other) => other.broken.some((each) => isSame(each, broken))),
  );
}

function isSame(one: BrokenEntry, other: BrokenEntry): boolean {
  return one.uri === other.uri && one.span.start === other.span.start && one.is === other.is;
}

const collisions: ReadonlySet<BrokenEntry['is']> = new Set(['generated again', 'added again', 'same namespace']);

/** Whether an entry fails because two objects have the same identity. */
export function isCollision({ is }: BrokenEntry): boolean {
  return collisions.has(is);
}
