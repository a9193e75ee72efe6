/** Tests that long answers of tools are shortened without dividing names, and count what is missing. */

import assert from 'node:assert/strict';
import { answerText, dataNotice } from '../../server/src/agents/answer.ts';

const facts = { lists: ['objects'] };

function shown(value: object, notes: readonly string[] = [], limit?: number): Readonly<Record<string, unknown>> {
  const text = answerText(facts, { value, notes, limit, details: false });
  return JSON.parse(text.slice(dataNotice.length + 1));
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `web-${number}`);
}

describe('an answer', () => {
  it('counts the missing items of lists and maps next to them, so that all items have one type', () => {
    const selectors = names(15).map((name) => ({ name }));
    const labels = Object.fromEntries(names(40).map((name) => [name, 'a']));
    const { objects } = shown({ objects: [{ selectors, labels, paths: [names(14), names(2)] }] });
    assert.ok(Array.isArray(objects));
    const [first] = objects;
    assert.deepEqual(first.more, { selectors: 3, labels: 4, paths: 2 });
    assert.equal(first.selectors.length, 12);
    assert.equal(Object.keys(first.labels).length, 36);
    assert.ok(first.paths.flat().every((each: unknown) => typeof each === 'string'));
    assert.deepEqual(shown({ allowedBy: names(14) })['more'], { allowedBy: 2 });
    assert.deepEqual(shown({ objects: names(22) })['more'], { objects: 2 });
  });

  it('shortens the lists of a long item, rather than leaving out all items after it', () => {
    const [text, other] = ['a'.repeat(200), 'b'.repeat(200)];
    const item = (count: number) => ({ uses: names(count).map((name) => ({ name, text, other })) });
    const { objects, more } = shown({ objects: [item(1), item(15), item(3)] });
    assert.ok(Array.isArray(objects));
    assert.deepEqual(
      objects.map((each) => [each.uses.length, each.more]),
      [
        [1, undefined],
        [6, { uses: 9 }],
      ],
    );
    assert.deepEqual(more, { objects: 1 });
    const many = shown({ objects: [item(5), item(5), item(5)] });
    assert.deepEqual(many['more'], { objects: 2 });
  });

  it('keeps long notes, and divides no name in a text', () => {
    const list = names(40).map((name) => `clusters/production/${name}.yaml`);
    const note = `Name one of the scopes ${list.slice(0, 20).join(', ')} and 20 more.`;
    assert.deepEqual(shown({}, [note])['notes'], [note]);
    const { text } = shown({ text: list.join(', ') });
    assert.match(
      String(text),
      /^(clusters\/production\/web-\d+\.yaml, )*clusters\/production\/web-\d+\.yaml,… \d+ more characters$/,
    );
    assert.equal(String(shown({ text: 'a'.repeat(300) })['text']), `${'a'.repeat(240)}… 60 more characters`);
  });
});
