/** Parses the entities of rules of Calico from plain data: selectors, service accounts and blocks of addresses. */

import { parseCalicoSelector } from '../calico/syntax.ts';
import type { CalicoNode } from '../calico/types.ts';
import { nameLabel } from '../catalogue/name-labels.ts';
import { excerpt } from '../messages.ts';
import { isRecord, type StructuredParser } from '../structured.ts';
import { isUnknown, type Path, type Unknown, type Value } from '../types.ts';
import { type AddressRange, cidrsOf, everyAddress, parseAddress, parseCidr } from './addresses.ts';
import { isOpen, isOptional } from './partial.ts';
import { mayBeSet, readList, setField } from './read-parts.ts';
import type { CalicoExpression, CalicoNets, CalicoPeer } from './types.ts';

/** The namespace of a policy; undefined for a GlobalNetworkPolicy. */
export interface CalicoScope {
  readonly namespace: Value | undefined;
}

/** Parses a selector in a field; undefined if it is not set, or selects everything because it is empty. */
export function readExpression(
  parser: StructuredParser,
  owner: unknown,
  field: string,
  path: Path,
  global: 'alone' | 'never' = 'never',
): CalicoExpression | undefined {
  const value = setField(owner, field);
  if (value === undefined) return mayBeSet(owner, field) ? { text: '' } : undefined;
  if (isUnknown(value)) return partlyKnown(value);
  const text = parser.string(value, [...path, field], `\`${field}\``);
  if (typeof text !== 'string') return { text: '' };
  if (text.trim() === '' && !/[\r\n]/.test(text)) return undefined;
  const tree = parseCalicoSelector(text, { global });
  for (const { code, message } of tree.problems) parser.problem(code, [...path, field], message);
  if (text.length > maxSelectorLength)
    parser.problem('value-too-long', [...path, field], `must be no more than ${maxSelectorLength} characters`);
  return tree.root === undefined ? { text } : { text, root: tree.root };
}

/** Parses a text with actions of a template. Unless all actions are in strings, the expression is unknown. */
function partlyKnown({ unknown: text, pattern }: Unknown): CalicoExpression {
  const actions = [...text.matchAll(/\{\{[^{}]*\}\}/g)];
  const placeholders = actions.map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }));
  if (actions.length === 0 || text.replace(/\{\{[^{}]*\}\}/g, '*') !== pattern) return { text: '' };
  const { root } = parseCalicoSelector(text, { placeholders });
  return root === undefined ? { text: '' } : { text, root };
}

/** The maximum length of a selector, as the definitions of the kinds limit it. */
const maxSelectorLength = 1024;

const knownFields: ReadonlySet<string> = new Set([
  ...['selector', 'notSelector', 'namespaceSelector', 'serviceAccounts', 'nets', 'notNets', 'ports', 'notPorts'],
]);

/** Parses the entity in a field of a rule. An absent or empty entity matches everything. */
export function readCalicoEntity(
  parser: StructuredParser,
  rule: unknown,
  field: string,
  path: Path,
  scope: CalicoScope,
): CalicoPeer {
  const entity = setField(rule, field);
  const at = [...path, field];
  if (entity === undefined) return mayBeSet(rule, field) ? { kind: 'calico', isNarrowed: true } : { kind: 'calico' };
  if (isUnknown(entity) || isOptional(entity) || parser.map(entity, at, `\`${field}\``) === undefined)
    return { kind: 'calico', isNarrowed: true };
  const selector = readExpression(parser, entity, 'selector', at);
  const notSelector = readExpression(parser, entity, 'notSelector', at);
  const namespaceSelector = readExpression(parser, entity, 'namespaceSelector', at, 'alone');
  const accounts = readAccounts(parser, entity, at);
  const nets = readNets(parser, entity, 'nets', at);
  const notNets = readNets(parser, entity, 'notNets', at);
  const family = familyOf([nets, notNets]);
  checkServices(parser, entity, at, scope);
  const isStrange =
    isOpen(entity) || Object.keys(isRecord(entity) ? entity : {}).some((each) => !knownFields.has(each));
  const selects = [selector, notSelector, accounts.accounts, accounts.accountSelector].some(
    (part) => part !== undefined,
  );
  return {
    kind: 'calico',
    ...(selector !== undefined && { selector }),
    ...(notSelector !== undefined && { notSelector }),
    ...accounts,
    ...namespaceOf(namespaceSelector, scope, selects),
    ...(nets !== undefined && { nets }),
    ...(notNets !== undefined && { notNets }),
    ...(family !== undefined && { family }),
    ...(isStrange && { isNarrowed: true as const }),
  };
}

/** Reports a reference to a Service without a name, and other fields beside it. */
function checkServices(parser: StructuredParser, entity: unknown, path: Path, { namespace }: CalicoScope): void {
  const services = setField(entity, 'services');
  if (services === undefined || isOpen(services) || isOptional(services)) return;
  const at = [...path, 'services'];
  const required = namespace === undefined ? ['name', 'namespace'] : ['name'];
  for (const field of required)
    if (setField(services, field) === undefined) parser.problem('field-required', at, `\`${field}\` must be set`);
  const [beside] = ['selector', 'notSelector', 'nets', 'notNets'].filter((each) => isFilled(setField(entity, each)));
  if (beside !== undefined) parser.problem('field-conflict', at, `\`services\` and \`${beside}\` must not be combined`);
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0 && !isOptional(value);
}

