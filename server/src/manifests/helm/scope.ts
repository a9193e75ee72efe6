/** What do the dot and the variables stand for where an action is? */

import type { Value } from './value.ts';

/** A block, or a whole template. */
export class Scope {
  readonly dot: Value;
  readonly root: Value;
  readonly parent: Scope | undefined;
  /** It may not be entered at all: what it sets outside of itself is not certain. */
  readonly condition: string | undefined;
  readonly variables = new Map<string, Value>();

  constructor(dot: Value, root: Value, parent?: Scope, condition?: string) {
    this.dot = dot;
    this.root = root;
    this.parent = parent;
    this.condition = condition;
  }

  find(name: string): Value | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}

/** What a variable belongs to, and what decides on the blocks between. */
export function ownerOf(
  name: string,
  scope: Scope,
): { readonly owner: Scope | undefined; readonly conditions: string[] } {
  const conditions: string[] = [];
  let owner: Scope | undefined = scope;
  while (owner !== undefined && !owner.variables.has(name)) {
    if (owner.condition !== undefined) conditions.push(owner.condition);
    owner = owner.parent;
  }
  return { owner, conditions };
}

/** Whether what is in a scope is certainly rendered, wherever its template is. */
export function isCertain(scope: Scope): boolean {
  return scope.condition === undefined && (scope.parent === undefined || isCertain(scope.parent));
}
