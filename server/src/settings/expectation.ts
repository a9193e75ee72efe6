/** Parses the statements under `expect:` in `.selector-lens.yaml`, which describe the expected selectors and connections. */

import type { Protocol } from '../engine/index.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';
import { report, type Shape, wrongType } from './shape.ts';

export type Statement = { readonly text: string; readonly span: Span } & (
  | { readonly kind: 'selects'; readonly owner: string; readonly selected: readonly string[] }
  | {
      readonly kind: 'reach';
      readonly from: string;
      readonly to: string;
      /** The port of the connection; undefined for all ports. */
      readonly port: { readonly protocol: Protocol; readonly number: number } | undefined;
      readonly isAllowed: boolean;
    }
);

type Parsed = Statement extends infer S ? (S extends Statement ? Omit<S, 'text' | 'span'> : never) : never;

const forms = "'A may reach B on 80', 'A may not reach B' or 'A selects exactly B, C and D'";

/** The shape of a statement, which can have one of several forms. */
export const statement: Shape<Statement> = {
  schema: { type: 'string' },
  read(node, place, reading) {
    if (node.kind !== 'scalar' || node.type === 'null') return wrongType(node, place, localize`a statement`, reading);
    const parsed = parseStatement(node.text);
    if (parsed !== undefined) return { ...parsed, text: node.text, span: node.span };
    return report(reading, 'wrong-value', node.span, localize`\`${place}\` must be a statement such as ${forms}.`);
  },
};

function parseStatement(text: string): Parsed | undefined {
  const [subject, ...words] = text.split(' ').filter((word) => word !== '');
  if (subject === undefined) return undefined;
  const verb = (...expected: readonly string[]) =>
    expected.every((word, index) => words[index] === word) ? words.slice(expected.length) : undefined;
  const listed = verb('selects', 'exactly');
  if (listed !== undefined)
    return listed.length === 0 ? undefined : { kind: 'selects', owner: subject, ...listOf(listed) };
  const denied = verb('may', 'not', 'reach');
  const [to, on, port, ...more] = denied ?? verb('may', 'reach') ?? [];
  if (to === undefined || more.length > 0 || (on !== undefined && (on !== 'on' || port === undefined)))
    return undefined;
  const read = port === undefined ? undefined : portOf(port);
  if (port !== undefined && read === undefined) return undefined;
  return { kind: 'reach', from: subject, to, port: read, isAllowed: denied === undefined };
}

/** Parses a list such as `B, C and D`; the word `nothing` is the empty list. */
function listOf(words: readonly string[]): { readonly selected: readonly string[] } {
  if (words.length === 1 && words[0] === 'nothing') return { selected: [] };
  const names = words.filter((word) => word !== 'and').map((word) => (word.endsWith(',') ? word.slice(0, -1) : word));
  return { selected: names.filter((name) => name !== '') };
}

/** Parses `5432`, or a port with its protocol such as `53/UDP`. */
function portOf(text: string): { readonly protocol: Protocol; readonly number: number } | undefined {
  const [, digits = '', word = 'TCP'] = /^(\d{1,5})(?:\/(TCP|UDP|SCTP))?$/.exec(text) ?? [];
  const number = Number(digits);
  // The pattern ensures that the word is a protocol.
  return number >= 1 && number <= 65_535 ? { protocol: word as Protocol, number } : undefined;
}
