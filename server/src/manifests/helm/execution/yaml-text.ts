/** Writes values as `toYaml` and `toJson` do, and parses text as `fromYaml` does. */

import { spend } from '../../../engine/work-budget.ts';
import { hashOf } from '../../../text/hash.ts';
import { blank } from '../../placeholders/placeholders.ts';
import { splitDocuments } from '../../yaml/documents.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { readKey } from '../../yaml/scalar-types.ts';
import { effectiveEntries, maximumDepth, type Node, treeSizeOf } from '../../yaml/tree.ts';
import { quotedText } from '../actions.ts';
import { onlyAction } from '../output.ts';
import { isReleaseName } from './function-traits.ts';
import {
  codeOf,
  escaped,
  factsOf,
  isKnown,
  isList,
  OneOf,
  PrintedMap,
  printed,
  TemplateMap,
  type TemplateValue,
  Unknown,
} from './template-value.ts';
import { byNumbers, keyText, scalarLines } from './yaml-scalars.ts';

/** Returns a value as YAML, with actions for its unknown parts; known text is escaped. */
export function yamlText(value: TemplateValue): string {
  const [first = '', ...rest] = linesOf(value, 0, 0);
  const isText = typeof value === 'string';
  return [first, ...rest.map((line) => (isText && line !== '' ? `  ${line}` : line))].join('\n');
}

/** Returns the lines of a value whose text begins in a column. */
function linesOf(value: TemplateValue, depth: number, column: number): readonly string[] {
  if (depth > maximumDepth) return [`{{ toYaml ${codeOf(value)} }}`];
  if (isList(value)) {
    const { isNil, isUnordered } = factsOf(value);
    if (isUnordered === true) return [`{{ toYaml ${codeOf(value)} }}`];
    if (value.length === 0) return [isNil === true ? 'null' : '[]'];
    return value.flatMap((item) => itemLines(item, depth, column));
  }
  if (value instanceof PrintedMap) return scalarLines(value.text, column).map(escaped);
  if (value instanceof TemplateMap) {
    const lines = [...value.entries.keys()].toSorted(byNumbers).flatMap((key) => {
      return entryLines(key, value.get(key), depth, column);
    });
    if (value.others !== undefined) lines.push(`{{ toYaml ${inParentheses(value.others)} }}`);
    return lines.length === 0 ? [factsOf(value).isNil === true ? 'null' : '{}'] : lines;
  }
  // The output of `toYaml` for a value that is unknown as a whole.
  if (value instanceof Unknown) return depth === 0 ? [`{{ toYaml ${inParentheses(value.code)} }}`] : [inLine(value)];
  return scalarLines(value, column).map(escaped);
}

function inLine(value: Unknown): string {
  return value.text.includes('\n') ? `{{ ${value.code} }}` : value.text;
}

function inParentheses(code: string): string {
  return code.includes(' ') && !code.startsWith('(') ? `(${code})` : code;
}

