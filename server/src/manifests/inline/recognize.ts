/** Recognizes the arguments of a command that are selectors, labels or label keys. */

import type { Catalogue, GroupKind, LabelKeyField } from '../../engine/catalogue/types.ts';
import type { Placeholder } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { anyKind, kindsOf } from './resources.ts';
import { LetterList, type Letters, part } from './source-map.ts';
import { type ArgumentKind, type CommandFact, type FlagFact, flagsWithValue, toolNamed } from './tools.ts';
import { afterwards, type Command, type Word } from './word.ts';

/** An argument that is a selector, an assignment of labels, or label keys. */
export interface Argument {
  readonly kind: ArgumentKind;
  readonly letters: Letters;
  readonly placeholders: readonly Placeholder[];
  /** The flag, or the argument itself if it has no flag. */
  readonly flag: Span;
  /** The program with its command: `kubectl get`. */
  readonly command: string;
  readonly at: Span;
  /** Empty if they are unknown. */
  readonly targets: readonly GroupKind[];
  readonly namespace?: Word;
  readonly allNamespaces: boolean;
  /** Of labels: the only name of the objects that get them. */
  readonly named?: Word;
  /** How a label key is written; absent if it is the whole text. */
  readonly form?: LabelKeyField['form'];
}

/** A supported program that a command calls, with the words behind it. */
export interface Call {
  readonly tool: Word;
  readonly facts: readonly CommandFact[];
  readonly rest: Command;
}

/** The calls of a text, and the arguments that are in none. */
export interface FoundInText {
  readonly calls: readonly Call[];
  readonly others: readonly Argument[];
}

/** Returns the calls of supported programs in one command. */
export function callsIn(words: Command): readonly Call[] {
  const at = toolAt(words);
  const tool = words[at];
  const facts = tool && toolNamed(tool.letters.text);
  if (tool === undefined || facts === undefined) return [];
  const own = words.slice(at + (words[at + 1]?.letters.text === '--' ? 2 : 1));
  const dashes = own.findIndex(({ letters }) => letters.text === '--');
  const rest = unbundled(dashes === -1 ? own : own.slice(0, dashes));
  // `-l, --selector=''`: a help text.
  const calls = rest.some(({ letters }) => /^--?[\w-]{1,30},$/.test(letters.text)) ? [] : [{ tool, facts, rest }];
  // `kubectl exec web -- kubectl get pods`: the words after `--` are a command.
  return dashes === -1 ? calls : [...calls, ...callsIn(own.slice(dashes + 1))];
}

/** Returns the selectors, labels and label keys among the arguments of a call. */
export function argumentsOfCall(catalogue: Catalogue, { tool, facts, rest }: Call): readonly Argument[] {
  const plain = positionals(rest);
  const found = facts.map((fact) => ({ fact, length: matchedWords(fact, plain) })).find(({ length }) => length >= 0);
  if (found === undefined) return [];
  const { fact, length } = found;
  const operands = plain.slice(length);
  const all = rest.some(({ letters }) => /^(?:-A|--all-namespaces(?:=true)?)$/.test(letters.text));
  const namespace = givenFor(rest, ['-n', '--namespace']);
  const command = {
    command: [tool, ...plain.slice(0, length)].map(({ letters }) => letters.text).join(' '),
    at: wordSpan(tool),
    ...(namespace && { namespace: namespace.value }),
    allNamespaces: all,
  };
  const named = () => namedKinds(catalogue, operands[0]);
  const flagged = fact.flags.flatMap((flag) => {
    const all = allGiven(rest, flag.flags).filter(({ value }) => !isProse(value, operands));
    // Columns add up; of several selectors the last one applies.
    const meant = flag.kind === 'labelKeys' || flag.kind === 'output' ? all : all.slice(-1);
    const targets = () => targetsOf(catalogue, flag, named);
    return meant.map((given) => {
      return { ...command, kind: flag.kind, targets: targets(), flag: given.flag, ...given.value };
    });
  });
  const only = nameOperand(operands);
  const set = assigned(fact, operands).map((word) => {
    const targets = word.kind === 'selector' ? kindsOf(catalogue, 'pods.') : named();
    return { ...command, ...word, targets, ...(only && { named: only }) };
  });
  return [...flagged, ...set];
}

