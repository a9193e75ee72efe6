/** Finds the supported commands in shell scripts, makefiles and Dockerfiles. Only the lines that mention a supported program are parsed. */

import { type Around, readLine } from './shell.ts';
import { LetterList, type Letters } from './source-map.ts';
import { nextMention } from './tool-flags.ts';
import type { Command } from './word.ts';

/** Finds the commands on the lines that mention a supported program. */
export function commandsIn(letters: Letters, around: Around): readonly Command[] {
  const { text } = letters;
  const { budget, holding } = around;
  const found: Command[] = [];
  const wanted = holding === undefined ? undefined : text.indexOf(holding);
  if (wanted === -1) return found;
  let done = 0;
  for (let at = nextMention(text, 0); at !== -1 && budget.left > 0; at = nextMention(text, done)) {
    const start = Math.max(done, logicalStart(text, at));
    if (wanted !== undefined) {
      if (start > wanted) break;
      const end = endOfPlainLine(text, start);
      if (end !== undefined && end < wanted) {
        done = Math.max(end, at + 1);
        continue;
      }
    }
    const line = readLine(letters, start, around);
    for (const each of line.commands) found.push(each);
    done = Math.max(line.end, at + 1);
  }
  return found;
}

/** A line that ends at the next line break in every case, because nothing in it can continue on the next line. */
const plainLine = /[^\n'"\\`$<>({[^]{0,4000}\n/y;

/** Returns the end of the line that begins at `start`; undefined if only parsing the line can determine its end. */
function endOfPlainLine(text: string, start: number): number | undefined {
  plainLine.lastIndex = start;
  const found = plainLine.exec(text);
  return found === null ? undefined : start + found[0].length - 1;
}

/** The maximum number of lines that a command can continue over. */
const maximumContinued = 100;

/** Returns the start of the line that contains `offset`; for a continuation line, the start of the first line of its command. */
function logicalStart(text: string, offset: number): number {
  let start = text.lastIndexOf('\n', offset - 1) + 1;
  for (let lines = 0; lines < maximumContinued && start > 0; lines++) {
    const before = text[start - 2] === '\r' ? start - 3 : start - 2;
    if (text[before] !== '\\') break;
    start = text.lastIndexOf('\n', before) + 1;
  }
  return start;
}

const execForm = /^[ \t]*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK[^\n[]{0,200}CMD)[ \t]+\[([^\n\]]{1,2000})\][ \t\r]*$/gm;

/** Finds commands in exec form: `CMD ["kubectl", "get", "pods"]`. */
export function execForms(letters: Letters): readonly Command[] {
  return [...letters.text.matchAll(execForm)].map((found) => {
    const start = found.index + found[0].indexOf('[') + 1;
    const words = [...(found[1] ?? '').matchAll(/"((?:[^"\\]|\\.){0,1000})"/g)];
    return words.map((word) => {
      const list = new LetterList();
      const from = start + word.index + 1;
      const quoted = word[1] ?? '';
      for (let index = 0; index < quoted.length; index++) {
        const escaped = quoted[index] === '\\' && index + 1 < quoted.length ? 1 : 0;
        const at = from + index;
        list.add(quoted[index + escaped] ?? '', letters.startOf(at), letters.endOf(at + escaped));
        index += escaped;
      }
      return { letters: list, placeholders: [] };
    });
  });
}
