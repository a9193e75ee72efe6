/** Parses command lines into paths, options and flags. */

import { nearestWord } from '../../settings/shape.ts';
import type { Arguments, Command, Option } from '../commands/command.ts';

/** The error of an invalid command line; its message is one sentence for standard error. */
export class UsageError extends Error {}

/** Parses `--name value`, `--name=value`, `--flag`, `-l value`, `-lvalue` and paths; all words after `--` are paths. Throws a UsageError for an invalid command line. */
export function readArguments(words: readonly string[], command: Command): Arguments {
  const paths: string[] = [];
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const flags = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      paths.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      paths.push(word);
      continue;
    }
    const { written, attached } = taken(word, command);
    const option = optionOf(command, written);
    if (option.value === undefined) {
      if (attached !== undefined) throw new UsageError(`The option '--${option.name}' must not have a value.`);
      flags.add(option.name);
      continue;
    }
    const value = attached ?? words[++index];
    if (value === undefined) throw new UsageError(`The option '--${option.name}' must have a value.`);
    const formats = command.options.find(({ name }) => name === 'format')?.choices ?? [];
    if (option.name === 'output' && formats.includes(value))
      throw new UsageError(`The option '--output' must name a file; use '--format ${value}' for the format.`);
    if (option.choices !== undefined && !option.choices.includes(value)) throw wrongChoice(option, value);
    if (option.several) lists.set(option.name, [...(lists.get(option.name) ?? []), value]);
    else values.set(option.name, value);
  }
  const most = command.operand === undefined ? 0 : (command.operand.most ?? Number.POSITIVE_INFINITY);
  const extra = paths[most];
  if (extra !== undefined) {
    const allowed = most === 0 ? 'nothing' : `only ${command.operand?.shown.replaceAll(/[[\]]/g, '')}`;
    throw new UsageError(`'${command.name}' accepts ${allowed}; unexpected '${extra}'.`);
  }
  return { paths, values, lists, flags };
}

/** Splits a word into an option and the value attached to it: `--format=json`, `-l=app`, or `-lapp` as in kubectl. */
function taken(word: string, { options }: Command): { readonly written: string; readonly attached?: string } {
  const isShort = !word.startsWith('--') && options.some((each) => each.letter === word[1] && each.value !== undefined);
  if (isShort && word.length > 2) return { written: word.slice(0, 2), attached: word.slice(word[2] === '=' ? 3 : 2) };
  const equals = word.indexOf('=');
  return equals === -1 ? { written: word } : { written: word.slice(0, equals), attached: word.slice(equals + 1) };
}

interface ForeignOption {
  readonly hint: string;
  /** The option that the hint mentions; the hint is only for commands that have it. */
  readonly needs?: string;
}

const pathsAreOperands: ForeignOption = { hint: 'Specify paths without an option; folders include their subfolders.' };
const formatIsOurs: ForeignOption = {
  hint: "Use '--format' for the format, and '>' to write to a file.",
  needs: 'format',
};
const ours = (name: string): ForeignOption => ({ hint: `Use '--${name}' here.`, needs: name });
const noCluster: ForeignOption = { hint: 'No cluster is contacted: only files are read.' };
const rendered: ForeignOption = { hint: "Pipe the output of the tool that renders, and specify the path '-'." };
const skipPaths: ForeignOption = { hint: "Use '--exclude' to leave out paths.", needs: 'exclude' };
const skipRules: ForeignOption = { hint: "Use '--exclude-rule' to leave out rules.", needs: 'exclude-rule' };

/** Options of kubectl, kustomize, helm, kubeconform and kube-linter, as they are written on their command lines. */
const optionsOfOtherTools: ReadonlyMap<string, ForeignOption> = new Map([
  ...['-f', '--filename', '-k', '--kustomize', '-R', '--recursive'].map((each) => [each, pathsAreOperands] as const),
  ...['-o', '--output', '-output'].map((each) => [each, formatIsOurs] as const),
  ...['--context', '--kubeconfig', '-A', '--all-namespaces'].map((each) => [each, noCluster] as const),
  ...['--set', '--values', '--enable-helm'].map((each) => [each, rendered] as const),
  ['--silent', ours('quiet')],
  ...['--select', '--only', '--include'].map((each) => [each, ours('rule')] as const),
  ...['--disable', '--ignore', '--extend-ignore'].map((each) => [each, ours('exclude-rule')] as const),
  ...['--summary', '-summary'].map((each) => [each, ours('statistics')] as const),
  ...['-strict', '--strict'].map((each) => [each, { hint: "Use '--level strict'.", needs: 'level' }] as const),
  ...['-kubernetes-version', '--kubernetes-version', '--kube-version'].map(
    (each) => [each, { hint: "Set 'kubernetesVersion' in .selector-lens.yaml.", needs: 'config' }] as const,
  ),
  ...['--ignore-paths', '-ignore-filename-pattern', '--ignore-filename-pattern'].map(
    (each) => [each, skipPaths] as const,
  ),
  ...['--skip', '-skip'].map((each) => [each, skipRules] as const),
]);

function optionOf({ name, options }: Command, written: string): Option {
  const isLong = written.startsWith('--');
  const found = options.find((each) => (isLong ? `--${each.name}` === written : `-${each.letter}` === written));
  if (found !== undefined) return found;
  const names = options.map((each) => each.name);
  const answer = optionsOfOtherTools.get(written);
  if (answer !== undefined && (answer.needs === undefined || names.includes(answer.needs)))
    throw new UsageError(`Unknown option '${written}'. ${answer.hint}`);
  const meant = nearestWord(written.replace(/^-+/, ''), names);
  const hint = meant === undefined ? `'selector-lens ${name} --help' shows all.` : `Did you mean '--${meant}'?`;
  throw new UsageError(`Unknown option '${written}'. ${hint}`);
}

function wrongChoice({ name, choices = [] }: Option, value: string): UsageError {
  const isPath = name === 'format' && /[./]/.test(value);
  const hint = isPath ? ` ${pathsAreOperands.hint}` : didYouMean(value, choices);
  return new UsageError(`The option '--${name}' must be one of ${choices.join(', ')}, not '${value}'.${hint}`);
}

/** Returns a suggestion of the known word most similar to `word`, to append to a sentence; empty if no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearestWord(word, known);
  return meant === undefined ? '' : ` Did you mean '${meant}'?`;
}

/** Returns the value of an option with a fixed set of values; the first of them by default. */
export function choice<T extends string>(given: Arguments, name: string, allowed: readonly [T, ...T[]]): T {
  const value = given.values.get(name);
  return allowed.find((each) => each === value) ?? allowed[0];
}