/** In a policy of a namespace, entities that select endpoints keep to this namespace, unless they select namespaces. */
function namespaceOf(
  selector: CalicoExpression | undefined,
  { namespace }: CalicoScope,
  selects: boolean,
): Pick<CalicoPeer, 'namespace' | 'namespaceSelector'> {
  if (selector?.root?.kind === 'all') return { namespace: 'any' };
  if (selector?.root?.kind === 'global') return { namespace: 'none' };
  if (selector !== undefined) return { namespaceSelector: inNamespaces(selector) };
  return selects && namespace !== undefined ? { namespace: { is: namespace } } : {};
}

/** In a larger selector of namespaces, `all()` matches only what belongs to a namespace. Source: libcalico-go/lib/backend/syncersv1/updateprocessors. */
function inNamespaces({ text, root }: CalicoExpression): CalicoExpression {
  return root === undefined ? { text } : { text, root: withoutAll(root) };
}

function withoutAll(node: CalicoNode): CalicoNode {
  if (node.kind === 'not') return { ...node, operand: withoutAll(node.operand) };
  if (node.kind === 'and' || node.kind === 'or') return { ...node, operands: node.operands.map(withoutAll) };
  if (node.kind !== 'all') return node;
  const { start, end } = node;
  const key = { role: 'key', text: nameLabel, start, end } as const;
  const requirement = { key: nameLabel, operator: 'exists', values: [] } as const;
  return { kind: 'comparison', operator: 'has', key, values: [], known: [], requirement, start, end };
}

function readAccounts(
  parser: StructuredParser,
  entity: unknown,
  path: Path,
): Pick<CalicoPeer, 'accounts' | 'accountSelector' | 'isNarrowed'> {
  const accounts = setField(entity, 'serviceAccounts');
  const at = [...path, 'serviceAccounts'];
  if (accounts === undefined) return {};
  if (isUnknown(accounts) || isOptional(accounts) || isOpen(accounts)) return { accounts: [], isNarrowed: true };
  if (parser.map(accounts, at, '`serviceAccounts`') === undefined) return {};
  const names = readList(parser, accounts, 'names', at, (item, each) => parser.string(item, each, 'name') ?? '');
  const selector = readExpression(parser, accounts, 'selector', at);
  if (names.isOpen) return { accounts: [{ unknown: 'service accounts' }] };
  return {
    ...(names.items.length > 0 && { accounts: names.items }),
    ...(selector !== undefined && { accountSelector: selector }),
  };
}

/** Returns the family of blocks of addresses. A rule with blocks of one family does not match addresses of the other. */
function familyOf(lists: readonly (CalicoNets | undefined)[]): 4 | 6 | undefined {
  const [only, ...others] = familiesOf(lists);
  return others.length > 0 || lists.some((each) => each?.isOpen) ? undefined : only;
}

/** Returns the families of all blocks of addresses in some lists. */
export function familiesOf(lists: readonly (CalicoNets | undefined)[]): readonly (4 | 6)[] {
  return [...new Set(lists.flatMap((each) => each?.ranges.map(({ family }) => family) ?? []))];
}

function readNets(parser: StructuredParser, entity: unknown, field: string, path: Path): CalicoNets | undefined {
  const list = readList(parser, entity, field, path, (item, at) => readBlockOfRule(parser, item, at));
  if (list.isEmpty === 'yes') return undefined;
  const ranges = list.items.filter((each) => each !== undefined);
  return { ranges, isOpen: list.isOpen || list.isEmpty === 'maybe' || ranges.length < list.items.length };
}

/** Parses a block of addresses in a rule, where Calico accepts neither a single address nor bits after the prefix. */
function readBlockOfRule(parser: StructuredParser, item: unknown, path: Path): AddressRange | undefined {
  const range = readNet(parser, item, path);
  if (range === undefined || typeof item !== 'string') return range;
  if (item.includes('/') && parseAddress(item.slice(0, item.indexOf('/')))?.value === range.first) return range;
  const [block = ''] = cidrsOf([range]);
  const message = `must be a block of addresses, such as '${block}', not '${excerpt(item)}'`;
  parser.problem('cidr-syntax', path, message, [block]);
  return range;
}

/** Parses a block of addresses, or a single address. */
export function readNet(parser: StructuredParser, item: unknown, path: Path): AddressRange | undefined {
  const text = isUnknown(item) ? undefined : parser.string(item, path, 'block of addresses');
  if (typeof text !== 'string') return undefined;
  const address = parseAddress(text);
  if (address !== undefined) return { ...everyAddress(address.family), first: address.value, last: address.value };
  const range = parseCidr(text);
  if (range === undefined)
    parser.problem('cidr-syntax', path, `must be a valid CIDR block, such as '10.0.0.0/8', not '${excerpt(text)}'`);
  return range;
}
