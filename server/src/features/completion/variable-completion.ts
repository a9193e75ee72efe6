/** Completion of variables that Flux substitutes. */

import { variablesAround } from '../selected/flux-variable.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';

const started = /(?:^|[^$])\$\{#?([A-Za-z_][A-Za-z0-9_]{0,100})?$/;

/** Returns the variables of the Kustomizations that apply the object at an offset; empty if the offset is not in a variable. */
export function variableItems(view: FileView, offset: number): readonly Completion[] {
  const line = view.text.slice(Math.max(0, offset - 120), offset);
  const [found, typed = ''] = started.exec(line.slice(line.lastIndexOf('\n') + 1)) ?? [];
  if (found === undefined) return [];
  const span = { start: offset - typed.length, end: offset };
  // The editor may already have inserted the closing brace.
  const end = /^[\w}:=^,#%/]/.test(view.text.slice(offset, offset + 1)) ? '' : '}';
  const items = new Map<string, Completion>();
  for (const { variables } of variablesAround(view, offset)) {
    for (const [name, { value }] of variables.values) {
      if (items.has(name)) continue;
      const detail = value === undefined ? {} : { detail: ` = ${value}` };
      items.set(name, { label: name, kind: 'value', ...detail, filter: name, edit: { span, text: `${name}${end}` } });
    }
  }
  return [...items.values()];
}
