/** Finds the values that a template writes completely, with `toYaml .Values.x` or an equivalent expression. */

import { tokensOf } from './actions.ts';
import { type Expression, expressionOf } from './expression.ts';

/** Returns the paths of the values whose content a part of a map consists of, under any condition. */
export function valuesWrittenBy(part: string): readonly (readonly string[])[] {
  const expression = lastExpression(part);
  return expression === undefined ? [] : (pathsIn(expression) ?? []);
}

/** Parses the expression after the conditions in the code of a part; each condition ends with a comma. */
function lastExpression(part: string): Expression | undefined {
  for (let at = 0; at !== 1; at = part.indexOf(', ', at) + 2) {
    if (!writer.test(part.slice(at, at + 10))) continue;
    const expression = expressionOf(tokensOf(part.slice(at)) ?? []);
    if (expression !== undefined) return expression;
  }
  return undefined;
}

const writer = /^(?:toYaml|tpl|include) /;

/** For each function, returns the parameters that the function writes unchanged. */
const passing: Readonly<Record<string, (parameters: readonly Expression[]) => readonly Expression[]>> = {
  toYaml: (all) => all,
  fromYaml: (all) => all,
  trim: (all) => all,
  default: (all) => all,
  or: (all) => all,
  coalesce: (all) => all,
  list: (all) => all,
  merge: (all) => all,
  mustMerge: (all) => all,
  mergeOverwrite: (all) => all,
  mustMergeOverwrite: (all) => all,
  deepCopy: (all) => all,
  mustDeepCopy: (all) => all,
  tpl: (all) => all.slice(0, 1),
  ternary: (all) => all.slice(0, 2),
  required: (all) => all.slice(1),
  include: rendered,
};

/** Returns the value that `include "common.tplvalues.render" (dict "value" .Values.x "context" $)` writes; many charts use this helper. */
function rendered([name, given]: readonly Expression[]): readonly Expression[] {
  if (name?.kind !== 'literal' || !/\.tplvalues\.\w/.test(String(name.value)) || given?.kind !== 'call') return [];
  const { parameters } = given;
  const at = parameters.findIndex(
    (each) => each.kind === 'literal' && (each.value === 'value' || each.value === 'values'),
  );
  return given.name === 'dict' && at !== -1 ? parameters.slice(at + 1, at + 2) : [];
}

/** Returns the paths of the values that an expression writes; undefined if its output may differ from these values. */
function pathsIn(expression: Expression): readonly (readonly string[])[] | undefined {
  if (expression.kind === 'field') {
    const path = pathOf(expression);
    return path?.[0] === 'Values' && path.length > 1 ? [path.slice(1)] : undefined;
  }
  if (expression.kind !== 'call') return [];
  const pass = Object.hasOwn(passing, expression.name) ? passing[expression.name] : undefined;
  if (pass === undefined) return expression.parameters.length === 0 ? [] : undefined;
  const paths = pass(expression.parameters).map(pathsIn);
  return paths.every((each) => each !== undefined) ? paths.flat() : undefined;
}

function pathOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind === 'dot') return [];
  const above = expression.kind === 'field' ? pathOf(expression.of) : undefined;
  return expression.kind === 'field' && above !== undefined ? [...above, expression.name] : undefined;
}

const loopKey = /^\{\{ key of \.Values((?:\.[\w-]{1,100}){1,10})\[\] \}\}$/;

/** Returns the path of the value whose keys a loop writes; undefined if the key of the entry does not come from such a loop. */
export function loopedOver(key: string): readonly string[] | undefined {
  return loopKey.exec(key)?.[1]?.slice(1).split('.');
}
