/**
 * Tests the facts of the catalogue: one line of data is sufficient to add one, and every mistake is reported with its
 * line.
 */

import assert from 'node:assert/strict';
import { openCatalogue } from '../../server/src/engine/catalogue/index.ts';
import type { SerializedCatalogue } from '../../server/src/engine/catalogue/serialized.ts';
import { type ReadText, readFacts, textsIn } from './catalogue/facts.ts';
import { pack } from './catalogue/pack.ts';
import { allTables } from './catalogue/tables.ts';
import { FACTS, generateCatalogue } from './generate-catalogue.ts';

/** A small catalogue without mistakes. */
const small: Readonly<Record<string, readonly string[]>> = {
  'sources.jsonl': ['{"source":"kubernetes/api","commit":"10b39a39b"}'],
  'types.jsonl': [
    '{"type":"PodSpec","source":"kubernetes/api"}',
    '{"type":"PodTemplateSpec","source":"kubernetes/api"}',
  ],
  'kinds.jsonl': [
    '{"kind":"apps/Deployment","versions":["v1","v1beta1"],"scope":"namespaced","source":"kubernetes/api"}',
  ],
  'keys.jsonl': ['{"key":"example.com/team","type":"label","description":"The team","source":"kubernetes/api"}'],
  'embeds.jsonl': [
    '{"kind":"apps/Deployment","path":"spec.template","embeds":"PodTemplateSpec","source":"kubernetes/api"}',
    '{"type":"PodTemplateSpec","path":"spec","embeds":"PodSpec","source":"kubernetes/api"}',
  ],
};

const selector = {
  kind: 'apps/Deployment',
  path: 'spec.selector',
  form: 'labelSelector',
  targets: ['/Pod'],
  reach: 'own',
  absent: 'invalid',
  empty: 'invalid',
  source: 'kubernetes/api:apps/v1/types.go',
};

const frozen = {
  kind: 'apps/Deployment',
  path: 'spec.selector',
  compare: 'equal',
  message: 'field is immutable',
  source: 'kubernetes/api',
};

/** The small catalogue, with other lines in some files. */
function withLines(changed: Readonly<Record<string, readonly (string | object)[]>>): ReadText {
  return (fileName) =>
    (changed[fileName] ?? small[fileName] ?? [])
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .map((line) => `${line}\n`)
      .join('');
}

/** The problems of the small catalogue, with other lines in some files. */
function problems(changed: Readonly<Record<string, readonly (string | object)[]>>): readonly string[] {
  return readFacts(withLines(changed)).problems;
}

function opened(readText: ReadText) {
  const serialized: SerializedCatalogue = pack(readFacts(readText).facts);
  return openCatalogue(() => serialized);
}

