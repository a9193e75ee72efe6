/** Where in the file is every character of a text that quotes, escapes or indentation hide? */

/** A text taken out of a file. */
export interface Letters {
  readonly text: string;
  /** Where the character at an index begins in the file; at the end of the text, where it ends. */
  startOf(index: number): number;
  /** Where the character at an index ends in the file. */
  endOf(index: number): number;
}

/** A text that stands in the file as it is. */
export function verbatim(text: string, offset = 0): Letters {
  return { text, startOf: (index) => offset + index, endOf: (index) => offset + index + 1 };
}

/** Collects characters one by one, each with its place in another text. */
export class LetterList implements Letters {
  text = '';
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  startOf(index: number): number {
    return this.#starts[index] ?? this.#ends.at(-1) ?? 0;
  }

  endOf(index: number): number {
    return this.#ends[index] ?? this.#ends.at(-1) ?? 0;
  }

  /** Takes in a piece of UTF-16 that is written from `start` to `end`. */
  add(piece: string, start: number, end: number): void {
    for (let index = 0; index < piece.length; index++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
    this.text += piece;
  }

  /** Takes in what stands from `start` to `end` in `letters`, as it is. */
  copy(letters: Letters, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      this.#starts.push(letters.startOf(index));
      this.#ends.push(letters.endOf(index));
    }
    this.text += letters.text.slice(start, end);
  }
}

/** A part of a text. */
export function part(letters: Letters, start: number, end: number): Letters {
  const list = new LetterList();
  list.copy(letters, start, end);
  return list;
}
