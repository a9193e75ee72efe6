/** Tests the insertion of the selector of a line at the cursor of a manifest. */
import assert from 'node:assert/strict';
import { insertSelector } from '../../server/src/features/refactor/insert-selector.ts';
import { type Bench, bench } from '../harness/bench.ts';
import { changedLines } from '../harness/changed-lines.ts';
import { viewAt } from '../harness/rename-lines.ts';

const tried = `
  ==> try.selector <==
  app=web,tier in (front)
  #  ^ labels
  app=web,!canary
  #  ^ mixed
  app in (web,api)   # behind it
  #                     ^ sets
  size>3
  # ^ numbers
  app=<name>
  # ^ unknown
  app=web,,
  # ^ broken
  # Nothing here
  #    ^ comment
`;

const headers = {
  budget: 'apiVersion: policy/v1\n  kind: PodDisruptionBudget',
  service: 'apiVersion: v1\n  kind: Service',
  fleet: 'apiVersion: example.com/v1\n  kind: Fleet',
};

/** An object with some lines below `spec:`, with the named span `here`. */
function manifest(kind: keyof typeof headers, spec: string): string {
  const indented = spec.replaceAll('\n', '\n    ');
  return `${tried}  ==> object.yaml <==\n  ${headers[kind]}\n  metadata: {name: web}\n  spec:\n    ${indented}\n`;
}

/** The lines after inserting the selector of a named span at `here`; or why it is refused. */
async function inserted(fixture: string, from: string, lineEnd: '\n' | '\r\n' = '\n'): Promise<readonly string[]> {
  const b: Bench = await bench(fixture, { lineEnd });
  const cursor = (name: string) => ({ view: viewAt(b, name), offset: b.place(name).span.start });
  const insertion = insertSelector(cursor(from), cursor('here'));
  if ('refused' in insertion) return [`refused: ${insertion.refused}`];
  const { name, text } = b.place('here').file;
  const after = changedLines(name, text, [insertion.edit]).filter((line) => !line.startsWith(`${name} -`));
  return after.map((line) => line.replace(/^\S+ \+?/, ''));
}

const emptyField = 'selector:\n\n# ^ here';

const whole = [
  '    matchLabels:',
  '      app: web',
  '    matchExpressions:',
  '      - key: tier',
  '        operator: In',
  '        values: [front]',
];

describe('inserting the selector of a line into a manifest', () => {
  it('writes matchLabels and matchExpressions below their field', async () => {
    assert.deepEqual(await inserted(manifest('budget', emptyField), 'labels'), whole);
    assert.deepEqual(await inserted(manifest('budget', emptyField), 'labels', '\r\n'), whole);
    assert.deepEqual(await inserted(manifest('budget', 'selector:\n#        ^ here'), 'labels'), whole);
    assert.deepEqual(await inserted(manifest('budget', emptyField), 'mixed'), [
      '    matchLabels:',
      '      app: web',
      '    matchExpressions:',
      '      - key: canary',
      '        operator: DoesNotExist',
    ]);
    assert.deepEqual(await inserted(manifest('budget', 'selector: {}\n#          ^ here'), 'sets'), [
      'selector: {matchExpressions: [{key: app, operator: In, values: [api, web]}]}',
    ]);
  });

  it('adds the missing indentation of an empty line', async () => {
    assert.deepEqual(await inserted(manifest('budget', 'selector:\n\n#<^^^ here'), 'labels'), whole);
    const besides = 'selector:\n  team: blue\n\n#<^^^ here';
    assert.deepEqual(await inserted(manifest('service', besides), 'labels'), ['    app: web', '    tier: front']);
  });

  it('writes labels alone in place of a map', async () => {
    for (const field of [emptyField, 'selector:\n#        ^ here']) {
      const labels = await inserted(manifest('service', field), 'labels');
      assert.deepEqual(labels, ['    app: web', '    tier: front']);
    }
    const inLabels = 'selector:\n  matchLabels:\n\n  # ^ here';
    assert.deepEqual(await inserted(manifest('budget', inLabels), 'labels'), ['      app: web', '      tier: front']);
    assert.deepEqual(await inserted(manifest('service', emptyField), 'mixed'), [
      "refused: '!canary' cannot be expressed in this form: a map can only contain one value for each key",
    ]);
  });

  it('writes JSON in JSON', async () => {
    const json = `${tried}  ==> object.json <==
  {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"}, "spec": {"selector": {}}}
  #                                                                                                             ^ here
`;
    const [line] = await inserted(json, 'labels');
    assert.match(
      line ?? '',
      /"selector": \{"matchLabels": \{"app": "web"\}, "matchExpressions": \[\{"key": "tier", "operator": "In", "values": \["front"\]\}\]\}/,
    );
  });

  it('uses the position of the cursor below an unknown field', async () => {
    assert.deepEqual(await inserted(manifest('fleet', 'pods:\n\n# ^ here'), 'labels'), whole);
    assert.deepEqual(await inserted(manifest('fleet', 'pods:\n#    ^ here'), 'labels', '\r\n'), whole);
  });

  it('does so only in an empty, unknown field', async () => {
    const refused = [
      'refused: a selector is not allowed at the cursor of the manifest: place the cursor on an empty line below the field of the selector',
    ];
    assert.deepEqual(await inserted(manifest('fleet', 'pods:\n#    ^ here\n\n  size: 1'), 'labels'), refused);
    assert.deepEqual(await inserted(manifest('fleet', 'pods:\n#    ^ here\n\n  matchLabels: {}'), 'labels'), [
      "refused: the field at the cursor of the manifest already has 'matchLabels', or does not allow it",
    ]);
    assert.deepEqual(
      await inserted(manifest('budget', 'selector:\n  matchExpressions:\n  #                ^ here'), 'sets'),
      refused,
    );
  });

  it('changes nothing if a key would be repeated', async () => {
    const inMap = 'selector:\n  app: api\n\n# ^ here';
    assert.deepEqual(await inserted(manifest('service', inMap), 'labels'), [
      "refused: the map at the cursor of the manifest already has 'app'",
    ]);
    const inField = 'selector:\n  matchLabels: {app: api}\n\n# ^ here';
    assert.deepEqual(await inserted(manifest('budget', inField), 'labels'), [
      "refused: the field at the cursor of the manifest already has 'matchLabels', or does not allow it",
    ]);
    assert.deepEqual(await inserted(manifest('budget', inField), 'sets'), [
      '    matchExpressions:',
      '      - key: app',
      '        operator: In',
      '        values: [api, web]',
    ]);
  });

  it('states why it cannot insert', async () => {
    const refusals = {
      numbers: "'size>3' cannot be expressed in this form: matchExpressions cannot compare numbers",
      unknown: 'parts of this selector are unknown, so it cannot be inserted',
      broken: 'this selector is invalid, or does not select by labels',
      comment: 'place the cursor on the line of a selector to insert it into a manifest',
    };
    for (const [from, why] of Object.entries(refusals))
      assert.deepEqual(await inserted(manifest('budget', emptyField), from), [`refused: ${why}`]);
    const nowhere =
      'a selector is not allowed at the cursor of the manifest: place the cursor on an empty line below the field of the selector';
    for (const spec of [
      'ports:\n#     ^ here',
      'ports: []\n# ^ here',
      'ports: []\n\n#<^^^ here',
      'selector: {app: api}\n#            ^ here',
    ])
      assert.deepEqual(await inserted(manifest('service', spec), 'labels'), [`refused: ${nowhere}`], spec);
  });
});