describe('the facts of the catalogue', () => {
  it('are valid in the small catalogue of these tests', () => {
    assert.deepEqual(problems({ 'selectors.jsonl': [selector] }), []);
  });

  it('get a selector by one line', () => {
    const own = { ...selector, path: 'spec.budget.selector', reach: { namesAt: '^namespaces', otherwise: 'all' } };
    const kind = opened(withLines({ 'selectors.jsonl': [own] })).kind('apps', 'v1', 'Deployment');
    assert.deepEqual(kind?.selectors, [
      {
        path: 'spec.budget.selector',
        form: 'labelSelector',
        targets: [{ group: '', kind: 'Pod' }],
        reach: { namesAt: 'spec.budget.namespaces', otherwise: 'all' },
        absent: 'invalid',
        null: 'invalid',
        empty: 'invalid',
        mustMatchTemplate: false,
        immutable: false,
        plain: true,
      },
    ]);
  });

  it('get a kind by one line', () => {
    const line =
      '{"kind":"example.com/Widget","versions":["v1"],"scope":"cluster","shortNames":["wd"],"source":"kubernetes/api"}';
    const readText: ReadText = (fileName) => textsIn(FACTS)(fileName) + (fileName === 'kinds.jsonl' ? `${line}\n` : '');
    const { problems: none, sorted, text } = generateCatalogue(readText);
    assert.deepEqual(none, []);
    assert.ok(text.includes('"Widget":'));
    const lines = sorted.get('kinds.jsonl')?.split('\n') ?? [];
    const at = lines.indexOf(line);
    assert.ok(at > 0 && (lines[at - 1] ?? '') < line && line < (lines[at + 1] ?? ''), 'the line is sorted in');
  });

  it('apply to the versions that a line names', () => {
    const old = { ...selector, versions: ['v1beta1'], absent: 'unknown', filledFrom: 'templateLabels' };
    const catalogue = opened(withLines({ 'selectors.jsonl': [selector, old] }));
    assert.equal(catalogue.kind('apps', 'v1', 'Deployment')?.selectors[0]?.absent, 'invalid');
    assert.equal(catalogue.kind('apps', 'v1beta1', 'Deployment')?.selectors[0]?.absent, 'unknown');
  });

  it('are generated equally in any order of their lines and columns', () => {
    const reversed: ReadText = (fileName) => {
      const lines = textsIn(FACTS)(fileName)
        .split('\n')
        .filter((line) => line !== '');
      // The order of types is significant.
      const turned = fileName === 'types.jsonl' ? lines : lines.toReversed();
      return turned
        .map((line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())))
        .join('\n');
    };
    const repeating = new Set(allTables.filter(({ repeats }) => repeats).map(({ name }) => `${name}.jsonl`));
    const shuffled: ReadText = (fileName) => (repeating.has(fileName) ? textsIn(FACTS)(fileName) : reversed(fileName));
    assert.ok(generateCatalogue(shuffled).text === generateCatalogue().text);
  });
});

