/** Tests kinds that users describe, and the problems of invalid descriptions. */

import assert from 'node:assert/strict';
import { catalogue, withUserKinds } from '../../../server/src/engine/catalogue/index.ts';

/** The problems of entries, one per line. */
function problems(entries: unknown): readonly string[] {
  return withUserKinds(catalogue, entries).problems.map(
    (problem) => `${problem.path.join('.')} ${problem.code}: ${problem.message}`,
  );
}

const widget = {
  group: 'example.com',
  kind: 'Widget',
  selectors: [{ path: 'spec.selector', form: 'labelSelector', targets: [{ group: '', kind: 'Pod' }] }],
  podTemplates: ['spec.template'],
  labels: ['spec.podLabels'],
};

describe('kinds that users describe', () => {
  it('are added to the others', () => {
    const taught = withUserKinds(catalogue, [widget]);
    assert.deepEqual(taught.problems, []);
    const kind = taught.catalogue.kind('example.com', 'v1', 'Widget');
    assert.deepEqual(kind?.selectors[0], {
      path: 'spec.selector',
      form: 'labelSelector',
      targets: [{ group: '', kind: 'Pod' }],
      reach: 'own',
      absent: 'unknown',
      null: 'unknown',
      empty: 'unknown',
      mustMatchTemplate: false,
      immutable: false,
      plain: true,
    });
    assert.equal(kind?.plural, 'widgets');
    assert.equal(catalogue.kind('example.com', 'v1', 'Widget'), undefined);
    assert.equal(taught.catalogue.kind('apps', 'v1', 'Deployment'), catalogue.kind('apps', 'v1', 'Deployment'));
    assert.equal(taught.catalogue.kind('example.com', 'v1', 'Widget'), kind);
  });

  it('a pod template includes all its parts', () => {
    const kind = withUserKinds(catalogue, [widget]).catalogue.kind('example.com', 'v1', 'Widget');
    assert.deepEqual(kind?.templates[0], { path: 'spec.template', makes: { group: '', kind: 'Pod' }, open: true });
    const term = 'spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[]';
    assert.deepEqual(kind?.selectors.find((fact) => fact.path === `${term}.labelSelector`)?.reach, {
      namespaceSelectorAt: `${term}.namespaceSelector`,
      namesAt: `${term}.namespaces`,
    });
    assert.deepEqual(
      kind?.labels.filter((place) => place.holds === 'labels').map((place) => place.path),
      [
        'spec.podLabels',
        'spec.template.metadata.labels',
        'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.metadata.labels',
      ],
    );
  });

  it('can express every fact of the catalogue', () => {
    const { catalogue: taught, problems: none } = withUserKinds(catalogue, [
      {
        group: 'example.com',
        kind: 'Fleet',
        versions: ['v1', 'v1beta1'],
        namespaced: false,
        plural: 'fleets',
        shortNames: ['fl'],
        selectors: [
          {
            path: 'spec.ships[].selector',
            form: 'map',
            targets: [{ kind: 'Pod' }],
            reach: { namespaceSelectorAt: 'spec.ships[].namespaceSelector', otherwise: 'all' },
            absent: 'nothing',
            null: 'all',
            empty: 'sameAsAbsent',
            immutable: true,
          },
        ],
        podTemplates: [
          {
            path: 'spec.crew',
            labelsAt: 'spec.crewLabels',
            open: false,
            sets: { 'example.com/fleet': null, app: 'ship' },
          },
        ],
        labelKeys: ['spec.groupBy'],
      },
    ]);
    assert.deepEqual(none, []);
    const kind = taught.kind('example.com', 'v1', 'Fleet');
    const selector = kind?.selectors[0];
    assert.deepEqual([selector?.absent, selector?.null, selector?.empty], ['nothing', 'all', 'nothing']);
    assert.deepEqual(selector?.reach, { namespaceSelectorAt: 'spec.ships[].namespaceSelector', otherwise: 'all' });
    assert.deepEqual(kind?.templates[0], {
      path: 'spec.crew',
      makes: { group: '', kind: 'Pod' },
      open: false,
      labelsAt: 'spec.crewLabels',
      sets: { 'example.com/fleet': null, app: 'ship' },
    });
    assert.equal(kind?.namespaced, false);
    assert.equal(taught.kind('example.com', 'v2', 'Fleet'), undefined);
    assert.deepEqual(taught.named('fl'), [{ group: 'example.com', kind: 'Fleet' }]);
    assert.deepEqual(taught.named('fleets.example.com'), [{ group: 'example.com', kind: 'Fleet' }]);
  });

  it('extend known kinds, and win if both describe one field', () => {
    const { catalogue: taught } = withUserKinds(catalogue, [
      {
        group: 'argoproj.io',
        kind: 'Rollout',
        selectors: [{ path: 'spec.selector', form: 'labelSelector', absent: 'nothing' }, { path: 'spec.extra' }],
      },
    ]);
    const before = catalogue.kind('argoproj.io', 'v1alpha1', 'Rollout');
    const after = taught.kind('argoproj.io', 'v1alpha1', 'Rollout');
    assert.equal(after?.selectors.find((fact) => fact.path === 'spec.selector')?.absent, 'nothing');
    assert.equal(after?.selectors.length, (before?.selectors.length ?? 0) + 1);
    assert.deepEqual(after?.templates, before?.templates);
    assert.deepEqual(after?.versions, before?.versions);
  });
});

