/** Recognizes the arguments of a command that are selectors, labels or label keys. */

import type { Catalogue, GroupKind, LabelKeyField } from '../../engine/catalogue/types.ts';
import type { Placeholder } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { anyKind, kindsOf } from './resources.ts';
import { LetterList, type Letters, part } from './source-map.ts';
import { type ArgumentKind, type CommandFact, type FlagFact, flagsWithValue, toolNamed } from './tool-flags.ts';
import { afterwards, type Command, type Word } from './word.ts';

/** An argument of a command that contains a selector, labels to set, or label keys. */
export interface Argument {
  readonly kind: ArgumentKind;
  readonly letters: Letters;
  readonly placeholders: readonly Placeholder[];
  /** The span of the flag, or of the argument itself if it has no flag. */
  readonly flag: Span;
  /** The program and its subcommand, such as `kubectl get`. */
  readonly command: string;
  readonly at: Span;
  /** The kinds of the objects to which the argument applies; empty if they are unknown. */
  readonly targets: readonly GroupKind[];
  readonly namespace?: Word;
  readonly allNamespaces: boolean;
  /** The name of the object whose labels are set, if the command names exactly one. */
  readonly named?: Word;
  /** The notation of a label key; absent if the key is the whole text. */
  readonly form?: LabelKeyField['form'];
}

/** A call of a supported program in a command: the program, and the words after it. */
export interface Call {
  readonly tool: Word;
  readonly facts: readonly CommandFact[];
  readonly rest: Command;
}

/** The calls in a text, and the arguments that do not belong to a call. */
export interface FoundInText {
  readonly calls: readonly Call[];
  readonly others: readonly Argument[];
}

export function callsIn(words: Command): readonly Call[] {
  const at = toolAt(words);
  const tool = words[at];
  const facts = tool && toolNamed(tool.letters.text);
  if (tool === undefined || facts === undefined) return [];
  const own = words.slice(at + (words[at + 1]?.letters.text === '--' ? 2 : 1));
  const dashes = own.findIndex(({ letters }) => letters.text === '--');
  const rest = unbundled(dashes === -1 ? own : own.slice(0, dashes));
  // An option followed by a comma, as in `-l, --selector=''`, occurs only in help texts.
  const calls = rest.some(({ letters }) => /^--?[\w-]{1,30},$/.test(letters.text)) ? [] : [{ tool, facts, rest }];
  // The words after `--` are a command themselves, as in `kubectl exec web -- kubectl get pods`.
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
    // The values of output options are combined; of several selectors, only the last one applies.
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

/** Whether a word belongs to a sentence rather than a command, as in `kubectl drain with --selector only evicts pods that match`. A command with a selector has few other operands. */
function isProse(value: Word, operands: readonly Word[]): boolean {
  const plain = (word: Word) => /^[a-z]+$/i.test(word.letters.text);
  return plain(value) && operands.filter(plain).length > 2;
}

/** Programs that run another program, whose command line they receive as arguments. */
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

/** Returns the index of a supported program among the words of a command: at the start, or after assignments, a prompt, or a program that runs other programs. */
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

/** Splits grouped short flags: `-Al app=web` becomes `-A -l app=web`. Only the last flag in a group can have a value, which may begin with a dash. */
function unbundled(words: Command): Command {
  const isLogs = words.some(({ letters }) => /^logs?$/.test(letters.text));
  const bundle = isLogs ? /^-[AwRitqhfp](?=[A-Za-z])/ : /^-[AwRitqh](?=[A-Za-z])/;
  const split: Word[] = [];
  for (const word of words) {
    let rest = word;
    const isValue = flagsWithValue.has(split.at(-1)?.letters.text ?? '');
    while (!isValue && bundle.test(rest.letters.text)) {
      split.push({ letters: part(rest.letters, 0, 2), placeholders: [] });
      rest = withoutFirstFlag(rest);
    }
    split.push(rest);
  }
  return split;
}

/** Returns the second flag of a group: `-l` of `-Al`. Its dash does not exist in the text. */
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

/** Returns the words that are neither flags nor values of flags. A completely unknown word before the first of them is assumed to stand for flags: `kubectl $FLAGS get pods`. */
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

export function isUnknown({ letters, placeholders: [first] }: Word): boolean {
  return first?.start === 0 && first.end === letters.text.length;
}

/** Returns the number of words that form the name of the command; -1 if the given words are a different command. */
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

/** Returns the last value of one of the given flags. */
export function givenFor(words: Command, flags: readonly string[]): Given | undefined {
  return allGiven(words, flags).at(-1);
}

/** Returns all values of the given flags: `-l x`, `-lx`, `--selector x`, `--selector=x`. */
export function allGiven(words: Command, flags: readonly string[]): readonly Given[] {
  const found: Given[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    const text = word?.letters.text ?? '';
    if (word === undefined) break;
    const next = words[index + 1];
    if (flags.includes(text)) {
      // If a flag follows instead of a value, the command is incomplete, or the text is not a command.
      if (next !== undefined && !/^-(?:-(?!-)|[a-zA-Z]$)/.test(next.letters.text))
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

/** Whether a value is attached to a short flag, as in `-lapp=web` (but not `-l,` in a help text). */
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
  // In `deploy/$NAME`, the kind is known although the name is not.
  const slash = text.indexOf('/');
  if (word.placeholders.some(({ start }) => slash === -1 || start < slash)) return [];
  return kindsOf(catalogue, slash === -1 ? text : text.slice(0, slash));
}

/** Returns the name of the object in `kubectl label pods web a=b` or `kubectl label pod/web a=b`; undefined unless there is exactly one name. */
function nameOperand(operands: readonly Word[]): Word | undefined {
  const names = operands.filter(({ letters }) => !/[=]|[\w.]-$/.test(letters.text));
  const [first, second, ...others] = names;
  if (first === undefined || others.length > 0) return undefined;
  const slash = first.letters.text.indexOf('/');
  if (slash === -1) return second;
  return second === undefined ? afterwards(first, slash + 1) : undefined;
}

type Assigned = Word & Pick<Argument, 'kind' | 'flag'>;

/** Returns the words that set or remove labels, as in `kubectl label pods web a=b c-`; they follow the words that name objects or files. */
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

export function wordSpan({ letters }: Pick<Word, 'letters'>): Span {
  return { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
}
