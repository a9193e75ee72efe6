/** Tests that a fix is offered only if it changes nothing but the keys and values that it edits. */

import assert from 'node:assert/strict';
import { changesOnlyEdited } from '../../server/src/rules/framework/edited-data.ts';

/** Whether replacing the only occurrence of a part of a text changes nothing else. */
function allows(text: string, part: string, by: string, isSubject = false): boolean {
  const start = text.indexOf(part);
  assert.ok(start !== -1 && text.indexOf(part, start + 1) === -1, part);
  const span = { start, end: start + part.length };
  return changesOnlyEdited(text, [{ span, text: by }], isSubject ? span : undefined);
}

describe('an edit', () => {
  const cases: readonly (readonly [title: string, text: string, part: string, by: string, is: boolean])[] = [
    ['replaces a value', 'a: {b: x, c: y}\n', 'x', 'z', true],
    ['removes an entry', 'a:\n  b: x\n  c: y\n', '  c: y\n', '', true],
    ['removes the last entry, so that the map becomes null', 'a:\n  b: x\nd: z\n', '  b: x\n', '', false],
    ['moves an entry into another map', 'a:\n  b: x\n  c: y\n', '  c', 'c', false],
    ['changes the indentation of a nested map', 'a:\n  b:\n    c: y\n', '  b:\n', '  b: z\n', false],
    ['leaves a comma at the end of a JSON map', '{"a": {"b": 1,\n"c": 2}}', '\n"c": 2', '', false],
    ['removes an entry of a JSON map with its comma', '{"a": {"b": 1,\n"c": 2}}', ',\n"c": 2', '', true],
    ['opens a quote', 'a: x\nb: y\n', 'x', '"x', false],
    ['begins a comment', 'a: [x, y]\n', 'x', 'x #', false],
    ['replaces a value in one of two documents', 'a: x\n---\nb: y\n', 'x', 'z', true],
    ['removes a part of an action', 'a: {{ .Values.x }}\nb: y\n', ' .Values.x }}', ' }', false],
    ['edits the text beside an action', 'a: {{ .x }}-web\nb: y\n', 'web', 'api', true],
    [
      'removes the line of an action',
      'a:\n  {{- if .x }}\n  b: y\n  {{- end }}\n  c: z\n',
      '  {{- end }}\n',
      '',
      false,
    ],
    [
      'moves an entry out of a condition',
      'a:\n{{- if .x }}\n  b: y\n{{- end }}\n  c: z\n',
      '{{- end }}\n  c: z\n',
      '  c: z\n{{- end }}\n',
      false,
    ],
    ['renames a key', 'a: x\nb: y\n', 'b', 'c', true],
    ['replaces a value that an alias repeats', 'a: &x {b: y}\nc: *x\n', 'y', 'z', true],
    ['keeps a block scalar', 'a: |\n  x: y\nb: z\n', 'z', 'w', true],
    ['ends a block scalar', 'a: |\n  x\n  y: z\nb: w\n', '  y', 'y', false],
  ];
  for (const [title, text, part, by, is] of cases)
    it(`is ${is ? 'allowed' : 'rejected'} if it ${title}`, () => assert.equal(allows(text, part, by), is));

  it('may change a part of an action only if the finding reports it', () => {
    const text = 'a: {{ include "web.nam" . }}\nb: y\n';
    assert.equal(allows(text, 'web.nam', 'web.name', true), true);
    assert.equal(allows(text, 'web.nam', 'web.name'), false);
  });
});
