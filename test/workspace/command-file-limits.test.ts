/**
 * Tests the limits of commands in closed files: if there are too many files or a file is too large, the search is
 * incomplete.
 */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { CommandFiles, commandFileLimits, readCommands } from '../../server/src/workspace/live/command-files.ts';
import { readFile } from '../../server/src/workspace/snapshot.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const folder = 'file:///work';
const command = (app: string) => `kubectl get pods -l app=${app}\n`;
const uriOf = (number: number) => `${folder}/${String(number).padStart(4, '0')}.sh`;

function memoryFiles(count: number, textOf: (number: number) => string): MemoryFiles {
  return new MemoryFiles(Array.from({ length: count }, (_, number) => [uriOf(number), textOf(number)] as const));
}

const options = {
  folders: [folder],
  maximumFileSize: 5_000_000,
  maximumFiles: 50_000,
  catalogue,
  others: [],
  include: [],
  exclude: [],
  excludedByEditor: [],
};

describe('commands in closed files', () => {
  it('are searched until the total size of all files is too large, which is logged', async () => {
    const filler = `# ${'x'.repeat(900_000)}\n`;
    const files = memoryFiles(30, (number) => filler + command(`a${number}`));
    const warnings: string[] = [];
    const log = {
      info() {},
      warn: (message: string) => warnings.push(message),
      bug: (_: string, error: unknown) => assert.fail(String(error)),
    };
    const found = await new CommandFiles(log).filesNaming(files, 'app', options);
    assert.equal(found.length, Math.floor(commandFileLimits.characters / (filler.length + command('a10').length)));
    assert.deepEqual(warnings, ['Commands are searched in 22 of 30 files only, because the files are too large.']);
    assert.ok(Math.max(...files.slices) <= 16);
  });

  it('are retained if they contain the word; others of the same file are not', async () => {
    const files = memoryFiles(3, (number) => command('a').repeat(9) + command(`b${number}`));
    const uris = [...files.texts.keys()];
    const read = (uri: string, text: string) => readFile(uri, text, catalogue);
    const found = await readCommands(files, uris, 'b1', 1_000_000, read);
    assert.deepEqual(
      found.map(({ uri, manifest }) => [uri, manifest.inline?.length]),
      [[uriOf(1), 1]],
    );
    assert.equal(files.pauses, 3);
  });

  it('are left out after very many, reading a few files at once', async () => {
    const perFile = 1000;
    const files = memoryFiles(64, () => command('a').repeat(perFile));
    const read = (uri: string, text: string) => readFile(uri, text, catalogue);
    const found = await readCommands(files, [...files.texts.keys()], 'app', 1_000_000, read);
    assert.equal(found.length, commandFileLimits.commands / perFile);
    assert.deepEqual(files.slices, [16, 16]);
  });
});