function itemLines(item: TemplateValue, depth: number, column: number): readonly string[] {
  const [first = '', ...rest] = linesOf(item, depth + 1, column + 2);
  return [`- ${first}`, ...rest.map(indented)];
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function entryLines(key: string, value: TemplateValue, depth: number, column: number): readonly string[] {
  const name = escaped(keyText(key));
  const isMap = value instanceof TemplateMap && !(value instanceof PrintedMap);
  const isBlock = (isList(value) && !factsOf(value).isUnordered) || isMap;
  const lines = linesOf(value, depth + 1, column + (isList(value) ? 0 : isBlock ? 2 : name.length + 2));
  if (isBlock && !/^(?:\[\]|\{\}|null)$/.test(lines[0] ?? ''))
    return [`${name}:`, ...lines.map((line) => (isList(value) ? line : indented(line)))];
  const [first = '', ...rest] = lines;
  const entry = [`${name}: ${first}`, ...rest.map(indented)];
  if (!(value instanceof Unknown && value.mayBeAbsent)) return entry;
  return [`{{ if has ${quotedText(value.code)} }}`, ...entry, '{{ end }}'];
}

/** Returns a value as JSON, with actions for unknown texts in it; undefined if it is unknown which entries or items it has. `written` returns how a known text is written. */
export function jsonText(value: TemplateValue, indent = '', written = (text: string) => text): string | undefined {
  const isKnownValue = isKnown(value);
  if (!isKnownValue && !hasKnownShape(value)) return undefined;
  const text = (each: string) => (isKnownValue ? written(each) : escaped(written(each)));
  return jsonOf(value, { indent, text }, '\n');
}

/** Whether only texts and other scalars in a value are unknown. */
function hasKnownShape(value: TemplateValue): boolean {
  if (value instanceof OneOf) return false;
  if (value instanceof Unknown) return !value.mayBeAbsent && !/[\n\\]/.test(value.text);
  if (isList(value)) return factsOf(value).isUnordered !== true && value.every(hasKnownShape);
  return (
    !(value instanceof TemplateMap) || (value.others === undefined && [...value.entries.values()].every(hasKnownShape))
  );
}

interface JsonForm {
  readonly indent: string;
  /** Returns how a known text is written. */
  readonly text: (text: string) => string;
}

function jsonOf(value: TemplateValue, form: JsonForm, line: string): string {
  const { indent, text } = form;
  const inner = `${line}${indent}`;
  const [before, between, after, colon] = indent === '' ? ['', ',', '', ':'] : [inner, `,${inner}`, line, ': '];
  if (isList(value))
    return value.length === 0
      ? factsOf(value).isNil === true
        ? 'null'
        : '[]'
      : `[${before}${value.map((item) => jsonOf(item, form, inner)).join(between)}${after}]`;
  if (value instanceof PrintedMap) return text(JSON.stringify(value.text));
  if (value instanceof TemplateMap) {
    const entries = value.keys.map(
      (key) => `${text(JSON.stringify(key))}${colon}${jsonOf(value.get(key), form, inner)}`,
    );
    return entries.length === 0
      ? factsOf(value).isNil === true
        ? 'null'
        : '{}'
      : `{${before}${entries.join(between)}${after}}`;
  }
  if (value instanceof Unknown) return unknownJson(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'string') return printed(value, 'null');
  return text(JSON.stringify(value));
}

/** Returns an unknown scalar as JSON: a text with known parts, and a name of the release, are texts. */
function unknownJson(value: Unknown): string {
  const isText = isReleaseName(value) || onlyAction(value.text) === undefined;
  return isText ? `"${value.text}"` : `{{ toJson ${inParentheses(value.code)} }}`;
}

/** The maximum number of syntax nodes in parsed text. */
const maximumSize = 50_000;

/** The number of characters that are parsed in one step. */
const charactersOfStep = 5;

/** Parses YAML text, whose actions are unknown values if `hasActions` is set; undefined if it has a syntax error or is too large. */
export function parsedYaml(text: string, hasActions: boolean): TemplateValue | undefined {
  spend(text.length / charactersOfStep);
  const plain = { text, blanks: [], placeholders: [], conditionals: [] };
  const blanked = { ...(hasActions ? { ...blank(text), inner: true } : plain), mergesInOrder: true as const };
  const [first, ...others] = splitDocuments(blanked.text);
  if (first === undefined) return null;
  const { root, errors } = parseYaml(text, blanked, first);
  if (errors.length > 0 || (hasActions && others.length > 0)) return undefined;
  if (root === undefined) return blanked.placeholders.length > 0 ? undefined : null;
  return treeSizeOf(root).size > maximumSize ? undefined : valueOfNode(root, hashOf(text).slice(0, 8));
}

/** `mark` distinguishes the unknown parts of different texts. */
function valueOfNode(node: Node, mark: string): TemplateValue {
  if (node.kind === 'scalar') {
    if (node.pattern !== undefined) return new Unknown(node.text);
    if (node.type === 'null') return null;
    if (node.type === 'boolean') return /^(?:y|yes|true|on)$/i.test(node.text);
    if (node.type === 'number' && /^[+-]?0[0-7]+$/.test(node.text)) return Number.parseInt(node.text, 8);
    return node.type === 'number' && Number.isFinite(Number(node.text)) ? Number(node.text) : node.text;
  }
  if (node.kind === 'list')
    return node.open
      ? new Unknown(`list ${mark} ${node.span.start}`)
      : node.items.map((item) => valueOfNode(item, mark));
  const entries = effectiveEntries(node).map(({ key, value, conditional, condition = '' }) => {
    const item = valueOfNode(value, mark);
    const known = conditional ? new Unknown(`${condition}, ${codeOf(item)}`, { mayBeAbsent: true }) : item;
    return [/[{}\uE000-\uF8FF]/.test(key.text) ? key.text : readKey(key), known] as const;
  });
  return new TemplateMap(
    entries,
    node.open ? (node.parts?.join(', ') ?? `entries ${mark} ${node.span.start}`) : undefined,
  );
}
