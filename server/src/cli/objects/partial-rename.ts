/** Limits a rename to the edits of one object or of some files, and lists the effects of this part alone. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { AnnotatedEdit } from '../../features/rename/annotated-edits.ts';
import type { Look, Renamed } from '../../features/rename/rename.ts';
import { objectKey } from '../../features/rename/renamed-labels.ts';
import { applyEdits } from '../../text/edit.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { Arguments } from '../commands/command.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { counted } from '../output/counts.ts';
import { nameList } from '../output/name-list.ts';
import { displayPath } from '../paths/display-path.ts';
import { locate } from '../paths/requested-paths.ts';
import type { AppliedObject } from './applied-objects.ts';
import { changeLine, changesOf, namesScopes, type ObjectChange } from './effects.ts';
import { writtenAs } from './named-objects.ts';
import { proposedSession } from './proposed.ts';

type RenamedEdit = AnnotatedEdit<Look>;

/** The part of a rename that options select. */
export interface Part {
  /** The keys of the only objects that may change; undefined for all objects. */
  readonly objects: ReadonlySet<string> | undefined;
  /** The files and folders in which text may change; undefined for all files. */
  readonly uris: readonly string[] | undefined;
}

/** The facts about a part of a rename, and the lines about them. */
export interface Narrowed {
  readonly facts: NarrowedFacts;
  readonly lines: readonly string[];
}

interface NarrowedFacts {
  /** The number of edits of the rename that are not in the part. */
  readonly omitted: number;
  /** The changed matches and rejected updates if only the part is applied. */
  readonly changes: readonly {
    readonly kind: ObjectChange['kind'];
    readonly message: string;
    readonly scopes: readonly string[];
    readonly file?: string;
    readonly line?: number;
  }[];
}

/** Returns the part of a rename that the options `--only-object` and `--only-in` define; undefined without them. */
export async function partOf(
  world: World,
  { session }: Indexed,
  given: Arguments,
  named: readonly AppliedObject[],
): Promise<Part | undefined> {
  const isObject = given.flags.has('only-object');
  const paths = given.lists.get('only-in');
  if (!isObject && paths === undefined) return undefined;
  const written = named.flatMap((each) => [each, ...writtenAs(session, each)]);
  const places = await Promise.all((paths ?? []).map((path) => locate(world, path)));
  return {
    objects: isObject ? new Set(written.map(objectKey)) : undefined,
    uris: paths && places.map(({ uri }) => uri),
  };
}

/** Returns the edits in a part of a rename, or the reason why the part is empty. */
export function narrowedTo(
  world: World,
  { edits, notes }: Renamed,
  { objects, uris }: Part,
): { readonly renamed: Renamed; readonly refused?: string } {
  const isIn = (uri: string) => uris === undefined || uris.some((each) => isWithin(uri, each));
  const isOwn = ({ owners = nothing }: { readonly owners?: ReadonlySet<string> }) =>
    objects === undefined || (owners.size > 0 && [...owners].every((each) => objects.has(each)));
  const kept = [...edits].flatMap(([uri, inFile]) => {
    const found = isIn(uri) ? inFile.filter(isOwn) : [];
    return found.length === 0 ? [] : [[uri, found.map(alone)] as const];
  });
  const renamed = { edits: new Map(kept), notes };
  if (kept.length > 0) return { renamed };
  const shared = [...edits].find(
    ([uri, inFile]) => isIn(uri) && inFile.some(({ owners }) => [...(owners ?? [])].some((each) => objects?.has(each))),
  );
  const why =
    shared === undefined
      ? 'No edit of this rename is in this part.'
      : `'${displayPath(world, shared[0])}' sets the label of other objects too, so an edit there changes them as well.`;
  return { renamed, refused: why };
}

const nothing: ReadonlySet<string> = new Set();

/** Returns an edit without the reasons that concern other edits of the rename, and without changed matches, which are determined for the part. */
function alone(edit: RenamedEdit): RenamedEdit {
  if (edit.reasons === undefined) return edit;
  const reasons = edit.reasons.filter((each) => each !== 'changes');
  return { ...edit, look: reasons[0] ?? 'plain', reasons };
}

/** Returns the facts about a part of a rename: what it omits, and its effects if it is applied alone. */
export async function narrowedFacts(
  world: World,
  { session, readText }: Indexed,
  whole: Renamed,
  part: Renamed,
): Promise<Narrowed> {
  const count = ({ edits }: Renamed) => [...edits.values()].reduce((sum, inFile) => sum + inFile.length, 0);
  const texts = new Map(
    [...part.edits].flatMap(([uri, inFile]) => {
      const file = session.snapshot().files.get(uri);
      return file === undefined ? [] : [[uri, applyEdits(readText(file), inFile)] as const];
    }),
  );
  const after = await proposedSession(world, session, texts);
  const { changes } = changesOf(world, session, after, texts);
  const omitted = count(whole) - count(part);
  const all = grouped(world, changes);
  return { facts: { omitted, changes: all.map(({ change }) => change) }, lines: narrowedLines(omitted, all) };
}

/** A change, and its first occurrence. */
interface ShownChange {
  readonly change: NarrowedFacts['changes'][number];
  readonly item: ObjectChange['item'];
}

/** Combines equal changes in several scopes. */
function grouped(world: World, changes: readonly ObjectChange[]): readonly ShownChange[] {
  const found = new Map<string, { readonly first: ObjectChange; readonly scopes: string[] }>();
  for (const each of changes) {
    const { kind, scope, item } = each;
    const key = JSON.stringify([kind, item.message, item.place, namesScopes(item)]);
    getOrAdd(found, key, () => ({ first: each, scopes: [] })).scopes.push(scope);
  }
  return [...found.values()].map(({ first: { kind, item }, scopes }) => {
    const { message, place } = item;
    const at = place && { file: displayPath(world, place.uri), line: place.range.start.line + 1 };
    return { change: { kind, message, scopes, ...at }, item };
  });
}

/** The maximum number of scopes in a line. */
const mostScopes = 3;

/** Formats the facts about a part of a rename as lines. */
function narrowedLines(omitted: number, changes: readonly ShownChange[]): readonly string[] {
  return [
    ...changes.map(({ change: { kind, scopes }, item }) =>
      changeLine(kind, item, namesScopes(item) ? undefined : nameList(scopes, mostScopes)),
    ),
    `${counted(omitted, 'edit')} of the whole rename ${omitted === 1 ? 'is' : 'are'} omitted.`,
  ];
}
