/** Parses shell command lines into commands. Words are unquoted, and each of their characters has its position in the file. */

import type { Placeholder } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { LetterList, type Letters, part } from './source-map.ts';
import { afterwards, type Command, type Word } from './word.ts';

/** The dialect of a command line, which depends on the host language: in a Makefile, `$(NAME)` is a variable. */
export type Dialect = 'shell' | 'make';

/** A limit on the total number of parsing steps, so that parsing takes linear time for every text. */
export interface Budget {
  left: number;
}

/** The maximum length of a logical line in UTF-16 code units; the next constant is the maximum nesting depth. */
const maximumLength = 8_000;
const maximumDepth = 8;

export interface ReadLine {
  readonly commands: readonly Command[];
  /** The end offset of the logical line, including continuation lines and lines in open quotes. */
  readonly end: number;
}

/** Parses the commands in the logical line that begins at `start`. */
export function readLine(letters: Letters, start: number, around: Around): ReadLine {
  const parser = new ShellParser(letters, start, around);
  parser.commandsUntil('\n');
  return { commands: parser.commands, end: parser.at };
}

/** Parses all commands in a script, or in an argument that contains a script. */
function readNested(letters: Letters, around: Around): readonly Command[] {
  const commands: Command[] = [];
  if (around.depth >= maximumDepth) return commands;
  around.budget.left -= letters.text.length;
  let at = 0;
  while (at < letters.text.length && around.budget.left > 0) {
    const parser = new ShellParser(letters, at, { ...around, depth: around.depth + 1 });
    parser.commandsUntil('\n');
    for (const each of parser.commands) commands.push(each);
    at = parser.at + 1;
  }
  return commands;
}

export interface Around {
  readonly dialect: Dialect;
  readonly budget: Budget;
  /**
   * The nesting depth. If it is greater than 0, the text is part of another text: it is a script in an argument, or
   * code in a sentence.
   */
  readonly depth: number;
  /** A word that occurs once in the text: only the commands of the line that contains it are needed. */
  readonly holding?: string | undefined;
}

const ends = new Set([';', '|', '&', '(', ')', '\n']);
const blank = /[ \t\r]/;
const docPlaceholder = /<\p{L}[^<>\n|&;]{0,80}>/uy;
/** Alternatives in the notation of documentation: `[dev|prod]`, `{dev|prod}`. */
const alternatives = /[[{][A-Za-z][\w -]{0,40}(?:\|[\w -]{1,40}){1,20}[\]}]/y;
const action = /\{\{(?:[^\n]{0,300}?|[^{}]{0,300})\}\}/y;
const variable = /\$(?:\{[^{}\n]{0,300}\}|[A-Za-z_][A-Za-z0-9_]*(?::[A-Za-z_]\w*)?|[0-9@*#?!$-])/y;
const makeVariable = /\$(?:\{[^{}\n]{0,300}\}|[A-Za-z@<^*?%+])/y;
/** The letters that are blanks after a backslash. */
const blankEscapes = new Set(['n', 'r', 't']);

/** Returns the offset of the parenthesis that matches the parenthesis at `start`; -1 if it is too far away or on a different line. */
function closing(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < Math.min(text.length, start + 300) && text[at] !== '\n'; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && --open === 0) return at + 1;
  }
  return -1;
}

class ShellParser {
  readonly commands: Command[] = [];
  at: number;
  readonly #letters: Letters;
  readonly #text: string;
  readonly #limit: number;
  readonly #around: Around;
  readonly #dialect: Dialect;
  readonly #budget: Budget;
  #words: Word[] = [];
  #word: LetterList | undefined;
  #placeholders: Placeholder[] = [];
  /** The span of the quoted part of the current word. */
  #quotes: Span | undefined;
  #isRedirected = false;

  constructor(letters: Letters, start: number, around: Around) {
    this.#letters = letters;
    this.#text = letters.text;
    this.at = start;
    this.#limit = Math.min(letters.text.length, start + maximumLength);
    this.#around = around;
    this.#dialect = around.dialect;
    this.#budget = around.budget;
  }

  /** Parses up to an unquoted `end` character, which is not consumed. Returns false if there is no such character. */
  commandsUntil(end: '\n' | ')' | '`'): boolean {
    let open = 0;
    while (this.at < this.#limit && this.#budget.left-- > 0) {
      const character = this.#text[this.at] ?? '';
      if (character === end && open === 0) {
        this.#endCommand();
        return true;
      }
      if (character === '(') open++;
      if (character === ')') open = Math.max(0, open - 1);
      this.#step(character, end);
    }
    this.#endCommand();
    return end === '\n';
  }

