/** Tests over the corpora that one fact has one sentence: CodeLens, hover, list, page, map, problems and command line agree about what a selector matches. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from '../../server/src/cli/environment.ts';
import { loadRules } from '../../server/src/cli/load-rules.ts';
import { type AppliedObject, appliedObjects } from '../../server/src/cli/objects/applied-objects.ts';
import { selectorsOfObject } from '../../server/src/cli/objects/matches-of-object.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { getOrAdd } from '../../server/src/engine/memoize.ts';
import { type Lens, lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { type ScopeGraph, scopeGraph } from '../../server/src/features/graph/scope-graph.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { explainObject } from '../../server/src/features/pages/explain-object.ts';
import { preview } from '../../server/src/features/pages/preview.ts';
import { toPlainText } from '../../server/src/features/presentation/rich-text.ts';
import type { FileView } from '../../server/src/features/view.ts';
import type { ManifestObject, SelectorSite } from '../../server/src/manifests/model.ts';
import { shownName } from '../../server/src/manifests/shown-name.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import type { Preview, PreviewGroup, PreviewItem } from '../../server/src/protocol.ts';
import { Session } from '../../server/src/session.ts';
import { describeCorpora, sources } from './corpus.ts';

/** What all statements about one selector are compared with. */
interface Asked {
  readonly view: FileView;
  readonly object: ManifestObject;
  readonly site: SelectorSite;
  readonly list: Preview;
  readonly lenses: readonly Lens[];
}

/** What is computed once for all selectors. */
interface Around {
  readonly session: Session;
  readonly world: World;
  /** The objects as they are applied, by file and position. */
  readonly applied: ReadonlyMap<string, readonly AppliedObject[]>;
}

function groupOf({ groups }: Preview, kind: PreviewGroup['kind']): PreviewGroup | undefined {
  return groups.find((group) => group.kind === kind);
}

function totalOf(list: Preview, kind: PreviewGroup['kind']): number {
  return groupOf(list, kind)?.total ?? 0;
}

function namesIn(list: Preview, kind: PreviewGroup['kind'], isMeant = (_: PreviewItem) => true): readonly string[] {
  const items = groupOf(list, kind)?.items.filter(isMeant) ?? [];
  return [...new Set(items.map((item) => `${item.kind}/${item.name}`))].toSorted();
}

