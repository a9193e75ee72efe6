/** Tests the registry of labels: the short forms, the default entries, and allowed values. */

import assert from 'node:assert/strict';
import { isAllowed, labelRegistry } from '../../server/src/settings/label-registry.ts';
import { readConfig } from '../../server/src/settings/read-config.ts';

const registryOf = (text: string) => {
  const { values, problems } = readConfig(text);
  assert.deepEqual(problems, []);
  return labelRegistry(values);
};

describe('the registry of labels', () => {
  it('gives the short forms the meaning of descriptions', () => {
    const [short] = registryOf('labelPolicy: [{ key: team, kinds: [Pod], required: true, values: [blue] }]\n').entries;
    const [long] = registryOf('labels: { team: { kinds: [Pod], required: true, values: [blue] } }\n').entries;
    assert.deepEqual({ ...short, source: '' }, { ...long, source: '' });
    const [recommended] = registryOf('recommendedLabels: { keys: [team], kinds: [Pod] }\n').entries;
    const [described] = registryOf('labels: { team: { kinds: [Pod], recommended: true } }\n').entries;
    assert.deepEqual(recommended?.recommended, described?.recommended);
  });

  it('has the labels that Kubernetes recommends, unless a team describes them', () => {
    const { all, of, hasPolicy } = registryOf('labels: { app.kubernetes.io/version: { meaning: The release } }\n');
    assert.equal(all.length, 6);
    assert.deepEqual(
      of('app.kubernetes.io/version').map(({ source }) => source),
      ['labels'],
    );
    assert.deepEqual(
      of('app.kubernetes.io/name').map(({ source, selectable }) => [source, selectable]),
      [['kubernetes', true]],
    );
    // A meaning is no policy.
    assert.equal(hasPolicy, false);
  });

  it('reports invalid descriptions, and uses the others', () => {
    const text = `labels:
  team: { required: { pods: [Deployment], kinds: [x] }, since: soon }
  "a b": {}
  cost: { pattern: "(" }
  env: { from: { folders: [envs/] } }
  unit: { from: teams }
`;
    const { values, problems } = readConfig(text);
    assert.deepEqual(
      problems.map(({ message }) => message.slice(0, 60)),
      [
        "The key 'kinds' is unknown in `labels.team.required`. Valid ",
        '`labels.team.since` must be a date such as 2026-03-01.',
        "`labels` must be a label key such as 'team' or 'example.com/",
        '`labels.cost.pattern` must be a regular expression in the sy',
        '`labels.unit.from` must be one of codeowners, backstage, nam',
      ],
    );
    assert.deepEqual(Object.keys(values.labels ?? {}), ['team', 'cost', 'env', 'unit']);
  });

  it('allows a value if one part does; a value of an unknown source is unknown', () => {
    const allowed = { values: ['blue'], pattern: 'x-[0-9]+', from: { is: 'codeowners' } } as const;
    const answers = ['blue', 'x-12', 'red', 'x-'].map((value) => [
      isAllowed(allowed, value, ['red']),
      isAllowed(allowed, value, undefined),
    ]);
    assert.deepEqual(answers, [
      [true, true],
      [true, true],
      [true, undefined],
      [false, undefined],
    ]);
  });
});