/** Returns the arguments of some flags of any program. */
export function argumentsFor(
  catalogue: Catalogue,
  words: Command,
  flags: readonly FlagFact[],
  command: string,
): readonly Argument[] {
  return flags.flatMap((flag): readonly Argument[] => {
    const given = givenFor(words, flag.flags);
    if (given === undefined) return [];
    const targets = targetsOf(catalogue, flag, () => []);
    return [
      { command, at: given.flag, kind: flag.kind, targets, flag: given.flag, ...given.value, allNamespaces: true },
    ];
  });
}

/**
 * Whether a word belongs to a sentence, as in `kubectl drain with --selector only evicts pods that match`. A command
 * with a selector has few other operands.
 */
function isProse(value: Word, operands: readonly Word[]): boolean {
  const plain = (word: Word) => /^[a-z]+$/i.test(word.letters.text);
  return plain(value) && operands.filter(plain).length > 2;
}

/** Programs that call another program with their arguments. */
const wrappers = new Set([
  ...[
    'sudo',
    'time',
    'exec',
    'env',
    'command',
    'then',
    'do',
    'else',
    'if',
    'elif',
    'while',
    'until',
    '!',
    '{',
    'nohup',
  ],
  ...['watch', 'xargs', 'timeout', 'eval', 'run', 'RUN', 'CMD', 'ENTRYPOINT', 'ssh', 'docker', 'podman', 'minikube'],
  ...['microk8s', 'k3s', 'retry', 'try', '$', '%', '+', 'bash', 'sh', 'export', 'local', 'readonly', 'assert'],
  ...[
    'desc',
    'alias',
    '-',
    '@',
    'PS',
    'HEALTHCHECK',
    '➜',
    'trap',
    'wait_for',
    'cross-env',
    'wsl',
    'call',
    'su',
    'chroot',
    'nsenter',
    'k0s',
    'sleep',
    'kubectx',
    'echo',
    'nice',
    'parallel',
    'run_cmd',
  ],
]);

