/** Tests that a rule cannot depend on the names of objects in other scopes without recording it: after an edit that only changes names, only files whose recorded questions the edit concerns are checked again. */

import assert from 'node:assert/strict';
import { bareCode, sourcesIn } from './sources.ts';

/** Reads of the facts or names of all files; facts of a given file are those of its scope. */
const reads = /\.facts\(\)(?!\s*\.get\()|\b(?:namesByKind|filesThatMake|filesThatName)\(/;
const records = /\.note\(\{ about: '(?:named|anything)'/;

/** Modules that read names and record no question, each with the reason why none is needed. */
const exceptions: Readonly<Record<string, string>> = {
  'server/src/rules/helpers/co-applied.ts': 'It reads the files of one scope.',
  'server/src/rules/helpers/escapes.ts': 'It reads the folders of Flux Kustomizations, not names.',
  'server/src/rules/kustomize/kustomize-cycle.ts': 'It reads the lists of kustomizations, not names.',
  'server/src/rules/names/name-collision.ts':
    'It compares files that a kustomization lists, which are checked together.',
  'server/src/workspace/kustomize/named-files.ts': 'It reads the lists of kustomizations, not names.',
  'server/src/workspace/kustomize/shared-files.ts': 'It counts objects; all files are checked again near its limit.',
  'server/src/workspace/recheck.ts': 'It determines what is checked again.',
  'server/src/workspace/references/candidates.ts': 'Only completion uses it.',
  'server/src/workspace/references/names.ts': 'Its callers record what they look up.',
  'server/src/workspace/references/referring.ts': 'Only features and commands use it.',
};

const folders = ['server/src/rules', 'server/src/workspace'];
/** Layers below rules: they compute scopes, and names do not change which scopes there are. GitOps objects make every file depend on every edit of names. */
const below = /^server\/src\/(?:workspace\/(?:scopes|gitops|live|store|charts)\/|rules\/gitops\/)/;

describe('modules that read the names of all objects', () => {
  const reading = sourcesIn(...folders).filter((source) => !below.test(source.path) && reads.test(bareCode(source)));

  it('record questions, or state why they need none', () => {
    const silent = reading.filter(({ path, text }) => !records.test(text) && exceptions[path] === undefined);
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  it('are the known exceptions', () => {
    const known = new Set(reading.map(({ path }) => path));
    assert.deepEqual(
      Object.keys(exceptions).filter((path) => !known.has(path)),
      [],
    );
  });
});
