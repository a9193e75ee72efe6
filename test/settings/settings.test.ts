/** Tests the settings of the user. Invalid values keep their defaults and are reported. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { allRules } from '../../server/src/rules/all.ts';
import { readSettings } from '../../server/src/settings/read.ts';
import { defaultSettings, describeSettings } from '../../server/src/settings/settings.ts';
import { bench } from '../harness/bench.ts';

describe('settings', () => {
  it('have their defaults unless they are configured', () => {
    for (const nothing of [undefined, null, {}, [], 'x', 7, { rules: null, maximumFiles: null }]) {
      assert.deepEqual(readSettings(nothing), { settings: defaultSettings, problems: [] });
    }
  });

  it('have the configured values', () => {
    const limits = { maximumFileSize: 10, maximumFiles: 3 };
    const chosen = {
      problems: 'workspace',
      coexist: 'off',
      compareWith: 'index',
      level: 'strict',
      rules: { 'label-key-syntax': 'hint' },
      ...limits,
      include: ['apps/**'],
      exclude: ['old'],
      codeLens: false,
      codeLensPosition: 'kind',
      referencesCodeLens: false,
      inlayHints: true,
      recommendedLabels: { keys: ['team'], kinds: ['Service'] },
      labelPolicy: [
        { key: 'team', kinds: ['*'], required: true, values: ['blue'] },
        { key: 'old', forbidden: true },
      ],
      inlineSelectors: { ...defaultSettings.inlineSelectors, markdown: false },
    };
    assert.deepEqual(readSettings(chosen), { settings: chosen, problems: [] });
  });

  it('do not lift the limits of indexing', () => {
    const { settings, problems } = readSettings({ maximumFileSize: 1_000_000_000, maximumFiles: 2_000_000 });
    assert.deepEqual(settings, defaultSettings);
    assert.equal(problems.length, 2);
    const { untrustedWorkspaces } = JSON.parse(readFileSync('package.json', 'utf8')).capabilities;
    assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, [
      'selectorLens.maximumFileSize',
      'selectorLens.maximumFiles',
    ]);
  });

  it('report invalid values, and use the rest', () => {
    const { settings, problems } = readSettings({
      rules: { 'label-key-syntax': 'loud', 'label-value-type': 'off' },
      maximumFileSize: -1,
      maximumFiles: '7',
      problems: 'all',
      compareWith: 1,
      exclude: 'old',
      codeLens: 'no',
      inlayHints: 1,
      recommendedLabels: { keys: 'team' },
      labelPolicy: [{ key: 'team' }, { required: true }],
    });
    assert.deepEqual(settings, { ...defaultSettings, rules: { 'label-value-type': 'off' } });
    assert.deepEqual(problems, [
      "selectorLens.rules: the severity of 'label-key-syntax' must be one of off, hint, information, warning, error.",
      'selectorLens.problems must be one of openFiles, workspace.',
      'selectorLens.compareWith must be a string.',
      'selectorLens.maximumFileSize must be a whole number from 1 to 100000000.',
      'selectorLens.maximumFiles must be a whole number from 1 to 1000000.',
      'selectorLens.exclude must be a list of globs.',
      'selectorLens.codeLens must be true or false.',
      'selectorLens.inlayHints must be true or false.',
      'selectorLens.recommendedLabels must have lists of keys and of kinds.',
      'selectorLens.labelPolicy must be a list, each item with a key.',
    ]);
  });

  it('leave out globs that are too long or too many, and report that', () => {
    const many = Array.from({ length: 2001 }, (_, number) => `f${number}`);
    const { settings, problems } = readSettings({ include: ['a'.repeat(501), 'b'], exclude: many });
    assert.deepEqual(settings.include, ['b']);
    assert.deepEqual(settings.exclude, many.slice(0, 2000));
    assert.deepEqual(
      problems,
      ['include', 'exclude'].map(
        (name) =>
          `selectorLens.${name} may have at most 2000 globs of at most 500 characters. The others are left out.`,
      ),
    );
  });

  it('are documented with a row for every rule', () => {
    const rules = describeSettings(allRules).find((each) => each.name === 'rules');
    const properties = rules?.schema['properties'];
    assert.deepEqual(
      Object.keys(properties ?? {}),
      allRules.map((rule) => rule.id),
    );
    assert.deepEqual(
      describeSettings(allRules).map((each) => each.name),
      Object.keys(defaultSettings),
    );
  });
});

describe('severities', () => {
  const fixture = `
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: prices
      labels:
        team: team blue
        build: 7
  `;

  it('are the configured ones', async () => {
    const b = await bench(fixture, { settings: { rules: { 'label-value-syntax': 'hint' } } });
    assert.deepEqual(
      b.findings().map((finding) => `${finding.severity} ${finding.rule}`),
      ['hint label-value-syntax', 'error label-value-type'],
    );
  });

  it('disable a rule that is off', async () => {
    const b = await bench(fixture, { settings: { rules: { 'label-value-syntax': 'off' } } });
    assert.deepEqual(
      b.findings().map((finding) => finding.rule),
      ['label-value-type'],
    );
  });
});