/** The lens of a selector, if it has one, states the number or the name of the listed matches, or their absence. */
function* lensFaults({ view, object, site, list, lenses: all }: Asked): Generator<string> {
  const index = view.file.manifest.objects.indexOf(object);
  const lens = all.find((each) => each.object === index && each.path === site.path);
  const text = lens && lensText(view, lens);
  if (text === undefined || list.selector === '') return;
  const [, what] = /^selects (\d+|[A-Za-z]+\/(?:\{\{.*?\}\}|[^\s;,{…])+)/.exec(text) ?? [];
  const isElsewhere = / (?:elsewhere|in another folder|in other folders)/.test(text);
  const names = namesIn(list, isElsewhere ? 'elsewhere' : 'matches');
  if (what?.includes('/') && !names[0]?.startsWith(what)) yield `lens '${text}', listed: ${names}`;
  if (text.startsWith('selects nothing') && names.length > 0) yield `lens '${text}', listed: ${names}`;
  if (text.startsWith('selects nothing') && list.verdict?.includes('unknown')) yield `lens '${text}': ${list.verdict}`;
  if (text.startsWith('matches unknown') && !list.verdict?.includes('unknown')) yield `lens '${text}': ${list.verdict}`;
}

/** The hover and the page contain the verdict of the list, and the hover the number of listed matches. */
function* textFaults({ view, object, site, list }: Asked): Generator<string> {
  const shown = toPlainText(hover(view, site.keySpan.start)?.text ?? []);
  const page = explainObject(view, object.kindSpan.start)?.markdown.replaceAll(/[*`\\]/g, '') ?? '';
  const verdict = list.verdict?.replaceAll('`', '');
  if (verdict !== undefined && !shown.replaceAll('`', '').includes(verdict))
    yield `hover without '${verdict}': ${shown}`;
  if (verdict !== undefined && !page.includes(verdict.replaceAll(/[*`\\]/g, ''))) yield `page without '${verdict}'`;
  if (verdict === undefined && /^Matches (?:nothing|unknown)/m.test(shown)) yield `hover has a verdict: ${shown}`;
  const counts = [...shown.matchAll(/^Matches (?!in another folder|in other folders|elsewhere)?[^(\n]*\((\d+)\)$/gm)];
  const sum = counts.filter(([line]) => !/^Matches (?:in another folder|in other folders|elsewhere) /.test(line));
  const total = sum.reduce((count, [, number]) => count + Number(number), 0);
  if (total !== totalOf(list, 'matches')) yield `hover counts ${total}, listed: ${totalOf(list, 'matches')}`;
}

/** The map draws the listed matches of the overlay. */
function* mapFaults({ view, object, site, list }: Asked, graph: ScopeGraph | undefined): Generator<string> {
  if (graph === undefined || graph.isCut) return;
  const node = graph.nodes.find(
    ({ where }) => where.file.uri === view.file.uri && where.object.kindSpan.start === object.kindSpan.start,
  );
  const names = new Map(graph.nodes.map((each) => [each.node.id, `${each.node.kind}/${each.node.name}`]));
  const drawn = graph.edges.flatMap(({ edge }) =>
    edge.from === node?.node.id && edge.label === site.path && edge.certain && edge.relation === 'selects'
      ? (names.get(edge.to) ?? [])
      : [],
  );
  const listed = namesIn(list, 'matches');
  for (const name of drawn) if (!listed.includes(name)) yield `map draws ${name}, listed: ${listed}`;
}

/** A problem that a selector matches nothing is beside no list of certain matches that says otherwise in every overlay. */
function* problemFaults({ list, site }: Asked, problems: readonly { start: number; end: number }[]): Generator<string> {
  const isReported = problems.some(({ start, end }) => start >= site.span.start && end <= site.span.end);
  const isFound = totalOf(list, 'matches') > 0 && (list.others ?? []).every(({ matches }) => matches > 0);
  if (isReported && isFound) yield `reported to match nothing, listed: ${namesIn(list, 'matches')}`;
}

/** The command line lists the same objects, and gives the same reason if the matches are unknown. */
function* commandFaults({ view, object, site, list }: Asked, { session, world, applied }: Around): Generator<string> {
  const all = applied.get(`${view.file.uri} ${object.kindSpan.start}`) ?? [];
  const one = all.find(({ builtBy }) => list.scope === undefined || builtBy?.path === list.scope.path);
  if (one === undefined || (list.scope === undefined && all.length > 1)) return;
  const answer = selectorsOfObject(world, session, one).find(({ selector }) => selector.path === site.path)?.selector;
  if (answer === undefined || answer.unknown || answer.elsewhere !== undefined) return;
  const certain = answer.matches
    .filter((each) => each.answer === 'yes' && !each.implied)
    .map(
      ({ kind, name }) => `${kind}/${shownName({ text: name, value: name.includes('{{') ? { unknown: name } : name })}`,
    );
  const names = [...new Set(certain)].toSorted();
  // The command line examines only the files of the scope for namespaces that no file declares.
  const listed = namesIn(list, 'matches', ({ uri, reason }) => uri !== '' || reason === undefined);
  if (totalOf(list, 'matches') < 200 && names.join() !== listed.join())
    yield `command line: ${names}; listed: ${listed}`;
  if (answer.matches.length > 0 || list.verdict === undefined) return;
  const [, why] = /unknown[^:]*: (.*)\.$/.exec(list.verdict) ?? [];
  if (answer.uncertain !== why) yield `command line: ${answer.uncertain}; list: ${list.verdict}`;
}

describeCorpora('the statements about a selector', (corpus) => {
  before(loadRules);
  for (const name of sources(corpus))
    it(`of ${name} agree in CodeLens, hover, list, page, map, problems and command line`, async () => {
      const log = { info() {}, warn() {}, bug: (where: string, what: unknown) => assert.fail(`${where}: ${what}`) };
      const session = new Session({ catalogue, log });
      const folder = fileUri(join(corpus.folder, name));
      await session.workspace.load(
        diskFiles(),
        [folder],
        () => {},
        () => false,
      );
      const world = { currentFolder: folder } as World; // only paths are formatted
      const applied = new Map<string, AppliedObject[]>();
      for (const each of appliedObjects(session))
        getOrAdd(applied, `${each.file.uri} ${each.object.kindSpan.start}`, () => []).push(each);
      const faults: string[] = [];
      let compared = 0;
      for (const { uri, manifest } of [...session.snapshot().files.values()]) {
        if (!uri.startsWith('file:') || manifest.objects.length === 0) continue;
        const text = readFileSync(fileURLToPath(uri), 'utf8').replace(/^\uFEFF/, '');
        session.workspace.edit(uri, text, false, 'yaml');
        const view = session.fileView(uri);
        const found = view === undefined ? [] : session.check(view.file, () => text, 'selects-nothing');
        const problems = found.map(({ span }) => span);
        const shown = view === undefined ? [] : lenses(view);
        for (const object of view?.file.manifest.objects ?? [])
          for (const site of object.selectorSites) {
            const list = view && preview(view, site.keySpan.start);
            if (view === undefined || list?.about !== 'selector' || object.inline || !object.forCluster) continue;
            const asked = { view, object, site, list, lenses: shown };
            const question = { around: 'scope', connections: false, references: false } as const;
            const graph = scopeGraph(view, object.kindSpan.start, question);
            compared++;
            const all = [
              ...lensFaults(asked),
              ...textFaults(asked),
              ...mapFaults(asked, graph),
              ...problemFaults(asked, problems),
              ...commandFaults(asked, { session, world, applied }),
            ];
            const where = `${uri.slice(folder.length + 1)} ${object.kind}/${object.name?.text} ${site.path}`;
            faults.push(...all.map((fault) => `${where}: ${fault}`));
          }
        session.workspace.close(uri);
      }
      assert.deepEqual(faults, []);
      assert.ok(compared > 0 || manifestsWithoutSelectors.has(name), 'no selector was compared');
    });
});

const manifestsWithoutSelectors: ReadonlySet<string> = new Set(['ckad-exercises', 'runbooks']);
