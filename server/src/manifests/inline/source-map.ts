/** Maps the characters of an extracted text, which has no quotes, escapes or indentation, to their positions in the file. */

/** A text that was extracted from a file. */
export interface Letters {
  readonly text: string;
  /**
   * Returns the start offset of a character in the file. For an index at the end of the text, returns the end offset of
   * the text.
   */
  startOf(index: number): number;
  /** Returns the end offset of a character in the file. */
  endOf(index: number): number;
  /** Returns the characters of the file that represent another text at this position; absent if the text needs no escape sequences. */
  readonly escape?: (text: string) => string;
}

/** Returns the character positions of a text that appears unchanged in the file, from `offset`. */
export function verbatim(text: string, offset = 0): Letters {
  return { text, startOf: (index) => offset + index, endOf: (index) => offset + index + 1 };
}

/** Collects characters, each with its position in a file. */
export class LetterList implements Letters {
  text = '';
  readonly escape?: (text: string) => string;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(escaped?: (text: string) => string) {
    if (escaped !== undefined) this.escape = escaped;
  }

  startOf(index: number): number {
    return this.#starts[index] ?? this.#ends.at(-1) ?? 0;
  }

  endOf(index: number): number {
    return this.#ends[index] ?? this.#ends.at(-1) ?? 0;
  }

  /** Appends a string that the file represents by the characters from `start` to `end`, such as an escape sequence. */
  add(piece: string, start: number, end: number): void {
    for (let index = 0; index < piece.length; index++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
    this.text += piece;
  }

  /** Appends the part of `letters` from `start` to `end`. */
  copy(letters: Letters, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      this.#starts.push(letters.startOf(index));
      this.#ends.push(letters.endOf(index));
    }
    this.text += letters.text.slice(start, end);
  }
}

/** Returns the part of a text from `start` to `end`, with the positions of its characters. */
export function part(letters: Letters, start: number, end: number): Letters {
  const list = new LetterList();
  list.copy(letters, start, end);
  return list;
}
