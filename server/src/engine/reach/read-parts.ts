/** Parses the parts that both kinds of policies share, from plain data: selectors, address blocks and ports. */

import { fromLabelSelector } from '../label-selector.ts';
import { excerpt } from '../messages.ts';
import { allOf, everything } from '../selector.ts';
import { fieldOf, type StructuredParser } from '../structured.ts';
import { isUnknown, type Path, type Selector } from '../types.ts';
import { type AddressBlock, type AddressRange, isWithin, parseCidr } from './addresses.ts';
import { isOpen, isOptional } from './partial.ts';
import { maxPort } from './ports.ts';
import type { Direction, Rule, RulesOfDirection } from './types.ts';

/** Returns the value of a field in a map; undefined if the field is absent or null. */
export function setField(value: unknown, field: string): unknown {
  return fieldOf(value, field) ?? undefined;
}

/** Whether a field that is not set may be set by a template. */
export function mayBeSet(value: unknown, field: string): boolean {
  return isOpen(value) && setField(value, field) === undefined;
}

/** Whether a field that the API server requires is set, or may be set. Reports a problem if the field is certainly not set. */
export function isSet(parser: StructuredParser, value: unknown, field: string, path: Path): boolean {
  if (setField(value, field) !== undefined || isOpen(value)) return true;
  parser.problem('field-required', path, `\`${field}\` must be set`);
  return false;
}

/** Parses a selector whose field is set. A selector with parts from a template is open. */
export function readSelector(parser: StructuredParser, value: unknown, path: Path): Selector {
  // If the selector turns out to be absent, it selects everything.
  if (isUnknown(value) || isOptional(value)) return allOf([], true);
  const labels = setField(value, 'matchLabels');
  const expressions = setField(value, 'matchExpressions');
  const list = Array.isArray(expressions) && !isOptional(expressions) ? expressions : [];
  const known = list.filter((each) => !isOpen(each) && !isOptional(each) && !isOpen(fieldOf(each, 'values')));
  const isPartly =
    [value, labels, expressions].some((each) => isOpen(each) || isOptional(each)) || known.length < list.length;
  const isPlain = !isPartly || typeof value !== 'object';
  const read = fromLabelSelector(
    isPlain
      ? value
      : { ...(!isUnknown(labels) && !isOptional(labels) && { matchLabels: labels }), matchExpressions: known },
  );
  if (!read.ok) {
    for (const { code, message, path: below = [] } of read.problems) parser.problem(code, [...path, ...below], message);
    return allOf([], true);
  }
  if (!isPartly || read.value.kind === 'nothing') return read.value;
  return allOf(read.value.kind === 'all' ? [...read.value.requirements] : [], true);
}

/** Parses a selector that selects everything if its field is not set. */
export function readOptionalSelector(parser: StructuredParser, owner: unknown, field: string, path: Path): Selector {
  const value = setField(owner, field);
  if (value === undefined) return mayBeSet(owner, field) ? allOf([], true) : everything;
  return readSelector(parser, value, [...path, field]);
}

/** Parses a CIDR block; returns undefined if it is unknown, or if it is invalid, which is reported as a problem. */
export function readCidr(parser: StructuredParser, value: unknown, path: Path): AddressRange | undefined {
  const text = parser.string(value, path, '`cidr`');
  if (typeof text !== 'string') return undefined;
  const range = parseCidr(text);
  if (range === undefined) {
    const message = `must be a valid CIDR block, such as '10.0.0.0/8' or '2001:db8::/32', not '${excerpt(text)}'`;
    parser.problem('cidr-syntax', path, message);
  }
  return range;
}

