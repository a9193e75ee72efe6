/** Parses requirements in their structured form: `matchLabels`, `matchExpressions` and plain maps. */

import { isInteger } from './integers.ts';
import { isLabelKey, isLabelValue, validateLabelKey, validateLabelValue } from './labels.ts';
import { excerpt } from './messages.ts';
import { fieldOf, type StructuredParser } from './structured.ts';
import type { Operator, Path, Requirement, Value } from './types.ts';

/** The requirements that could be parsed; `open` means that some requirement has an unknown key or operator. */
export interface ReadRequirements {
  readonly requirements: Requirement[];
  open: boolean;
}

/** The operators that an expression may have, and their equivalents in a selector text. */
export type OperatorTable = ReadonlyMap<string, Operator>;

export const labelSelectorOperators: OperatorTable = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

export const nodeSelectorOperators: OperatorTable = new Map([...labelSelectorOperators, ['Gt', 'gt'], ['Lt', 'lt']]);

/** Parses a map of keys and values, each entry an equality, and adds the requirements to `into`. */
export function readEqualities(parser: StructuredParser, map: unknown, path: Path, into: ReadRequirements): void {
  const what = path.length === 0 ? 'selector' : `\`${path.at(-1)}\``;
  for (const [key, given] of parser.map(map, path, what) ?? []) {
    // Nearly all entries are valid, and need neither a path nor a message.
    if (typeof given === 'string' && isLabelValue(given) && isLabelKey(key)) {
      into.requirements.push({ key, operator: '=', values: [given] });
      continue;
    }
    const at = [...path, key];
    const keyIsSound = checkKey(parser, key, at);
    const value = parser.string(given, at, `value of \`${excerpt(key)}\``);
    if (value === undefined || !checkValue(parser, value, at) || !keyIsSound) continue;
    into.requirements.push({ key, operator: '=', values: [value] });
  }
}

/** Parses a list of expressions, and adds the requirements to `into`. Every fault of an expression is a problem. */
export function readExpressions(
  parser: StructuredParser,
  list: unknown,
  path: Path,
  operators: OperatorTable,
  into: ReadRequirements,
): void {
  const items = parser.list(list, path, `\`${path.at(-1)}\``) ?? [];
  items.forEach((item, index) => {
    readExpression(parser, item, [...path, index], operators, into);
  });
}

function readExpression(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  operators: OperatorTable,
  into: ReadRequirements,
): void {
  if (parser.map(item, path, 'requirement') === undefined) return;
  const before = parser.problems.length;
  const key = parser.string(fieldOf(item, 'key'), [...path, 'key'], '`key`');
  const name = parser.string(fieldOf(item, 'operator'), [...path, 'operator'], '`operator`');
  const values = readValues(parser, fieldOf(item, 'values'), [...path, 'values']);

  const operator = typeof name === 'string' ? operatorOf(parser, name, operators, [...path, 'operator']) : undefined;
  if (operator && values) checkValues(parser, name, operator, values, [...path, 'values']);
  if (typeof key === 'string') checkKey(parser, key, [...path, 'key']);
  values?.forEach((value, index) => {
    checkValue(parser, value, [...path, 'values', index]);
  });
  if (parser.problems.length > before || values === undefined) return;
  if (typeof key === 'string' && operator) into.requirements.push({ key, operator, values });
  else into.open = true;
}

/** Parses a list of values; returns undefined if the list or one of its items has a wrong type. */
export function readValues(parser: StructuredParser, list: unknown, path: Path): readonly Value[] | undefined {
  const items = parser.list(list, path, '`values`');
  const values = items?.map((item, index) => parser.string(item, [...path, index], 'value'));
  return values?.every((value) => value !== undefined) ? values : undefined;
}

function operatorOf(
  parser: StructuredParser,
  name: string,
  operators: OperatorTable,
  path: Path,
): Operator | undefined {
  const operator = operators.get(name);
  if (operator) return operator;
  const known = [...operators.keys()];
  const alike = known.find((one) => one.toLowerCase() === name.toLowerCase());
  const hint = alike ? `: write '${alike}', not '${name}'` : `, not '${excerpt(name)}'`;
  const list = known.map((one) => `'${one}'`).join(', ');
  parser.problem('operator-unknown', path, `\`operator\` must be one of ${list}${hint}`);
  return undefined;
}

function checkValues(
  parser: StructuredParser,
  name: Value | undefined,
  operator: Operator,
  values: readonly Value[],
  path: Path,
): void {
  if (operator === 'exists' || operator === '!') {
    if (values.length > 0) {
      parser.problem(
        'values-forbidden',
        path,
        `with operator '${name}', \`values\` must be empty: remove the values, or use 'In' or 'NotIn'`,
      );
    }
  } else if (operator === 'gt' || operator === 'lt') {
    if (values.length !== 1)
      parser.problem('value-count', path, `with operator '${name}', \`values\` must have exactly one value`);
    values.forEach((value, index) => {
      if (typeof value !== 'string' || isInteger(value)) return;
      const message = `with operator '${name}', the value must be a 64-bit integer, not '${excerpt(value)}'`;
      parser.problem('value-not-integer', [...path, index], message);
    });
  } else if (values.length === 0) {
    parser.problem('values-required', path, `with operator '${name}', \`values\` must have at least one value`);
  }
}

function checkKey(parser: StructuredParser, key: string, path: Path): boolean {
  if (isLabelKey(key)) return true;
  parser.textProblems(validateLabelKey(key), path);
  return false;
}

function checkValue(parser: StructuredParser, value: Value, path: Path): boolean {
  if (typeof value !== 'string' || isLabelValue(value)) return true;
  parser.textProblems(validateLabelValue(value), path);
  return false;
}
