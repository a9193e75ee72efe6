/** Writes completions at the cursor in the style of the file, both as plain text and as snippets. */

import type { Edit } from '../../text/edit.ts';
import { type Indentation, indentationOf } from '../../text/indentation.ts';
import { lineEnd } from '../../text/lines.ts';
import type { TypingStyle, TypingTarget } from '../cursor/parse-with-marker.ts';
import { scalarText } from './write-text.ts';

/** The content of a completion: a string, a tab stop, or a list or map of contents. */
export type Draft =
  | string
  | { readonly stop: readonly string[] }
  | { readonly list: readonly Draft[] }
  | { readonly map: DraftEntries };

export type DraftEntries = readonly (readonly [key: string, value: Draft])[];

/** Returns a tab stop at which the user selects one of several values. */
export function stop(...choices: readonly string[]): Draft {
  return { stop: choices };
}

export interface Typed {
  readonly edit: Edit;
  /** The new text with tab stops for the editor; absent if there are none. */
  readonly snippet?: string;
  /** Additional edits, which remove blanks between a colon and the new lines after it. */
  readonly also?: readonly Edit[];
}

/** Replaces the token with a key or value. */
export function typedScalar(cursorTarget: TypingTarget, text: string): Typed {
  return {
    edit: { span: cursorTarget.token, text: scalarText(text, cursorTarget.style.quotes) + comma(cursorTarget) },
  };
}

/** Writes a key and its value, if a value is given. If a colon already follows the cursor, only the key is written. */
export function typedEntry(text: string, cursorTarget: TypingTarget, key: string, value: Draft): Typed {
  return cursorTarget.style.needsColon
    ? typedEntries(text, cursorTarget, [[key, value]])
    : typedScalar(cursorTarget, key);
}

/** Writes entries of a map at the column of the token. */
export function typedEntries(text: string, cursorTarget: TypingTarget, entries: DraftEntries): Typed {
  return typed(
    text,
    cursorTarget,
    (writer) => writer.entries(entries, cursorTarget.style.column) + comma(cursorTarget),
  );
}

/** Writes an item of a list of scalars, including the list itself if it does not exist yet. */
export function typedValue(text: string, cursorTarget: TypingTarget, value: Draft): Typed {
  const { style } = cursorTarget;
  if (style.flow || style.behindColon === undefined)
    return typed(text, cursorTarget, (writer) => writer.flow(value) + comma(cursorTarget));
  return typedBelow(text, cursorTarget, (writer) => writer.below(value, style.column));
}

function typedBelow(text: string, cursorTarget: TypingTarget, write: (writer: Writer) => string): Typed {
  const { token, style } = cursorTarget;
  const blank = { start: style.behindColon ?? token.start, end: token.start };
  const isBlank = blank.start < blank.end && /^[ \t]*$/.test(text.slice(blank.start, blank.end));
  const made = typed(text, cursorTarget, write);
  const isBelow = isBlank && /^\r?\n/.test(made.edit.text);
  return { ...made, ...(isBelow && { also: [{ span: blank, text: '' }] }) };
}

function typed(text: string, cursorTarget: TypingTarget, write: (writer: Writer) => string): Typed {
  const plain = new Writer(text, cursorTarget.style, false);
  const edit = { span: cursorTarget.token, text: write(plain) };
  const snippet = write(new Writer(text, cursorTarget.style, true));
  // A single tab stop at the end does not require a snippet, because the cursor is there after a plain insertion, too.
  return plain.stops === 0 || snippet === `${edit.text}$1` ? { edit } : { edit, snippet };
}

function comma({ style }: TypingTarget): string {
  return style.needsComma ? ',' : '';
}

class Writer {
  readonly #style: TypingStyle;
  readonly #snippet: boolean;
  readonly #text: string;
  readonly #indentation: Indentation;
  /** Whether no scalar has been written yet. The first scalar replaces the token, including its quotes. */
  #isFirst = true;
  stops = 0;

  constructor(text: string, style: TypingStyle, snippet: boolean) {
    this.#text = text;
    this.#indentation = indentationOf(text);
    this.#style = style;
    this.#snippet = snippet;
  }

  /** Writes the entries of a map. The first line begins at the cursor, and all other lines begin at `column`. */
  entries(entries: DraftEntries, column: number): string {
    if (this.#style.flow) return entries.map(([key, value]) => `${this.#scalar(key)}: ${this.flow(value)}`).join(', ');
    if (entries.length === 0) return this.#stop([], false);
    return entries
      .map(([key, value]) => `${this.#scalar(key)}:${this.#behindColon(value, column)}`)
      .join(this.#newLine(column));
  }

  /** Writes the value of a key that begins at `column`. */
  below(value: Draft, column: number): string {
    return this.#behindColon(value, column).replace(/^ /, '');
  }

  flow(value: Draft): string {
    if (typeof value === 'string') return this.#scalar(value);
    if ('stop' in value) return this.#stop(value.stop, true);
    if ('list' in value) return `[${value.list.map((each) => this.flow(each)).join(', ')}]`;
    if (value.map.length === 0) return `{${this.#stop([], false)}}`;
    return `{${value.map.map(([key, each]) => `${this.#scalar(key)}: ${this.flow(each)}`).join(', ')}}`;
  }

  #behindColon(value: Draft, column: number): string {
    if (typeof value === 'string') return ` ${this.#scalar(value)}`;
    if ('stop' in value) return ` ${this.#stop(value.stop, false)}`;
    if ('map' in value) {
      const inner = column + this.#indentation.step;
      return this.#newLine(inner) + this.entries(value.map, inner);
    }
    const isOfScalars = value.list.every((each) => typeof each === 'string' || 'stop' in each);
    if (isOfScalars) return ` ${this.flow(value)}`;
    const dash = column + (this.#indentation.lists ? this.#indentation.step : 0);
    return value.list.map((item) => `${this.#newLine(dash)}- ${this.#item(item, dash + 2)}`).join('');
  }

  #item(item: Draft, column: number): string {
    return typeof item === 'object' && 'map' in item ? this.entries(item.map, column) : this.flow(item);
  }

  #newLine(column: number): string {
    return lineEnd(this.#text) + ' '.repeat(column);
  }

  #scalar(text: string): string {
    const written = scalarText(text, this.#isFirst ? this.#style.quotes : this.#style.quotesBehind);
    this.#isFirst = false;
    return this.#snippet ? written.replace(/[\\$}]/g, '\\$&') : written;
  }

  #stop(choices: readonly string[], isFlow: boolean): string {
    this.stops++;
    const [first = ''] = choices;
    const isQuoted = this.#style.quotesBehind === 'double' && isFlow;
    const shown = this.#snippet ? this.#tabStop(choices) : first;
    return isQuoted ? `"${shown}"` : shown;
  }

  #tabStop(choices: readonly string[]): string {
    return choices.length === 0 ? `$${this.stops}` : `\${${this.stops}|${choices.join(',')}|}`;
  }
}
