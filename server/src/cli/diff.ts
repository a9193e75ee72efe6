/** `selector-lens diff`: what selects what in one tree, and no longer, or newly, in the other? */

import { escapeMarkdown } from '../features/markdown.ts';
import type { Service } from '../service.ts';
import { relativePath } from '../workspace/uri.ts';
import { type Arguments, choice, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { type Change, compare, type Tree } from './compare.ts';
import { lookUp, refuseBrokenConfigs, saySkipped, serviceOf } from './indexed.ts';
import { painter, tame, tameJson } from './paint.ts';
import { formats, namespace } from './shared-options.ts';
import { counted } from './words.ts';
import type { World } from './world.ts';

export const diff: Command = {
  name: 'diff',
  summary: 'Shows what selects what in one tree of manifests and no longer, or newly, in the other.',
  details: [
    'For reviews: check out the state before into another folder, with `git worktree add`, or render both. Only what is certain counts. The exit code is 1 where something that matched no longer does, or where a selector changed that the API server does not let change.',
  ],
  operand: { shown: 'OLD NEW', says: 'Two folders, or two files.', completes: 'paths', most: 2 },
  options: [formats('text', 'json', 'markdown'), namespace],
  examples: [
    { line: 'selector-lens diff ../main/deploy deploy', says: 'What does this branch change?' },
    { line: 'selector-lens diff --format markdown old.yaml new.yaml', says: 'As a comment on a pull request.' },
  ],
  run: runDiff,
};

async function runDiff(world: World, given: Arguments): Promise<number> {
  const [oldPath, newPath] = given.paths;
  if (oldPath === undefined || newPath === undefined) throw new UsageError("'diff' takes two paths: OLD and NEW.");
  const format = choice(given, 'format', ['text', 'json', 'markdown']);
  const changes = compare(await treeAt(world, given, oldPath), await treeAt(world, given, newPath));
  const broken = changes.filter(({ kind }) => kind !== 'gained').length;
  const writers = {
    text: () => textLines(world, changes),
    json: () => [tameJson({ changes, summary: countsOf(changes) })],
    markdown: () => markdownLines(changes),
  };
  for (const line of writers[format]()) world.out(line);
  return broken > 0 ? 1 : 0;
}

async function treeAt(world: World, given: Arguments, path: string): Promise<Tree> {
  const named = await lookUp(world, path);
  const service = await serviceOf(world, given, named.kind === 'folder' ? [named.uri] : []);
  if (named.kind === 'file') {
    const [read] = await world.files.read([named.uri], service.settings.maximumFileSize);
    if (read === undefined || 'skipped' in read)
      throw new UsageError(`'${path}' cannot be read: ${read?.skipped ?? 'it is gone'}.`);
    service.update([[named.uri, read]]);
  }
  saySkipped(world, service.skipped());
  const [missing, ...others] = missingFrom(service);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  if (service.summary().objects === 0)
    throw new UsageError(
      `There are no Kubernetes manifests in '${path}'.${missing === undefined ? '' : ` ${missing}`}`,
    );
  if (missing !== undefined) world.err(tame(`selector-lens: Not all that '${path}' builds is here: ${missing}${more}`));
  const files = [...service.workspace().files.values()];
  refuseBrokenConfigs(world, service, files);
  const skipped = service.skipped().map(({ uri }) => relativePath(named.uri, uri));
  return { service, root: named.uri, skipped };
}

/** What kustomizations build of what is not in the tree, as sentences; what a chart lacks is not built here at all. */
function missingFrom(service: Service): readonly string[] {
  return service
    .workspace()
    .scopes()
    .all()
    .flatMap(({ kind, closed }) => (kind !== 'kustomization' || closed === true ? [] : closed.openBecause));
}

function countsOf(changes: readonly Change[]) {
  const count = (kind: Change['kind']) => changes.filter((each) => each.kind === kind).length;
  return { lost: count('lost'), gained: count('gained'), immutable: count('immutable') };
}

const titles = { immutable: 'Refused updates', lost: 'No longer selected', gained: 'Newly selected' } as const;
const styles = { immutable: 'red', lost: 'red', gained: 'green' } as const;
const marks = { immutable: '!', lost: '-', gained: '+' } as const;

function textLines(world: World, changes: readonly Change[]): readonly string[] {
  const paint = painter(world.colours === true);
  const lines = changes.map(({ kind, message }) => `${paint(marks[kind], styles[kind], 'bold')} ${tame(message)}`);
  return [...lines, ...(lines.length === 0 ? [] : ['']), `${paint(countLine(changes), 'bold')}`];
}

function countLine(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Every selector takes what it took before.';
  const { lost, gained, immutable } = countsOf(changes);
  const refused = immutable === 0 ? '' : `, ${counted(immutable, 'update')} that will be refused`;
  return `${lost} lost ${lost === 1 ? 'match' : 'matches'}, ${gained} new${refused}.`;
}

function markdownLines(changes: readonly Change[]): readonly string[] {
  const sections = (['immutable', 'lost', 'gained'] as const).flatMap((kind) => {
    const theirs = changes.filter((each) => each.kind === kind);
    return theirs.length === 0
      ? []
      : [`#### ${titles[kind]}`, '', ...theirs.map(({ message }) => `- ${escapeMarkdown(message)}`), ''];
  });
  return ['### What selects what', '', ...sections, countLine(changes)];
}