/** Returns the index of a supported program: at the start, after assignments, a prompt, or a program that calls others. */
function toolAt(words: Command): number {
  const begin = /^(?::{0,2}|[?+!])=$/.test(words[1]?.letters.text ?? '') ? 2 : 0;
  const first = words.findIndex(({ letters }, index) => {
    return index >= begin && !/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(letters.text);
  });
  if (first === -1) return -1;
  const tool = words.findIndex(({ letters }, index) => index >= first && toolNamed(letters.text) !== undefined);
  if (tool <= first || /[$#%>{\p{So}\u276f\u00bb\u03bb]$/u.test(words[tool - 1]?.letters.text ?? '')) return tool;
  return wrappers.has(words[first]?.letters.text ?? '') ? tool : -1;
}

/** Splits joined short flags: `-Al app=web` is `-A -l app=web`. Only the last one can have a value. */
function unbundled(words: Command): Command {
  const isLogs = words.some(({ letters }) => /^logs?$/.test(letters.text));
  const bundle = isLogs ? /^-[AwRitqhfp](?=[A-Za-z])/ : /^-[AwRitqh](?=[A-Za-z])/;
  return words.flatMap((word) => {
    const split: Word[] = [];
    let rest = word;
    while (bundle.test(rest.letters.text)) {
      split.push({ letters: part(rest.letters, 0, 2), placeholders: [] });
      rest = withoutFirstFlag(rest);
    }
    return [...split, rest];
  });
}

/** `-l` of `-Al`: the dash of the second flag is not in the text. */
function withoutFirstFlag(word: Word): Word {
  const { letters, placeholders } = afterwards(word, 2);
  const list = new LetterList();
  list.add('-', letters.startOf(0), letters.startOf(0));
  list.copy(letters, 0, letters.text.length);
  return {
    letters: list,
    placeholders: placeholders.map((placeholder) => ({
      ...placeholder,
      start: placeholder.start + 1,
      end: placeholder.end + 1,
    })),
  };
}

/** Returns the words that are neither flags nor values of flags. A completely unknown word before them counts as flags: `kubectl $FLAGS get pods`. */
export function positionals(words: Command): readonly Word[] {
  const found: Word[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    const text = word?.letters.text ?? '';
    if (word === undefined) break;
    if (found.length === 0 && isUnknown(word)) continue;
    if (!text.startsWith('-') || text === '-') found.push(word);
    else if (flagsWithValue.has(text)) index++;
    else if (text === '-f' && !/^logs?$/.test(found[0]?.letters.text ?? '')) index++;
  }
  return found;
}

/** Whether a placeholder makes up the whole word. */
export function isUnknown({ letters, placeholders: [first] }: Word): boolean {
  return first?.start === 0 && first.end === letters.text.length;
}

/** The number of words that name the command; -1 if it is another command. */
function matchedWords({ words }: CommandFact, given: readonly Word[]): number {
  const parts = words === '' ? [] : words.split(' ');
  const matches = parts.every((each, index) => {
    const text = given[index]?.letters.text;
    return text !== undefined && (each === '*' || each.split('|').includes(text));
  });
  return matches ? parts.length : -1;
}

export interface Given {
  readonly flag: Span;
  readonly value: Word;
}

/** Returns the last value of a flag. */
export function givenFor(words: Command, flags: readonly string[]): Given | undefined {
  return allGiven(words, flags).at(-1);
}

/** The values of a flag: `-l x`, `-lx`, `--selector x`, `--selector=x`. */
export function allGiven(words: Command, flags: readonly string[]): readonly Given[] {
  const found: Given[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    const text = word?.letters.text ?? '';
    if (word === undefined) break;
    const next = words[index + 1];
    if (flags.includes(text)) {
      // A flag in place of a value: the command is incomplete, or is not a command.
      if (next !== undefined && !/^-(?:-|[a-zA-Z]$)/.test(next.letters.text))
        found.push({ flag: wordSpan(word), value: next });
      index++;
      continue;
    }
    const flag = flags.find((each) => text.startsWith(`${each}=`) || isAttached(each, text));
    if (flag === undefined) {
      if (flagsWithValue.has(text)) index++;
      continue;
    }
    const start = flag.length + (text[flag.length] === '=' ? 1 : 0);
    const span = { start: word.letters.startOf(0), end: word.letters.endOf(flag.length - 1) };
    found.push({ flag: span, value: afterwards(word, start) });
  }
  return found;
}

/** `-lapp=web`, but not `-l,` in a help text. */
function isAttached(flag: string, text: string): boolean {
  if (flag.length !== 2 || !text.startsWith(flag)) return false;
  if (flag !== '-l') return /^-n[a-z0-9]|^-L[A-Za-z0-9]|^-o[cgj]|^-[fkp][\w./{]/.test(text);
  return /^-l[A-Za-z0-9!].*[=(]/s.test(text);
}

function targetsOf(catalogue: Catalogue, { over }: FlagFact, named: () => readonly GroupKind[]): readonly GroupKind[] {
  if (over === 'named') return named();
  if (over === 'any') return [anyKind];
  return over === 'unknown' ? [] : over.flatMap((each) => kindsOf(catalogue, each));
}

function namedKinds(catalogue: Catalogue, word: Word | undefined): readonly GroupKind[] {
  if (word === undefined) return [];
  const { text } = word.letters;
  // For `deploy/$NAME`, the kind is known.
  const slash = text.indexOf('/');
  if (word.placeholders.some(({ start }) => slash === -1 || start < slash)) return [];
  return kindsOf(catalogue, slash === -1 ? text : text.slice(0, slash));
}

/** Returns the name in `kubectl label pods web a=b` and `kubectl label pod/web a=b`; undefined if there are several or none. */
function nameOperand(operands: readonly Word[]): Word | undefined {
  const names = operands.filter(({ letters }) => !/[=]|[\w.]-$/.test(letters.text));
  const [first, second, ...others] = names;
  if (first === undefined || others.length > 0) return undefined;
  const slash = first.letters.text.indexOf('/');
  if (slash === -1) return second;
  return second === undefined ? afterwards(first, slash + 1) : undefined;
}

type Assigned = Word & Pick<Argument, 'kind' | 'flag'>;

/** `kubectl label pods web a=b c-`: the words that set or remove labels, after the words that name objects or files. */
function assigned({ assignments }: CommandFact, operands: readonly Word[]): readonly Assigned[] {
  if (assignments === undefined) return [];
  return operands.flatMap((word, index): readonly Assigned[] => {
    const { text } = word.letters;
    if (text.includes('=')) return [{ ...word, kind: assignments, flag: wordSpan(word) }];
    if (index === 0 || assignments !== 'labels' || !/[\w.]-$/.test(text)) return [];
    const letters = part(word.letters, 0, text.length - 1);
    return [{ ...word, letters, kind: 'labelKeys', flag: wordSpan(word) }];
  });
}

/** Returns the span of a word in the file. */
export function wordSpan({ letters }: Pick<Word, 'letters'>): Span {
  return { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
}
