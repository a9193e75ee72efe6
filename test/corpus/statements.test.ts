/** Tests of the lengths of statements over samples of the corpora: of lenses, and of what precedes the matches in hovers. */
import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import type { FileView } from '../../server/src/features/view.ts';
import type { ManifestObject } from '../../server/src/manifests/model.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Session } from '../../server/src/session.ts';
import { offsetToPosition } from '../../server/src/text/lines.ts';
import { describeCorpora, sources } from './corpus.ts';

const gitops = fileURLToPath(new URL('../../../shared/gitops-corpus', import.meta.url));
const review = fileURLToPath(new URL('../../../shared/review-corpus', import.meta.url));

const longestLens = 60;
const linesBeforeMatches = 3;

/** The maximum numbers of files of a source, and of positions in a file: each opened file and each hover takes its time. */
const maximumFiles = 25;
const maximumPositions = 40;

/** Returns at most a number of items, which are spread over all of them. */
function sampleOf<Item>(all: readonly Item[], most: number): readonly Item[] {
  const step = Math.ceil(all.length / most);
  return all.filter((_, index) => index % step === 0);
}

/** The views of some files of a source with manifests, each opened in the editor. */
function* viewsOf(session: Session): Generator<FileView> {
  const files = [...session.snapshot().files.values()].filter(
    ({ uri, manifest }) => uri.startsWith('file:') && manifest.objects.length > 0,
  );
  for (const { uri } of sampleOf(files, maximumFiles)) {
    session.workspace.edit(uri, readFileSync(fileURLToPath(uri), 'utf8').replace(/^\uFEFF/, ''), false, 'yaml');
    const view = session.fileView(uri);
    if (view !== undefined) yield view;
    session.workspace.close(uri);
  }
}

/** The lines of a hover before its answer: its first list, the statement that there is none, its command, or the rule line below its verdict. Empty lines and fences of code are not counted. */
function introduction(markdown: string): readonly string[] {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) =>
    /^(?:\*\*\*$|- |```sh$|\*\*[^*]+\*\* \(\d+\)|\*\*Matches (?:nothing|unknown))/.test(line),
  );
  return at === -1 ? [] : lines.slice(0, at).filter((line) => !line.startsWith('```'));
}

/** The positions of an object whose hovers list objects: its kind and name, its selectors, their entries, and its labels. */
function* positionsIn({ kindSpan, name, selectorSites, labelSites }: ManifestObject): Generator<number> {
  yield kindSpan.start;
  if (name !== undefined) yield name.span.start;
  for (const { keySpan, entries } of [...selectorSites, ...labelSites])
    yield* [keySpan.start, ...entries.flatMap(({ key }) => (key.origin === undefined ? [key.span.start] : []))];
}

/** The statements in a folder that are too long. */
async function longStatements(path: string): Promise<readonly string[]> {
  const problem = (where: string, what: unknown) => assert.fail(`${where}: ${what}`);
  const session = new Session({ catalogue, log: { info() {}, warn() {}, bug: problem } });
  const folder = fileUri(path);
  await session.workspace.load(
    diskFiles(),
    [folder],
    () => {},
    () => false,
  );
  const long: string[] = [];
  for (const view of viewsOf(session)) {
    const file = view.file.uri.slice(folder.length + 1);
    for (const lens of lenses(view)) {
      const text = lensText(view, lens);
      if (text === '' || (text ?? '').length > longestLens) long.push(`${file}: lens: '${text}'`);
    }
    const positions = new Set(view.file.manifest.objects.flatMap((object) => [...positionsIn(object)]));
    for (const at of sampleOf([...positions], maximumPositions)) {
      const lines = introduction(toMarkdown(hover(view, at)?.text ?? []));
      const { line } = offsetToPosition(view.file.lines, at);
      if (lines.length > linesBeforeMatches) long.push(`${file}:${line + 1}: hover: ${lines.join(' | ')}`);
    }
  }
  return long;
}

const title = (name: string) => `of ${name} are short: lenses, and hovers before their matches`;

describeCorpora('the statements', (corpus) => {
  for (const name of sources(corpus))
    it(title(name), async () => assert.deepEqual(await longStatements(join(corpus.folder, name)), []));
});

if (existsSync(gitops))
  describe('the statements (repositories of GitOps tools)', () => {
    for (const name of readdirSync(gitops, { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? each.name : [],
    ))
      it(title(name), async () => assert.deepEqual(await longStatements(join(gitops, name)), []));
  });

if (existsSync(review))
  describe('the statements (changes of real manifests)', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'statements-'));
    after(() => rmSync(scratch, { recursive: true, force: true }));
    for (const name of readdirSync(review).filter((each) => each.endsWith('.bundle')))
      it(title(name), async () => {
        const bundle = join(review, name);
        const folder = join(scratch, name);
        const heads = execFileSync('git', ['ls-remote', '--heads', bundle], { encoding: 'utf8' });
        const [, branch = ''] = /refs\/heads\/(\S+-after)$/m.exec(heads) ?? [];
        execFileSync('git', ['clone', '-q', '-b', branch, bundle, folder]);
        assert.deepEqual(await longStatements(folder), []);
      });
  });
