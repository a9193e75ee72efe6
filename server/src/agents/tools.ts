/** The tools that agents call: the commands that answer questions, with schemas for their inputs. */

import { commands } from '../cli/commands/all.ts';
import type { Command, Option, ToolFacts } from '../cli/commands/command.ts';

/** The subset of JSON Schema that the inputs need. */
interface Schema {
  readonly type: 'object' | 'string' | 'boolean' | 'integer' | 'array' | readonly ['string', 'null'];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** A command that agents can call as a tool. */
export interface Tool {
  /** The name of the command, with underscores. */
  readonly name: string;
  /** The summary of the command, without its period. */
  readonly title: string;
  /** What the tool answers and when to call it, for a language model. */
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly command: Command;
  readonly facts: ToolFacts;
}

/** The maximum number of items in a list of the input. */
export const mostWords = 200;

/** Limits on the number of items in each list of an answer: by default, and at most. */
export const itemLimits = { usual: 20, most: 500 } as const;

/** Returns the name of a command or option in inputs, with underscores instead of hyphens. */
export function inputName(name: string): string {
  return name.replaceAll('-', '_');
}

/** An explanation of the truth values in answers. */
const truth =
  'Answers are "yes", "no" or "maybe"; "maybe" and "unknown" mean that the files do not decide it, for example because a template or placeholder does.';

/** Every tool, in the order of the commands. */
export const tools: readonly Tool[] = commands.flatMap((command) =>
  command.tool === undefined ? [] : [toolOf(command, command.tool)],
);

function toolOf(command: Command, facts: ToolFacts): Tool {
  const { name, summary, operand } = command;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  const operands = Object.entries(facts.operands ?? {});
  for (const [each, description] of operands) properties[each] = { type: 'string', description };
  if (operand?.completes === 'paths' && facts.operands === undefined && facts.proposal === undefined)
    properties['paths'] = {
      type: 'array',
      items: { type: 'string' },
      maxItems: mostWords,
      description:
        'Files, folders, kustomizations and charts, relative to the root; the whole root by default. The folder of an overlay selects what the overlay builds, and a folder with GitOps objects also what they apply.',
    };
  if (facts.proposal !== undefined) {
    properties['files'] = proposedFiles(facts.proposal);
    required.push('files');
  }
  for (const option of facts.options.map((each) => optionOf(command, each))) {
    properties[inputName(option.name)] = schemaOf(option);
    if (option.required) required.push(inputName(option.name));
  }
  const [first] = operands;
  if (first !== undefined) required.push(first[0]);
  if (facts.lists.length > 0)
    properties['limit'] = {
      type: 'integer',
      minimum: 1,
      maximum: itemLimits.most,
      description: `The maximum number of items in each list; ${itemLimits.usual} by default, and fewer if the answer would be longer than 4,000 bytes. "more" counts the others.`,
    };
  const left = facts.details === undefined ? '' : `Also return ${facts.details.join(', ')}. `;
  properties['details'] = {
    type: 'boolean',
    description: `${left}Do not shorten long texts and the lists inside of items.`,
  };
  return {
    name: inputName(name),
    title: summary.replace(/\.$/, ''),
    description: `${summary} ${facts.use} ${truth}`,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    command,
    facts,
  };
}

function optionOf({ name, options }: Command, wanted: string): Option {
  const found = options.find((each) => each.name === wanted);
  if (found === undefined) throw new Error(`The command ${name} has no option ${wanted}.`);
  return found;
}

function schemaOf({ value, choices, several, description, input = description }: Option): Schema {
  const text = input
    .replaceAll('`', "'")
    .replaceAll(/'--([a-z-]+)'/g, (_, name: string) => `'${inputName(name)}'`)
    .replace(' Can be repeated.', '');
  if (value === undefined) return { type: 'boolean', description: text };
  const word: Schema = { type: 'string', ...(choices && { enum: choices }) };
  if (several) return { type: 'array', items: word, maxItems: mostWords, description: text };
  return value === 'PORT' ? { type: 'integer', description: text } : { ...word, description: text };
}

function proposedFiles(description: string): Schema {
  const path: Schema = { type: 'string', description: 'The path of the file, relative to the root.' };
  const text: Schema = {
    type: ['string', 'null'],
    description: 'The complete proposed text; null to delete the file.',
  };
  return {
    type: 'array',
    description,
    maxItems: mostWords,
    items: { type: 'object', properties: { path, text }, required: ['path', 'text'], additionalProperties: false },
  };
}
