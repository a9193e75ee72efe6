/** Holds the dot, the root and the variables of a part of a template. */

import type { Cell } from './branches.ts';
import type { TemplateValue } from './template-value.ts';

export interface Scope {
  readonly dot: TemplateValue;
  readonly root: TemplateValue;
  readonly variables: Map<string, Cell>;
  readonly parent: Scope | undefined;
}

export function scopeWith(dot: TemplateValue, root: TemplateValue, parent?: Scope): Scope {
  return { dot, root, parent, variables: new Map() };
}

export function cellOf(scope: Scope | undefined, name: string): Cell | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const cell = at.variables.get(name);
    if (cell !== undefined) return cell;
  }
  return undefined;
}
