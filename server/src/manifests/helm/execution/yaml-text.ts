/** Writes values as `toYaml` and `toJson` do, and parses text as `fromYaml` does. */

import { hashOf } from '../../../text/hash.ts';
import { blank } from '../../placeholders/placeholders.ts';
import { splitDocuments } from '../../yaml/documents.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { effectiveEntries, maximumDepth, type Node, treeSizeOf } from '../../yaml/tree.ts';
import { quotedText } from '../actions.ts';
import {
  codeOf,
  escaped,
  floatText,
  isKnown,
  isList,
  OneOf,
  printed,
  TemplateMap,
  type TemplateValue,
  Unknown,
} from './template-value.ts';

/** Returns a value as YAML, with actions for its unknown parts; known text is escaped. */
export function yamlText(value: TemplateValue): string {
  return linesOf(value, 0).join('\n');
}

/** A plain scalar that YAML parses as the same string, if it is not one of the words of other types. */
const plainForm = /^[A-Za-z_/][\w./-]*(?:[ :][\w./-]+)*$/;
const otherTypes = /^(?:true|false|yes|no|on|off|y|n|null|nan|\.inf|\.nan|~|[-+.\d][-+.\w:]*)?$/i;

function scalarText(value: TemplateValue): string {
  if (typeof value === 'string') {
    if (otherTypes.test(value) || /[^ -~]/.test(value)) return escaped(JSON.stringify(value));
    return plainForm.test(value) ? value : escaped(`'${value.replaceAll("'", "''")}'`);
  }
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : floatText(value);
  return printed(value);
}

/** A text that `toYaml` writes as a block. */
const blockForm = /^(?! )(?:[ -~]*\n)+[ -~]*$/;

function linesOf(value: TemplateValue, depth: number): readonly string[] {
  if (depth > maximumDepth) return [`{{ toYaml ${codeOf(value)} }}`];
  if (isList(value)) return value.length === 0 ? ['[]'] : value.flatMap((item) => itemLines(item, depth));
  if (value instanceof TemplateMap) {
    const lines = value.keys.flatMap((key) => entryLines(key, value.get(key), depth));
    if (value.others !== undefined) lines.push(`{{ toYaml ${inParentheses(value.others)} }}`);
    return lines.length === 0 ? ['{}'] : lines;
  }
  // The output of `toYaml` for a value that is unknown as a whole.
  if (value instanceof Unknown) return depth === 0 ? [`{{ toYaml ${inParentheses(value.code)} }}`] : [inLine(value)];
  return [scalarText(value)];
}

function inLine(value: Unknown): string {
  return value.text.includes('\n') ? `{{ ${value.code} }}` : value.text;
}

function inParentheses(code: string): string {
  return code.includes(' ') && !code.startsWith('(') ? `(${code})` : code;
}

function itemLines(item: TemplateValue, depth: number): readonly string[] {
  const [first = '', ...rest] = linesOf(item, depth + 1);
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
}

function entryLines(key: string, value: TemplateValue, depth: number): readonly string[] {
  const name = scalarText(key);
  if (typeof value === 'string' && blockForm.test(value) && !/\n\n$|^\n/.test(value)) {
    const lines = escaped(value).replace(/\n$/, '').split('\n');
    return [`${name}: |${value.endsWith('\n') ? '' : '-'}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
  }
  const lines = linesOf(value, depth + 1);
  const isBlock = (isList(value) && value.length > 0) || (value instanceof TemplateMap && lines[0] !== '{}');
  if (isBlock) return [`${name}:`, ...lines.map((line) => (isList(value) ? line : `  ${line}`))];
  if (!(value instanceof Unknown && value.mayBeAbsent)) return [`${name}: ${lines.join(' ')}`];
  return [`{{ if has ${quotedText(value.code)} }}`, `${name}: ${lines.join(' ')}`, '{{ end }}'];
}

/** Returns a value as JSON; undefined if a part of it is unknown. */
export function jsonText(value: TemplateValue, indent = ''): string | undefined {
  return isKnown(value) ? jsonOf(value, indent, '\n') : undefined;
}

function jsonOf(value: TemplateValue, indent: string, line: string): string {
  const inner = `${line}${indent}`;
  const [before, between, after, colon] = indent === '' ? ['', ',', '', ':'] : [inner, `,${inner}`, line, ': '];
  if (isList(value))
    return value.length === 0
      ? '[]'
      : `[${before}${value.map((item) => jsonOf(item, indent, inner)).join(between)}${after}]`;
  if (value instanceof TemplateMap) {
    const entries = value.keys.map((key) => `${JSON.stringify(key)}${colon}${jsonOf(value.get(key), indent, inner)}`);
    return entries.length === 0 ? '{}' : `{${before}${entries.join(between)}${after}}`;
  }
  if (typeof value === 'bigint' || value instanceof OneOf || value instanceof Unknown) return printed(value);
  return JSON.stringify(value);
}

/** The maximum number of syntax nodes in parsed text. */
const maximumSize = 50_000;

/** Parses YAML text, whose actions are unknown values if `hasActions` is set; undefined if it has a syntax error or is too large. */
export function parsedYaml(text: string, hasActions: boolean): TemplateValue | undefined {
  const blanked = hasActions ? blank(text) : { text, blanks: [], placeholders: [], conditionals: [] };
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
    return [key.text, known] as const;
  });
  return new TemplateMap(
    entries,
    node.open ? (node.parts?.join(', ') ?? `entries ${mark} ${node.span.start}`) : undefined,
  );
}
