/** Letters of other alphabets that look like ASCII letters. */

const pairs =
  '\u0430a \u0435e \u043eo \u0440p \u0441c \u0443y \u0445x \u0456i \u0455s \u0458j ' +
  '\u0410A \u0412B \u0415E \u041aK \u041cM \u041dH \u041eO \u0420P \u0421C \u0422T \u0425X ' +
  '\u03bfo \u03bdv \u0391A \u0392B \u0395E \u0396Z \u0397H \u0399I \u039aK \u039cM \u039dN \u039fO \u03a1P \u03a4T \u03a5Y \u03a7X';

const asciiOf: ReadonlyMap<string, string> = new Map(pairs.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]));

/** Returns the text with ASCII letters in place of letters that look like them. */
export function withoutLookalikes(text: string): string {
  return text.replaceAll(/[\u0370-\u04ff]/g, (letter) => asciiOf.get(letter) ?? letter);
}