  #step(character: string, end: string): void {
    if (this.#skipContinuation()) return;
    if (blank.test(character)) {
      this.#endWord();
      this.at++;
    } else if ([docPlaceholder, alternatives, action].some((each) => this.#parsePlaceholder(each))) return;
    else if (ends.has(character)) {
      if (character === '(') this.#dropMisread();
      this.#endCommand();
      this.at++;
    } else if (character === '<' || character === '>') this.#redirect();
    else if (character === '#' && this.#word === undefined) this.#comment(end);
    else this.#character(character);
  }

  #character(character: string): void {
    const next = this.#text[this.at + 1] ?? '';
    if (character === "'" || character === '"') this.#quoted(character);
    else if (character === '$' && /['"]/.test(next) && this.#dialect === 'shell') this.at++;
    else if (character === '$') this.#dollar();
    else if (character === '`') this.#substitution('`', 1);
    else if (character === '\\') this.#escaped(next);
    else this.#take(this.at, this.at + 1);
  }

  #escaped(next: string): void {
    // `printf` and `echo -e` interpret an escape sequence such as `\n` in their arguments.
    if (this.#around.depth > 0 && blankEscapes.has(next)) {
      if (next === 't') this.#endWord();
      else this.#endCommand();
      this.at += 2;
    } else if (this.at + 1 < this.#limit) this.#take(this.at + 1, this.at + 2, this.at);
    else this.at++;
  }

  #quoted(quote: string): void {
    const start = this.#quotes?.start ?? this.#word?.text.length ?? 0;
    if (quote === "'") this.#single();
    else this.#double();
    if (this.#word !== undefined) this.#quotes = { start, end: this.#word.text.length };
  }

  /**
   * Drops selectors such as `-l app in (web)` or `-l app=(a|b)`. Quotes are missing, so the parsed selector differs
   * from the intended one.
   */
  #dropMisread(): void {
    const last = this.#words.at(-1)?.letters.text;
    if (this.#word === undefined && last !== 'in' && last !== 'notin') return;
    this.#word = undefined;
    this.#words = [];
    this.#placeholders = [];
  }

  /**
   * Appends the text from `start` to `end` to the word; for an escape sequence, `from` is the start offset of the
   * sequence.
   */
  #take(start: number, end: number, from = start): void {
    this.#word ??= new LetterList();
    this.#word.add(this.#text.slice(start, end), this.#letters.startOf(from), this.#letters.endOf(end - 1));
    this.at = end;
  }

  /** Appends text to the word character by character. */
  #copy(start: number, end: number): void {
    this.#word ??= new LetterList();
    this.#word.copy(this.#letters, start, end);
    this.#budget.left -= end - start;
    this.at = end;
  }

  #skipContinuation(): boolean {
    if (this.#text[this.at] !== '\\') return false;
    const length = this.#text[this.at + 1] === '\n' ? 2 : this.#text.startsWith('\r\n', this.at + 1) ? 3 : 0;
    this.at += length;
    // Terminals and Markdown prefix continuation lines with `> `.
    if (length > 0 && this.#text.startsWith('> ', this.at)) this.at++;
    return length > 0;
  }

  /**
   * Parses a documentation placeholder or a template action as one unknown part of the word, regardless of its content.
   */
  #parsePlaceholder(pattern: RegExp): boolean {
    if (!/[<{[]/.test(this.#text[this.at] ?? '')) return false;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#addPlaceholder(this.at + found[0].length);
    return true;
  }

  #addPlaceholder(end: number): void {
    const start = this.#word?.text.length ?? 0;
    const id = this.#text.slice(this.at, end);
    this.#copy(this.at, end);
    this.#placeholders.push({ start, end: start + id.length, id });
  }

  /** Appends one unknown character for the output of a command substitution, regardless of its length. */
  #output(end: number): void {
    this.#word ??= new LetterList();
    const start = this.#word.text.length;
    const id = this.#text.slice(this.at, Math.min(end, this.at + 200));
    this.#word.add('$', this.#letters.startOf(this.at), this.#letters.endOf(end - 1));
    this.#placeholders.push({ start, end: start + 1, id });
    this.at = end;
  }

  #redirect(): void {
    if (this.#isPrompt()) {
      this.#endCommand();
      this.at++;
      return;
    }
    // A digit directly before a redirection, as in `2>`, is the number of a stream and not a word.
    if (this.#word !== undefined && /^[0-9]$/.test(this.#word.text)) this.#word = undefined;
    this.#endWord();
    while (/[<>&|]/.test(this.#text[this.at] ?? '')) this.at++;
    this.#isRedirected = true;
  }

  /** Whether the current offset is at a terminal prompt or a Markdown block quote marker: `> kubectl`. */
  #isPrompt(): boolean {
    if (this.#text[this.at] !== '>' || this.#word !== undefined) return false;
    return this.#words.length === 0 && blank.test(this.#text[this.at + 1] ?? '');
  }

  /** Parses the text after `#`, which may be a command that is commented out. */
  #comment(end: string): void {
    const next = this.#text.indexOf('\n', this.at);
    const stop = Math.min(next === -1 ? this.#limit : next, this.#limit);
    const text = part(this.#letters, this.at + 1, stop);
    this.#endCommand();
    for (const each of readNested(text, this.#around)) this.commands.push(each);
    this.at = end === '\n' ? stop : Math.min(stop + 1, this.#limit);
  }

  #single(): void {
    this.#word ??= new LetterList();
    const close = this.#text.indexOf("'", this.at + 1);
    if (close === -1 || close >= this.#limit) {
      this.#unclosed();
      return;
    }
    this.#copy(this.at + 1, close);
    this.at = close + 1;
  }

  #double(): void {
    this.#word ??= new LetterList();
    this.at++;
    while (this.at < this.#limit && this.#budget.left-- > 0) {
      const character = this.#text[this.at] ?? '';
      if (character === '"') {
        this.at++;
        return;
      }
      if (this.#skipContinuation()) continue;
      if (this.#parsePlaceholder(action)) continue;
      const next = this.#text[this.at + 1] ?? '';
      if (character === '\\' && /["\\$`]/.test(next)) this.#take(this.at + 1, this.at + 2, this.at);
      else if (character === '$') this.#dollar();
      else if (character === '`') this.#substitution('`', 1);
      else this.#take(this.at, this.at + 1);
    }
    this.#unclosed();
  }

  /**
   * Handles a quote or parenthesis that is not closed. The meaning of the text up to the end of the line is then
   * uncertain.
   */
  #unclosed(): void {
    this.#word = undefined;
    this.#quotes = undefined;
    this.#words = [];
    this.#placeholders = [];
    const next = this.#text.indexOf('\n', this.at);
    this.at = next === -1 ? this.#limit : Math.min(next, this.#limit);
  }

  #dollar(): void {
    const text = this.#text;
    if (this.#dialect === 'make' && text[this.at + 1] !== '$') {
      const close = text[this.at + 1] === '(' ? closing(text, this.at + 1) : -1;
      if (text.startsWith('$(shell ', this.at)) this.#substitution(')', 8);
      else if (close !== -1) this.#addPlaceholder(close);
      else this.#variable(makeVariable);
      return;
    }
    // In a Makefile, the shell receives a single dollar sign for a doubled one.
    const doubled = this.#dialect === 'make' ? 1 : 0;
    if (text[this.at + 1 + doubled] === '(') this.#substitution(')', 2 + doubled);
    else if (text.startsWith('{{', this.at + 1)) {
      this.#take(this.at, this.at + 1);
    } else if (doubled > 0) {
      this.at++;
      this.#variable(variable);
    } else this.#variable(variable);
  }

  #variable(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found === null) this.#take(this.at, this.at + 1);
    else this.#addPlaceholder(this.at + found[0].length);
  }

  /**
   * Parses `$(...)` or a substitution in backticks: its commands are parsed separately, and its output is an unknown
   * part of the word.
   */
  #substitution(end: ')' | '`', opening: number): void {
    const { depth } = this.#around;
    const inner = new ShellParser(this.#letters, this.at + opening, { ...this.#around, depth: depth + 1 });
    if (depth >= maximumDepth || !inner.commandsUntil(end)) {
      this.#unclosed();
      return;
    }
    for (const each of inner.commands) this.commands.push(each);
    this.#output(inner.at + 1);
  }

  #endWord(): void {
    const letters = this.#word;
    const placeholders = this.#placeholders;
    const quotes = this.#quotes;
    this.#word = undefined;
    this.#quotes = undefined;
    this.#placeholders = [];
    if (letters === undefined) return;
    if (this.#isRedirected) {
      this.#isRedirected = false;
      return;
    }
    const unmarked = this.#withoutMark(letters, placeholders);
    // A sentence ends with a flag, so the next word is not its argument: `with the wrong -n. Call ...`.
    if (unmarked !== letters && unmarked.text.startsWith('-')) {
      this.#endCommand();
      return;
    }
    this.#words.push(this.#withoutPrefix({ letters: unmarked, placeholders }));
    // A quoted word that contains spaces may be a script: `bash -c 'kubectl get pods'`, `["sh", "-c", "kubectl get
    // pods"]`.
    if (quotes !== undefined && /\s/.test(letters.text))
      for (const each of readNested(part(letters, quotes.start, quotes.end), this.#around)) this.commands.push(each);
  }

  /** Removes the prefix from a command in a Makefile: `@kubectl`, `-kubectl` and `$(Q)kubectl` all call kubectl. */
  #withoutPrefix(word: Word): Word {
    if (this.#dialect !== 'make' || this.#words.length > 0) return word;
    const prefix = /^(?:[@+-]|\$[({]\w{1,20}[)}])+(?=.)/.exec(word.letters.text)?.[0] ?? '';
    return prefix === '' ? word : afterwards(word, prefix.length);
  }

  /** Removes punctuation at the end of a word, because text in a comment or in printed output can be a sentence. */
  #withoutMark(letters: Letters, placeholders: readonly Placeholder[]): Letters {
    const { length } = letters.text;
    const isMarked =
      this.#around.depth > 0 && /[\w)\]}>][.,:?]$/.test(letters.text) && placeholders.at(-1)?.end !== length;
    return isMarked ? part(letters, 0, length - 1) : letters;
  }

  #endCommand(): void {
    this.#endWord();
    this.#isRedirected = false;
    if (this.#words.length > 0) this.commands.push(this.#words);
    this.#words = [];
  }
}
