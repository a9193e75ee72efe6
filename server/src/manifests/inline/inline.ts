/** Finds the selectors, labels and label keys in a text: in arguments of commands, in URLs, or on lines that contain only a selector. */

import type { Catalogue, LabelField, SelectorFact } from '../../engine/catalogue/types.ts';
import { type Placeholder, parseFieldSelector, parseSelector, withoutLookalikes } from '../../engine/index.ts';
import type { LabelEntry, LabelKeySite, LabelSite, ManifestObject, Written } from '../model.ts';
import { phrases } from '../placeholders/placeholder-pattern.ts';
import { withSelectors } from '../sites/sites.ts';
import { type Argument, argumentsOfCall, callsIn, type FoundInText } from './command-arguments.ts';
import { commandsIn, execForms } from './command-lines.ts';
import type { Host } from './host-language.ts';
import { codeParts } from './markdown.ts';
import { outputKeys } from './output-keys.ts';
import { patchedParts } from './patches.ts';
import { type CommandWord, wordsOf } from './paths-and-names.ts';
import { anyKind } from './resources.ts';
import type { Budget } from './shell.ts';
import { type Letters, part, verbatim } from './source-map.ts';
import { selectorsInUrls } from './urls.ts';
import { foundInYaml, type ReadonlyTrees } from './yaml-strings.ts';

/** The selectors, labels and other words in the commands of a text. */
export interface Inline {
  /** The commands with selectors or labels. Each command is represented by an object. */
  readonly objects: readonly ManifestObject[];
  /** Other words of the commands that have a meaning, such as paths and namespaces. */
  readonly words: readonly CommandWord[];
}

interface Known {
  /** The syntax trees that are already known for documents of a YAML text. */
  readonly trees?: ReadonlyTrees | undefined;
  /** A word that occurs once in the text: only the commands and selectors that contain it are found. */
  readonly holding?: string | undefined;
}

/** Finds the selectors, labels and other words with a meaning in the commands of a text. */
export function readInline(text: string, host: Host, catalogue: Catalogue, known: Known = {}): Inline {
  const budget: Budget = { left: Math.min(100_000 + 2 * text.length, maximumSteps) };
  const { calls, others } = holding(foundIn(verbatim(text), host, catalogue, budget, known), known.holding);
  const found = calls.flatMap((call) => argumentsOfCall(catalogue, call));
  const words = inOrder(calls.flatMap(wordsOf), ({ letters }) => letters.startOf(0));
  const patched = words.flatMap((word) => (word.is === 'patch' ? patchedParts(word, catalogue) : []));
  const all = inOrder([...found, ...others, ...selectorsInUrls(text, catalogue)], argumentStart);
  const objects = all.flatMap((each) => objectOf(each, text, host));
  return { objects: [...objects, ...patched], words };
}

/** Returns the calls and arguments that contain a word. */
function holding({ calls, others }: FoundInText, word: string | undefined): FoundInText {
  if (word === undefined) return { calls, others };
  const holdsWord = ({ letters }: { readonly letters: Letters }) => letters.text.includes(word);
  return { calls: calls.filter(({ tool, rest }) => [tool, ...rest].some(holdsWord)), others: others.filter(holdsWord) };
}

/** Returns the start offset of an argument; for an empty argument, the start offset of its flag. */
function argumentStart({ letters, flag }: Argument): number {
  return letters.text === '' ? flag.start : letters.startOf(0);
}

/** Sorts elements by their position in the text, and removes elements with the same start offset as an earlier one. */
function inOrder<Found>(all: readonly Found[], startOf: (each: Found) => number): readonly Found[] {
  const byStart = new Map<number, Found>();
  for (const each of all.toSorted((a, b) => startOf(a) - startOf(b))) {
    const start = startOf(each);
    if (!byStart.has(start)) byStart.set(start, each);
  }
  return [...byStart.values()];
}

/** Finds the selectors and labels in the commands of a text; each command is represented by an object. */
export function inlineObjects(
  text: string,
  host: Host,
  catalogue: Catalogue,
  known: Known = {},
): readonly ManifestObject[] {
  return readInline(text, host, catalogue, known).objects;
}

