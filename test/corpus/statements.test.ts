/** Tests of the lengths of statements over the corpora: of lenses, and of what precedes the matches in hovers. */
import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import type { FileView } from '../../server/src/features/view.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Session } from '../../server/src/session.ts';
import { describeCorpora, sources } from './corpus.ts';

const longestLens = 60;
const linesBeforeMatches = 3;

/** The views of all files of a source with manifests, each opened in the editor. */
function* viewsOf(session: Session): Generator<FileView> {
  for (const { uri, manifest } of [...session.snapshot().files.values()]) {
    if (!uri.startsWith('file:') || manifest.objects.length === 0) continue;
    session.workspace.edit(uri, readFileSync(fileURLToPath(uri), 'utf8').replace(/^\uFEFF/, ''), false, 'yaml');
    const view = session.fileView(uri);
    if (view !== undefined) yield view;
    session.workspace.close(uri);
  }
}

/** The lines of a hover before its first list of objects, or before the rule line below its verdict, without empty lines and the fences of code. */
function introduction(markdown: string): readonly string[] {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
  const at = lines.findIndex((line) => line === '***' || /^\*\*[^*]+\*\* \(\d+\)/.test(line));
  return at === -1 ? [] : lines.slice(0, at);
}

describeCorpora('the statements', (corpus) => {
  for (const name of sources(corpus))
    it(`of ${name} are short: lenses, and hovers before their matches`, async () => {
      const problem = (where: string, what: unknown) => assert.fail(`${where}: ${what}`);
      const log = { info() {}, warn() {}, bug: problem };
      const session = new Session({ catalogue, log });
      const folder = fileUri(join(corpus.folder, name));
      await session.workspace.load(
        diskFiles(),
        [folder],
        () => {},
        () => false,
      );
      const long: string[] = [];
      for (const view of viewsOf(session)) {
        const path = view.file.uri.slice(folder.length + 1);
        for (const lens of lenses(view)) {
          const text = lensText(view, lens) ?? '';
          if (text.length > longestLens) long.push(`${path}: lens: ${text}`);
        }
        for (const { keySpan } of view.file.manifest.objects.flatMap(({ selectorSites }) => selectorSites)) {
          const lines = introduction(toMarkdown(hover(view, keySpan.start)?.text ?? []));
          if (lines.length > linesBeforeMatches) long.push(`${path}: hover: ${lines.join(' | ')}`);
        }
      }
      assert.deepEqual(long, []);
    });
});