describe('a mistake in the facts of the catalogue', () => {
  const cases: readonly (readonly [
    what: string,
    lines: Record<string, readonly (string | object)[]>,
    problem: string,
  ])[] = [
    [
      'that is no JSON',
      { 'selectors.jsonl': ['{"kind":'] },
      'selectors.jsonl:1: not JSON: a line must be one JSON object',
    ],
    ['that is no object', { 'selectors.jsonl': ['[]'] }, 'selectors.jsonl:1: must be a JSON object'],
    [
      'in the name of a column',
      { 'types.jsonl': ['{"type":"PodSpec","sources":"x","source":"kubernetes/api"}'], 'embeds.jsonl': [] },
      "types.jsonl:1: unknown column 'sources'; allowed: type, note, source",
    ],
    [
      'that leaves out a column',
      { 'selectors.jsonl': ['', { ...selector, absent: undefined }] },
      "selectors.jsonl:2: column 'absent' is missing; it must be one of nothing, all, ownNamespace, notFiltered, invalid, unknown",
    ],
    [
      'in a word',
      { 'selectors.jsonl': [{ ...selector, empty: 'everything' }] },
      'selectors.jsonl:1: empty is "everything"; it must be one of nothing, all, ownNamespace, notFiltered, invalid, unknown',
    ],
    [
      'in a target',
      { 'selectors.jsonl': [{ ...selector, targets: ['Pod'] }] },
      'selectors.jsonl:1: targets is ["Pod"]; it must be a list whose items must be a kind such as ' +
        "'apps/Deployment', or '/Pod' in the core group, or '*/*' for any object",
    ],
    [
      'in a path',
      { 'selectors.jsonl': [{ ...selector, path: '.spec.selector' }] },
      'selectors.jsonl:1: path is ".spec.selector"; it must be a path such as \'spec.rules[].selector\' ' +
        '([] is every item of a list, * every key of a map)',
    ],
    [
      'in a column of a column',
      { 'selectors.jsonl': [{ ...selector, reach: { names: 'spec.namespaces' } }] },
      'selectors.jsonl:1: reach is {"names":"spec.namespaces"}; it must be one of own, all, cluster, unknown, ' +
        'or an object { namespaceSelectorAt?, wholeNamespacesAt?, namesAt?, anyAt?, otherwise?, allFrom? }',
    ],
    [
      'that names no kind',
      { 'selectors.jsonl': [{ ...selector, kind: undefined }] },
      "selectors.jsonl:1: exactly one of the columns 'kind' and 'type' must be there",
    ],
    [
      'that names a kind without a line',
      { 'selectors.jsonl': [{ ...selector, kind: 'apps/Deploymnt' }] },
      "selectors.jsonl:1: kind 'apps/Deploymnt' has no line in kinds.jsonl; add one first",
    ],
    [
      'that names a type without a line',
      { 'selectors.jsonl': [{ ...selector, kind: undefined, type: 'JobSpec' }] },
      "selectors.jsonl:1: type 'JobSpec' has no line in types.jsonl; allowed: PodSpec, PodTemplateSpec",
    ],
    [
      'in a version',
      { 'selectors.jsonl': [{ ...selector, versions: ['v2'] }] },
      "selectors.jsonl:1: version 'v2' is not a version of apps/Deployment; allowed: v1, v1beta1",
    ],
    [
      'in the order of versions',
      { 'kinds.jsonl': ['{"kind":"apps/Deployment","versions":["v1beta1","v1"],"source":"kubernetes/api"}'] },
      'kinds.jsonl:1: versions must be newest first: v1, v1beta1',
    ],
    [
      'that repeats a line',
      { 'selectors.jsonl': [selector, selector] },
      "selectors.jsonl:2: 'apps/Deployment spec.selector' is already on line 1",
    ],
    [
      'that repeats a line for one of its versions',
      {
        'selectors.jsonl': [
          { ...selector, versions: ['v1', 'v1beta1'] },
          { ...selector, versions: ['v1beta1'] },
        ],
      },
      "selectors.jsonl:2: 'apps/Deployment spec.selector v1beta1' is already on line 1",
    ],
    [
      'in a source',
      { 'selectors.jsonl': [{ ...selector, source: 'kubernetes/apis:types.go' }] },
      "selectors.jsonl:1: source 'kubernetes/apis' has no line in sources.jsonl",
    ],
    [
      'that embeds a type in itself',
      { 'embeds.jsonl': ['{"type":"PodSpec","path":"template","embeds":"PodTemplateSpec","source":"kubernetes/api"}'] },
      "embeds.jsonl:1: embeds 'PodTemplateSpec'; allowed: nothing (of types.jsonl, before 'PodSpec')",
    ],
    [
      'in the condition of a selector',
      { 'selectors.jsonl': [{ ...selector, ignored: { at: 'spec.type' } }] },
      "selectors.jsonl:1: ignored must have exactly one of 'is' and 'unless'",
    ],
    [
      'in the condition of an immutable field',
      { 'immutable.jsonl': [{ ...frozen, when: [{ of: 'old', at: 'spec.type', is: 'One', not: 'Two' }] }] },
      "immutable.jsonl:1: a condition must have exactly one of 'is', 'not', 'equals' and 'mentions'",
    ],
    [
      'in an immutable field without a message',
      { 'immutable.jsonl': [{ ...frozen, message: undefined }] },
      "immutable.jsonl:1: a change that is rejected must have a 'message', and one that is ignored must have none",
    ],
    [
      'in the kind of an immutable field',
      { 'immutable.jsonl': [{ ...frozen, kind: 'apps/Nothing' }] },
      "immutable.jsonl:1: kind 'apps/Nothing' has no line in kinds.jsonl; add one first",
    ],
  ];
  for (const [what, lines, problem] of cases) {
    it(`${what} is reported with its line`, () => assert.deepEqual(problems(lines), [problem]));
  }

  it('stops the generator', () => {
    const { problems: found, text, sorted } = generateCatalogue(withLines({ 'kinds.jsonl': ['{}'] }));
    assert.ok(found.length > 0);
    assert.deepEqual([text, sorted.size], ['', 0]);
  });
});