/** The kind of an object that represents a selector alone on its line, without a command. */
const noCommand = 'selector';

export function isSelectorLine({ inline, kind }: ManifestObject): boolean {
  return inline === true && kind === noCommand;
}

/** The limit on the work for one text, which corresponds to about one second; texts that people write need far less. */
const maximumSteps = 3_000_000;

function foundIn(letters: Letters, host: Host, catalogue: Catalogue, budget: Budget, known: Known): FoundInText {
  const { holding: word } = known;
  switch (host) {
    case 'markdown': {
      const parts = codeParts(letters.text).flatMap(({ start, end, host: inner }) => {
        const code = letters.text.slice(start, end);
        if (word !== undefined && !code.includes(word)) return [];
        return foundIn(verbatim(code, letters.startOf(start)), inner, catalogue, budget, { holding: word });
      });
      return { calls: parts.flatMap(({ calls }) => calls), others: parts.flatMap(({ others }) => others) };
    }
    case 'yaml':
      return foundInYaml(letters, catalogue, budget, known);
    case 'selector':
      return { calls: [], others: aloneOnLines(letters) };
    default: {
      const commands = [
        ...commandsIn(letters, {
          dialect: host === 'makefile' ? 'make' : 'shell',
          budget,
          depth: host === 'text' ? 1 : 0,
          holding: word,
        }),
        ...(host === 'dockerfile' ? execForms(letters) : []),
      ];
      return { calls: commands.flatMap(callsIn), others: [] };
    }
  }
}

/** Returns the selectors of a scratch document, in which each line is either a selector or a comment. */
function aloneOnLines(letters: Letters): readonly Argument[] {
  let next = 0;
  return letters.text.split('\n').flatMap((line): readonly Argument[] => {
    const begin = next;
    next += line.length + 1;
    const comment = /(?:^|\s)#/.exec(line);
    const text = line.slice(0, comment?.index ?? line.length);
    const start = begin + text.length - text.trimStart().length;
    const end = begin + text.trimEnd().length;
    if (end <= start) return [];
    const span = { start: letters.startOf(start), end: letters.startOf(start) };
    const inside = part(letters, start, end);
    const command = { command: noCommand, at: span, flag: span, targets: [anyKind], allNamespaces: true };
    return [{ ...command, kind: 'selector', letters: inside, placeholders: [] }];
  });
}

