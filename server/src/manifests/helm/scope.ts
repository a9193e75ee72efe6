/** Models the variable scopes of template blocks: the dot and the variables that are visible to an action. */

import type { Value } from './value.ts';

/** The variable scope of a block, or of a whole template. */
export class Scope {
  readonly dot: Value;
  readonly root: Value;
  readonly parent: Scope | undefined;
  /**
   * The condition under which the block is rendered. If the block sets a variable of an outer scope, the value of the
   * variable is uncertain afterwards.
   */
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

/** Returns the scope that declares a variable, and the conditions of the blocks between this scope and the current one. */
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

/** Whether the content of a scope is rendered unconditionally within its template. */
export function isCertain(scope: Scope): boolean {
  return scope.condition === undefined && (scope.parent === undefined || isCertain(scope.parent));
}