/** Parses an `ipBlock`; returns undefined if its CIDR block is unknown, or if it is invalid, which is reported as a problem. */
export function readBlock(parser: StructuredParser, value: unknown, path: Path): AddressBlock | undefined {
  if (isUnknown(value) || parser.map(value, path, '`ipBlock`') === undefined) return undefined;
  if (!isSet(parser, value, 'cidr', path)) return undefined;
  const range = readCidr(parser, fieldOf(value, 'cidr'), [...path, 'cidr']);
  const list = setField(value, 'except');
  const items = isUnknown(list) ? [] : (parser.list(list, [...path, 'except'], '`except`') ?? []);
  const except = items.map((item, index) => {
    const at = [...path, 'except', index];
    const one = isUnknown(item) ? undefined : readCidr(parser, item, at);
    if (one === undefined || range === undefined) return undefined;
    if (isWithin(one, range) && one.last - one.first < range.last - range.first) return one;
    parser.problem('cidr-range', at, `'${excerpt(String(item))}' must be a strict subset of \`cidr\``);
    return undefined;
  });
  if (range === undefined) return undefined;
  const known = except.filter((each) => each !== undefined);
  const exceptOpen = known.length < except.length || isOpen(list) || isOptional(list) || mayBeSet(value, 'except');
  return { range, except: isOptional(list) ? [] : known, ...(exceptOpen && { exceptOpen }) };
}

/** Parses the number of a port; returns undefined if it is unknown, or if it is invalid, which is reported as a problem. */
export function readPortNumber(
  parser: StructuredParser,
  value: unknown,
  path: Path,
  field: string,
): number | undefined {
  if (isUnknown(value)) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxPort) return value;
  const shown = typeof value === 'number' || typeof value === 'string' ? `, not '${excerpt(String(value))}'` : '';
  parser.problem('port-range', path, `\`${field}\` must be an integer from 1 to ${maxPort}${shown}`);
  return undefined;
}

/** Whether a text is a port name, as `IsValidPortName` in k8s.io/apimachinery/pkg/util/validation defines it. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && /^[a-z0-9](?:-?[a-z0-9])*$/.test(text) && /[a-z]/.test(text);
}

/** The list in a field. An unknown rule, peer or port in the list is represented by undefined. */
export interface ReadList<Item> {
  readonly items: readonly Item[];
  /** Whether the field is not set, or the list is empty. */
  readonly isEmpty: 'yes' | 'no' | 'maybe';
  /** Whether the list may have further items. */
  readonly isOpen: boolean;
}

/** Parses the items of a list in a field. */
export function readList<Item>(
  parser: StructuredParser,
  owner: unknown,
  field: string,
  path: Path,
  read: (item: unknown, path: Path, index: number) => Item,
): ReadList<Item> {
  const list = setField(owner, field);
  if (isUnknown(list) || mayBeSet(owner, field)) return { items: [], isEmpty: 'maybe', isOpen: true };
  const items = parser.list(list, [...path, field], `\`${field}\``) ?? [];
  const mayBeEmpty = isOptional(list) || items.every(isOptional);
  const isEmpty = items.length === 0 ? (isOpen(list) ? 'maybe' : 'yes') : mayBeEmpty ? 'maybe' : 'no';
  return {
    items: items.map((item, index) => read(item, [...path, field, index], index)),
    isEmpty,
    isOpen: isOpen(list),
  };
}

/** Parses the rules of a direction. Unknown rules come before all others, because the first matching rule may decide. */
export function readRules(
  parser: StructuredParser,
  spec: unknown,
  direction: Direction,
  action: Rule['action'],
  read: (item: unknown, path: Path, index: number) => Rule | undefined,
): ReadList<Rule> {
  const unknown: Rule = {
    index: -1,
    action,
    peers: [],
    anyPeer: 'maybe',
    ports: [],
    anyPort: 'maybe',
    isOptional: true,
  };
  const list = readList(parser, spec, direction, ['spec'], (item, path, index): readonly Rule[] => {
    if (isUnknown(item) || item === null) return [{ ...unknown, index }];
    const rule = read(item, path, index);
    return rule === undefined ? [] : [isOptional(item) ? { ...rule, isOptional: true } : rule];
  });
  const rules = list.items.flat();
  const isListOptional = isOptional(setField(spec, direction));
  const known = isListOptional ? rules.map((rule): Rule => ({ ...rule, isOptional: true })) : rules;
  return { ...list, items: list.isOpen ? [unknown, ...known] : known };
}

/** Returns the rules of a direction, and whether the policy covers that direction. */
export function rulesIn({ items }: ReadList<Rule>, covers: RulesOfDirection['covers']): RulesOfDirection {
  return { covers, rules: items };
}