/** Returns the object that represents a command with a selector or labels; none if too little of the command is known. */
function objectOf(argument: Argument, fileText: string, host: Host): readonly ManifestObject[] {
  const { letters, kind, at, command, namespace } = argument;
  const placeholders = placeholdersIn(letters.text, argument.placeholders, host);
  const [first] = placeholders;
  const isUnknown = first !== undefined && first.end - first.start === letters.text.trim().length;
  const isEmpty = letters.text.trim() === '';
  // kubectl accepts an empty field selector as an argument; it selects everything.
  if (isEmpty && (kind !== 'fieldSelector' || argument.flag.end === argument.flag.start)) return [];
  if (isUnknown && kind !== 'output') return [];
  if (kind === 'selector' && placeholders.length > 0 && !parseSelector(letters.text, placeholders).ok) return [];
  if (kind === 'fieldSelector' && placeholders.length > 0 && !parseFieldSelector(letters.text).ok) return [];
  const span = isEmpty ? argument.flag : { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
  const given =
    namespace &&
    writtenOf(namespace.letters, placeholdersIn(namespace.letters.text, namespace.placeholders, host).length > 0);
  const object: ManifestObject = {
    group: '',
    version: '',
    kind: command,
    kindSpan: at,
    ...(given && { namespace: given }),
    ...(argument.named?.placeholders.length === 0 && { name: writtenOf(argument.named.letters, false) }),
    span: { start: Math.min(at.start, span.start), end: Math.max(at.end, span.end) },
    labelSites: [],
    selectorSites: [],
    templates: [],
    labelKeySites: [],
    inherited: [],
    forCluster: false,
    inline: true,
  };
  if (kind === 'labels' || kind === 'annotations')
    return [{ ...object, labelSites: [labelSiteOf(argument, kind, host)] }];
  if (kind === 'labelKeys') return [{ ...object, labelKeySites: labelKeysOf(argument, host) }];
  if (kind === 'output') {
    // Placeholders that begin with `{{` are part of the Go template that kubectl evaluates, so they are not replaced.
    const plain = withFilled(
      letters.text,
      argument.placeholders.filter(({ id }) => !id.startsWith('{{')),
    );
    const labelKeySites = outputKeys(letters, plain, argument.targets[0], fileText);
    return labelKeySites.length === 0 ? [] : [{ ...object, labelKeySites }];
  }
  const site = withSelectors({
    path: argument.flag.end > argument.flag.start && kind === 'fieldSelector' ? 'fieldSelector' : 'selector',
    fact: factOf(argument),
    keySpan: argument.flag,
    span,
    state: 'present',
    entries: [],
    expressions: [],
    text: writtenOf(letters, false),
    open: kind === 'fieldSelector' && placeholders.length > 0,
    data: letters.text,
    placeholders,
  });
  return [{ ...object, selectorSites: [site] }];
}

function factOf({ kind, targets, allNamespaces }: Argument): SelectorFact {
  return {
    path: kind,
    form: kind === 'fieldSelector' ? 'fieldSelectorString' : 'string',
    targets,
    reach: allNamespaces ? 'all' : 'own',
    absent: 'all',
    null: 'all',
    empty: 'all',
    mustMatchTemplate: false,
    immutable: false,
    plain: true,
  };
}

function writtenOf(letters: Letters, isUnknown: boolean): Written {
  const { text } = letters;
  return {
    text,
    value: isUnknown ? { unknown: text } : text,
    type: 'string',
    style: 'plain',
    span: { start: letters.startOf(0), end: letters.endOf(text.length - 1) },
    letters,
  };
}

/** Returns the keys of the labels of the command's targets in an argument such as `app,tier`. */
function labelKeysOf({ letters, placeholders, targets: [of], form }: Argument, host: Host): readonly LabelKeySite[] {
  const plain = withoutPlaceholders(letters.text, placeholders, host);
  return [...plain.matchAll(/[^,]+/g)].map(({ 0: key, index }) => {
    const place = { path: 'labelKeys', ...(of && { of }), ...(form && { form }) };
    return { path: 'labelKeys', place, key: writtenPart(letters, plain, index, index + key.length) };
  });
}

/** Returns the labels that the command sets in an argument such as `app=web,tier=db`, or the annotation, whose value can contain commas. */
function labelSiteOf(
  { letters, placeholders, targets, flag }: Argument,
  holds: LabelField['holds'],
  host: Host,
): LabelSite {
  const span = { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
  const [of] = targets;
  const plain = withoutPlaceholders(letters.text, placeholders, host);
  const entries = [...plain.matchAll(holds === 'labels' ? /[^,]+/g : /.+/gs)].flatMap(
    ({ 0: entry, index }): readonly LabelEntry[] => {
      const equals = entry.indexOf('=');
      if (equals < 1) return [];
      const at = index + equals;
      const end = index + entry.length;
      const empty: Written = {
        text: '',
        value: '',
        type: 'string',
        style: 'plain',
        span: { start: span.end, end: span.end },
      };
      return [
        {
          key: writtenPart(letters, plain, index, at),
          value: at + 1 === end ? empty : writtenPart(letters, plain, at + 1, end),
          merged: false,
          conditional: false,
        },
      ];
    },
  );
  return {
    path: holds,
    place: { path: holds, holds, ...(of && { of }) },
    keySpan: flag,
    span,
    entries,
    open: false,
  };
}

/** The character that replaces each character of a placeholder, so that commas and operators in placeholders are not parsed as syntax. */
const filled = '\0';

function withoutPlaceholders(text: string, known: readonly Placeholder[], host: Host): string {
  return withFilled(text, placeholdersIn(text, known, host));
}

function withFilled(text: string, placeholders: readonly Placeholder[]): string {
  let plain = text;
  for (const { start, end } of placeholders)
    plain = plain.slice(0, start) + filled.repeat(end - start) + plain.slice(end);
  return plain;
}

function writtenPart(letters: Letters, plain: string, start: number, end: number): Written {
  return writtenOf(part(letters, start, end), plain.slice(start, end).includes(filled));
}

/** Template actions and the placeholders of documentation: `{{ .name }}`, `${{ x }}`, `$NAME`, `${NAME}`, `$(name)`, `<name>`, `[NAME]`, `[a|b]`, `[,KEY=VALUE]`, `[other` of `[other labels]`, `{name}`, `{}`, `{a,b}`, `%NAME%`, `%s`, `%%i`, `@NAME@`, `__NAME__`, `____`, `!NAME!`, `...`, phrases such as `YOUR APP NAME`, and characters that occur in scripts but not in labels. */
const placeholders = new RegExp(
  [
    /\$?\{\{[^{}\n]{0,300}\}\}/,
    /\$\{[^{}\n]{0,300}\}/,
    /\$\([^()\n]{0,300}\)/,
    /\$[A-Za-z_][A-Za-z0-9_:]{0,100}/,
    /\$[0-9@*#?]/,
    /<[^<>\n=]{1,80}>/,
    /\[,?[A-Za-z][\w .-]{0,80}(?:[|=][\w .|-]{0,80})?\]/,
    /\[,?[A-Za-z][\w.-]{0,80}$/,
    /\{[\w .,|/#-]{0,80}\}/,
    /%[A-Za-z_][A-Za-z0-9_]{0,80}%/,
    /%{1,2}[A-Za-z]?/,
    /@[A-Za-z_][\w.-]{0,80}@/,
    /![A-Za-z_]\w{0,80}!/,
    /(?:(?![ -~])[\p{L}\p{M}\p{N}\p{Po}\p{Ps}\p{Pe}]){1,80}/u,
    /__[0-9]{0,20}[A-Z][A-Z0-9_]{0,80}?__/,
    /(?<![A-Za-z0-9])_{3,40}(?![A-Za-z0-9])/,
    /\.{3,}|\u2026/,
    ...phrases,
  ]
    .map((each) => each.source)
    .join('|'),
  'gu',
);

/** Whether a match consists of letters that look like, or resemble, ASCII letters, in a word with ASCII letters: `w\u0435b`, `caf\u00e9`; or of Latin letters: `\u00e9`. */
function isPartOfWord(text: string, { 0: found, index }: RegExpExecArray): boolean {
  if (latinLetters.test(found)) return true;
  if (!similarLetters.test(found)) return false;
  return /[A-Za-z0-9]/.test(text.charAt(index - 1)) || /[A-Za-z0-9]/.test(text.charAt(index + found.length));
}

/** Whether a match consists of letters that look like ASCII letters, next to ASCII letters: `w\u0435b`. In prose, other letters may be words in the language of the reader. */
function isLookalike(text: string, { 0: found, index }: RegExpExecArray): boolean {
  if (!/^[ -~]+$/.test(withoutLookalikes(found))) return false;
  return /[A-Za-z]/.test(text.charAt(index - 1)) || /[A-Za-z]/.test(text.charAt(index + found.length));
}

const latinLetters = /^[\p{Script=Latin}\p{M}]+$/u;
const similarLetters = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;

/** Returns the unknown parts of a word in the order of the text: the parts in `known`, and placeholders. */
function placeholdersIn(text: string, known: readonly Placeholder[], host: Host): readonly Placeholder[] {
  const isProse = host === 'markdown' || host === 'text';
  const isWritten = isProse ? isLookalike : isPartOfWord;
  const matches = [...text.matchAll(placeholders)].filter((match) => !isWritten(text, match));
  const found = matches.map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    id: match[0],
  }));
  const free = found.filter((each) => known.every((other) => each.end <= other.start || other.end <= each.start));
  return [...known, ...free].toSorted((a, b) => a.start - b.start);
}
