/** Keeps words of the old dialect out of the texts that users read, in the interface and the documents. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOf, type Text } from './glossary.ts';
import { root, sentencesOf, sourcesIn } from './sources.ts';

function interfaceTexts(): readonly Text[] {
  const folders = ['rules', 'features', 'cli', 'lsp', 'workspace', 'engine', 'settings', 'node', 'manifests'];
  const sources = sourcesIn('client/src', ...folders.map((folder) => `server/src/${folder}`));
  return sources.flatMap((source) =>
    sentencesOf(source)
      // Manifests of examples may contain any word.
      .filter((text) => !text.includes('apiVersion:'))
      .map((text) => ({ where: source.path, text })),
  );
}

function manifestTexts(value: unknown): readonly Text[] {
  if (typeof value === 'string') return [{ where: 'package.nls.json', text: value }];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(manifestTexts) : [];
}

/** Pages with other readers: the internals. */
const exceptions = /^docs\/architecture\b/;

/** The paragraphs of the pages, without their code. */
function pageTexts(): readonly Text[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => !exceptions.test(path));
  return ['README.md', ...pages].flatMap((where) =>
    readFileSync(join(root, where), 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
      .replaceAll(/`[^`\n]*`/g, '`')
      .split(/\n\n+/)
      .map((text) => ({ where, text: text.replaceAll('\n', ' ') })),
  );
}

/** The names of types with several words, which a rename in an editor may also put into sentences. */
function typeNames(): ReadonlySet<string> {
  const declaration = /^(?:export )?(?:abstract )?(?:interface|type|class) ([A-Z][a-z]+[A-Z]\w*)/gm;
  return new Set(
    sourcesIn('client/src', 'server/src').flatMap(({ text }) =>
      [...text.matchAll(declaration)].map(([, name = '']) => name),
    ),
  );
}

describe('the words of texts for users', () => {
  it('include no name of a type of this program', () => {
    const names = typeNames();
    const texts = Object.keys(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));
    const isName = (word: string) => names.has(word);
    assert.deepEqual(
      texts.filter((text) =>
        text
          .replaceAll(/`[^`]*`/g, '')
          .split(/\W+/)
          .some(isName),
      ),
      [],
    );
  });

  it('are the standard ones in the interface', () => {
    assert.deepEqual(faultsOf(interfaceTexts()), []);
  });

  it('are the standard ones in package.nls.json', () => {
    assert.deepEqual(faultsOf(manifestTexts(JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')))), []);
  });

  it('are the standard ones in the documents', () => {
    assert.deepEqual(faultsOf(pageTexts()), []);
  });
});
