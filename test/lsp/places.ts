/** Finds positions in texts, independently of the server's code. */
import assert from 'node:assert/strict';
import type { CodeAction, Position, Range, TextEdit } from 'vscode-languageserver/node';

/** The position of the first occurrence of some words; fails for a text without them. */
export function placeOf(text: string, words: string): Position {
  const at = text.indexOf(words);
  assert.ok(at >= 0, `the text does not hold ${JSON.stringify(words)}`);
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** The range of the first occurrence of some words. */
export function rangeOf(text: string, words: string): Range {
  const start = placeOf(text, words);
  return { start, end: { line: start.line, character: start.character + words.length } };
}

/** The text of a range. */
export function textAt(text: string, { start, end }: Range): string {
  return text.slice(offsetOf(text, start), offsetOf(text, end));
}

/** The text after edits, which must not touch each other. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const placed = edits.map(({ range, newText }) => ({
    start: offsetOf(text, range.start),
    end: offsetOf(text, range.end),
    newText,
  }));
  let result = '';
  let done = 0;
  for (const { start, end, newText } of placed.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    assert.ok(start >= done, 'edits overlap');
    result += text.slice(done, start) + newText;
    done = end;
  }
  return result + text.slice(done);
}

/** The text after a fix in either form of edits. */
export function withFix(text: string, uri: string, { edit, title }: CodeAction): string {
  const versioned = edit?.documentChanges?.flatMap((change) => {
    assert.ok('textDocument' in change && change.textDocument.uri === uri, `${title} changes another file`);
    return change.edits.map((each) => {
      assert.ok('newText' in each);
      return each;
    });
  });
  const edits = versioned ?? edit?.changes?.[uri];
  assert.ok(edits !== undefined && edits.length > 0, `${title} changes nothing`);
  return withEdits(text, edits);
}

function offsetOf(text: string, { line, character }: Position): number {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  assert.ok(line < lines.length || (line === lines.length && character === 0), `there is no line ${line}`);
  return lines.slice(0, line).join('').length + character;
}