describe('a problem of an entry', () => {
  it('is reported with its path, and the rest still applies', () => {
    const { catalogue: taught, problems: told } = withUserKinds(catalogue, [
      { ...widget, selectors: [{ path: 'spec.selector', form: 'glob' }, { path: 'spec.other' }], colour: 'red' },
    ]);
    assert.deepEqual(
      told.map((problem) => `${problem.path.join('.')} ${problem.code}`),
      ['0.colour unknown-key', '0.selectors.0.form not-a-word'],
    );
    const paths = taught.kind('example.com', 'v1', 'Widget')?.selectors.map((fact) => fact.path) ?? [];
    assert.equal(paths.includes('spec.other'), true);
    assert.equal(paths.includes('spec.selector'), false);
  });

  const rows: readonly (readonly [entries: unknown, problem: string])[] = [
    ['nope', ' not-a-list: must be a list'],
    [[7], '0 not-a-map: must be a map'],
    [[{ group: 'x' }], '0.kind missing: must have the field `kind`'],
    [[{ kind: 3 }], '0.kind not-a-string: must be a string'],
    [[{ kind: 'W', labels: 'spec.labels' }], '0.labels not-a-list: must be a list'],
    [[{ kind: 'W', namespaced: 'yes' }], "0.namespaced not-a-boolean: must be 'true' or 'false'"],
    [[{ kind: 'W', selectors: [{}] }], '0.selectors.0.path missing: must have the field `path`'],
    [[{ kind: 'W', podTemplates: [{ open: true }] }], '0.podTemplates.0.path missing: must have the field `path`'],
    [
      [{ kind: 'W', podTemplates: ['spec..template'] }],
      "0.podTemplates.0 not-a-path: must be a path such as 'spec.selector', 'spec.parts[].selector' or 'spec.byName.*'",
    ],
    [
      [{ kind: 'W', selectors: [{ path: 'spec.selector', reach: 'everywhere' }] }],
      "0.selectors.0.reach not-a-word: must be one of 'own', 'all', 'cluster', 'unknown'",
    ],
    [
      [{ kind: 'W', selectors: [{ path: 'a', targets: [{}] }] }],
      '0.selectors.0.targets.0.kind missing: must have the field `kind`',
    ],
    [
      [{ kind: 'W', podTemplates: [{ path: 'a', sets: { app: 1 } }] }],
      '0.podTemplates.0.sets.app not-a-string: must be a string',
    ],
  ];
  for (const [entries, problem] of rows) {
    it(problem, () => assert.deepEqual(problems(entries), [problem]));
  }

  it('is not reported for an empty entry', () => {
    for (const entries of [undefined, null, []]) assert.deepEqual(problems(entries), []);
    assert.equal(withUserKinds(catalogue, []).catalogue, catalogue);
  });

  it('names with a meaning in JavaScript are ordinary names', () => {
    const entries = JSON.parse(
      '[{"kind":"__proto__","group":"constructor","podTemplates":[{"path":"a","sets":{"__proto__":"x"}}]}]',
    );
    const taught = withUserKinds(catalogue, entries);
    assert.deepEqual(taught.problems, []);
    assert.equal(taught.catalogue.kind('constructor', 'v1', '__proto__')?.templates[0]?.path, 'a');
  });

  it('a long path without an end is rejected in linear time', () => {
    assert.equal(problems([{ kind: 'W', podTemplates: [`${'a[].'.repeat(250_000)}!`] }]).length, 1);
    assert.equal(problems([{ kind: 'W', podTemplates: [`${'a'.repeat(1_000_000)}!`] }]).length, 1);
  });
});
