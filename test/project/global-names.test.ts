/** Tests that a rule cannot depend on the names of objects in other scopes, or on which scopes and files there are, without recording it: after an edit, only files whose recorded questions the edit concerns are checked again. */

import assert from 'node:assert/strict';
import { bareCode, sourcesIn } from './sources.ts';

/** Reads of the facts or names of all files; facts of a given file are those of its scope. Other look-ups of names record themselves. */
const reads = /\.(?:facts|structure)\(\)(?!\s*\.get\()|\b(?:namesByKind|generatorsOf)\(/;
const records = /\.note(?:Around)?\((?:\{ about: '(?:named|anything)'|question\))/;

/** Modules that read names and record no question, each with the reason why none is needed. */
const exceptions: Readonly<Record<string, string>> = {
  'server/src/compare/escapes.ts': 'It reads the folders of Flux Kustomizations, not names.',
  'server/src/workspace/kustomize/cycles.ts': 'It reads the lists of kustomizations, not names.',
  'server/src/workspace/kustomize/listed-together.ts':
    'It reads files that a kustomization lists, which are checked together.',
  'server/src/workspace/kustomize/named-files.ts': 'It reads the lists of kustomizations, not names.',
  'server/src/workspace/kustomize/scopes-that-may-build.ts': 'It reads kustomizations, not names.',
  'server/src/workspace/kustomize/shared-files.ts': 'It counts objects; all files are checked again near its limit.',
  'server/src/workspace/dependencies/neighbors.ts': 'It determines what is checked again.',
  'server/src/workspace/dependencies/recheck.ts': 'It determines what is checked again.',
  'server/src/workspace/mutations.ts': 'All files are checked again after a change of scopes beside mutations.',
  'server/src/workspace/references/producers.ts': 'It reads the files of a scope of the checked object.',
  'server/src/workspace/reach/cluster-scopes.ts': 'Its callers record that they asked about the cluster.',
};

const folders = ['server/src/compare', 'server/src/rules', 'server/src/workspace'];
/** Layers below rules: they compute scopes, and names do not change which scopes there are. The files of GitOps objects are checked again whenever a name or a scope changes. */
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

/** Reads of all scopes, or of which files exist. */
const lists =
  /\bscopes(?:\(\))?\s*\.all\(\)|\bworkspace\.files\.(?:keys|values|entries|forEach|has)\b|\bworkspace\.files\.size\b/;
const recordsAny = /\.note\(\{ about: '/;

/** Modules that read which scopes or files there are and record no question, each with the reason why none is needed. */
const listExceptions: Readonly<Record<string, string>> = {
  'server/src/rules/commands/command-argument.ts': 'Files with commands are checked again after every change.',
  'server/src/compare/gitops-state.ts': 'It compares two states; reports of such comparisons are not reused.',
  'server/src/compare/object-differences.ts': 'It compares two states; reports of such comparisons are not reused.',
  'server/src/rules/kustomize/kustomize-resource-missing.ts': 'It looks up single files, which records itself.',
  'server/src/workspace/command-paths.ts': 'Files with commands are checked again after every change.',
  'server/src/workspace/kustomize/generator-contents.ts': 'It reads a file that exists.',
  'server/src/workspace/kustomize/kustomization-paths.ts':
    'The kustomizations that list a folder are checked again if a kustomization in it is added or deleted.',
  'server/src/workspace/kustomize/renderings.ts': 'Its caller records the question.',
  'server/src/workspace/kustomize/scopes-that-may-build.ts': 'Its caller records the question.',
  'server/src/workspace/kustomize/shared-files.ts': 'All files are checked again near its limit.',
  'server/src/workspace/dependencies/moved-files.ts': 'It determines what is checked again.',
  'server/src/workspace/dependencies/neighbors.ts': 'It determines what is checked again.',
  'server/src/workspace/dependencies/recheck.ts': 'It determines what is checked again.',
  'server/src/workspace/selectable-fields.ts': 'It reads definitions, after whose changes all files are checked again.',
  'server/src/workspace/selection/applied-selection.ts': 'Files with commands are checked again after every change.',
  'server/src/workspace/selection/candidates.ts': 'Only commands use it.',
  'server/src/workspace/selection/uncompared.ts': 'Only commands use it.',
  'server/src/workspace/snapshot.ts': 'It determines only whether charts need a second view of the same files.',
  'server/src/workspace/summary.ts': 'It counts files for the user.',
};

describe('modules that read which scopes or files there are', () => {
  const reading = sourcesIn(...folders).filter((source) => !below.test(source.path) && lists.test(bareCode(source)));

  it('record questions, or state why they need none', () => {
    const silent = reading.filter(({ path, text }) => !recordsAny.test(text) && listExceptions[path] === undefined);
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  it('are the known exceptions', () => {
    const known = new Set(reading.map(({ path }) => path));
    assert.deepEqual(
      Object.keys(listExceptions).filter((path) => !known.has(path)),
      [],
    );
  });
});
