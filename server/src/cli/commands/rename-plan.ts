/** `selector-lens rename-plan`: lists the edits that rename a label wherever it has the same meaning, without applying them. */

import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type { RefusedAtFirst } from '../../features/rename/annotated-edits.ts';
import { type Look, type Renamed, rename, renamedKey } from '../../features/rename/rename.ts';
import type { FileView } from '../../features/view.ts';
import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import type { Session } from '../../session.ts';
import { type LineTable, offsetToPosition } from '../../text/lines.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { objectOption, objectsNamed } from '../objects/named-objects.ts';
import { type Narrowed, narrowedFacts, narrowedTo, type Part, partOf } from '../objects/partial-rename.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { capitalized } from '../output/names.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { LineAndColumn, Range } from '../report/model.ts';
import type { Arguments, Command } from './command.ts';

export const renamePlan: Command = {
  name: 'rename-plan',
  summary: 'Lists the edits that rename a label in labels, selectors, patches and commands, without applying them.',
  details: [
    'The plan changes the label on an object, in every selector that matches the object by this label, and on every object that these selectors match. The rename is refused if a selector would then match different objects. For each edit that needs a review, the reason is stated.',
    '`--only-object` and `--only-in` limit the plan to the edits that change only the given object, or to some files and folders. The answer then lists the matches that this part of the rename changes, and the changes that the API server rejects.',
  ],
  operand: paths,
  options: [
    objectOption,
    {
      name: 'label',
      value: 'LABEL',
      required: true,
      description: 'The label of the object, or of its pods: a key to rename the key, `KEY=VALUE` to rename the value.',
    },
    { name: 'to', value: 'NAME', required: true, description: 'The new key or value.' },
    {
      name: 'only-object',
      description:
        'Include only edits that change nothing but this object: its labels, its own selectors, and patches for it.',
      input: 'Include only edits that change nothing but this object.',
    },
    {
      name: 'only-in',
      value: 'PATH',
      several: true,
      description: 'Include only edits in this file or folder. Can be repeated.',
      input: 'Include only edits in these files or folders.',
    },
    { ...namespace, description: 'The namespace of the object.', input: '' },
    formats('text', 'json'),
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: 'selector-lens rename-plan --object Deployment/web --label app=web --to shop',
      description:
        'List the edits that change app=web to app=shop on this Deployment and in all selectors that match it by this label.',
    },
    {
      line: 'selector-lens rename-plan --object Deployment/web --label tier=front --to rear --only-object',
      description:
        'Change the label of this Deployment alone, and list the selectors that then no longer match its pods.',
    },
  ],
  tool: {
    use: 'Apply the edits from the end of each file to its beginning. With only_object or only_in, others keep the label, and "changes" lists what breaks.',
    options: ['object', 'label', 'to', 'only-object', 'only-in', 'namespace', 'scope'],
    lists: ['edits', 'changes'],
  },
  run: runRenamePlan,
};

interface PlannedEdit {
  readonly file: string;
  readonly range: Range;
  readonly text: string;
  /** The key in `reviews` of the reason to review the edit; absent if no review is needed. */
  readonly review?: string;
}

async function runRenamePlan(world: World, given: Arguments): Promise<number> {
  const [object, label, to] = ['object', 'label', 'to'].map((name) => given.values.get(name));
  if (object === undefined || label === undefined || to === undefined)
    throw new UsageError("The options '--object', '--label' and '--to' must be given.");
  const indexed = await indexPaths(world, given);
  const named = objectsNamed(world, indexed, object, given.values.get('namespace'));
  const labeled = named.filter((each) => startsOf(each, label).length > 0);
  const starts = labeled.flatMap((each) => startsOf(each, label));
  if (starts.length === 0) throw new UsageError(`${object} has no label '${label}'.`);
  const part = await partOf(world, indexed, given, labeled);
  const plan = await planAt(world, indexed, starts, to, part);
  const { edits, reviews, refused, narrowed } = plan;
  if (choice(given, 'format', ['text', 'json']) === 'json')
    writeJson(world, { label, to, ...(refused !== undefined && { refused }), edits, reviews, ...narrowed?.facts });
  else for (const line of textLines(plan)) world.out(line);
  const code = exitCodeOf(world, indexed);
  if (refused === undefined && part === undefined) reportOthers(world, indexed.session, labeled, { label, edits });
  return code === 0 && refused !== undefined ? 1 : code;
}

/** Reports the objects with the same kind, name and label, for example in other namespaces, that the plan does not change. */
function reportOthers(
  world: World,
  { workspace }: Session,
  labeled: readonly AppliedObject[],
  { label, edits }: { readonly label: string; readonly edits: readonly PlannedEdit[] },
): void {
  const edited = new Set(edits.map(({ file, range: { start } }) => `${file}:${start.line}`));
  const lineOf = ({ file, object }: AppliedObject, offset = object.kindSpan.start) =>
    `${displayPath(world, file.uri)}:${offsetToPosition(file.lines, offset).line + 1}`;
  const isEdited = (each: AppliedObject) =>
    startsOf(each, label).some(({ uri, offset }) => uri !== each.file.uri || edited.has(lineOf(each, offset)));
  const others = labeled.filter((each) => !isEdited(each));
  const descriptions = others.map((each) => {
    const namespace = storedNamespace(workspace.catalogueOf(each.file.uri), each);
    const { kind, name } = each.object;
    const where = namespace === undefined ? '' : ` in ${namespace}`;
    return tame(`${kind}/${name?.text ?? ''}${where} at ${lineOf(each)}`);
  });
  for (const other of new Set(descriptions))
    world.err(`selector-lens: The plan does not change ${other}, which has the label, too.`);
}

interface Start {
  readonly uri: string;
  readonly offset: number;
}

/** Returns the positions of an object's label, in the files that contain the label. */
function startsOf({ file, object }: AppliedObject, label: string): readonly Start[] {
  const [key = '', ...values] = label.split('=');
  const value = values.length === 0 ? undefined : values.join('=');
  const entries = [...object.labelSites.filter(holdsLabels).flatMap((site) => site.entries), ...object.inherited];
  return entries
    .filter((each) => each.key.value === key && (value === undefined || each.value.value === value))
    .map((each) => (value === undefined ? each.key : each.value))
    .map(({ span, origin }) => ({ uri: origin?.uri ?? file.uri, offset: (origin?.span ?? span).start }));
}

interface Planned {
  readonly edits: readonly PlannedEdit[];
  /** The reasons to review edits, by key. */
  readonly reviews: Readonly<Record<string, string>>;
  /** The reason why the label should not be renamed. */
  readonly refused?: string;
  /** The facts about a part of a rename; absent for a whole rename. */
  readonly narrowed?: Narrowed;
}

/** Returns the edits of a rename, which starts at the first position where a rename is possible. */
async function planAt(
  world: World,
  indexed: Indexed,
  starts: readonly Start[],
  to: string,
  part: Part | undefined,
): Promise<Planned> {
  const { session } = indexed;
  for (const start of starts) {
    const last = lastRenames.get(session.snapshot())?.get(inputsOf(session, start, to));
    const key = last?.key ?? inOpenFile(indexed, start.uri, (view) => renamedKey(view, start.offset));
    if (key === undefined) continue;
    const closed = await session.workspace.closedCommandFiles(world.files, key).catch(() => []);
    const isCurrent = last !== undefined && isAlone(session, closed);
    const found = isCurrent
      ? last.found
      : inOpenFile(indexed, start.uri, (view) => rename(view, start.offset, to), closed);
    if (found === undefined) continue;
    if (isAlone(session, closed)) {
      const renames = getOrAdd(lastRenames, session.snapshot(), () => new BoundedMap<string, LastRename>(mostRenames));
      renames.set(inputsOf(session, start, to), { key, found });
    }
    // The changes of a part are listed, so a part of a refused rename is not refused.
    if (part !== undefined && isRefusedAtFirst(found)) return plannedPart(world, indexed, found.insisted, closed, part);
    if (!('refused' in found)) return plannedPart(world, indexed, found, closed, part);
    const why = `${capitalized(found.refused)}.`;
    return { edits: [], reviews: {}, refused: why };
  }
  throw new UsageError('The label is written in a way that cannot be renamed.');
}

function isRefusedAtFirst(found: LastRename['found']): found is RefusedAtFirst<Look> {
  return 'insisted' in found;
}

/** The result of a rename whose only inputs are the snapshot and the values that `inputsOf` returns. */
interface LastRename {
  readonly key: string;
  readonly found: NonNullable<ReturnType<typeof rename>>;
}

/** The last renames by snapshot, so that a server can repeat a rename without opening the file again, which would change the snapshot. */
const lastRenames = new WeakMap<Workspace, BoundedMap<string, LastRename>>();
const mostRenames = 16;

function inputsOf({ workspace, choices }: Session, start: Start, to: string): string {
  return JSON.stringify([start, to, choices.perspective, workspace.settings, [...choices.folderSettings]]);
}

/** Whether no files outside of the snapshot contain commands that a rename may change. */
function isAlone({ workspace }: Session, closed: readonly WorkspaceFile[]): boolean {
  return closed.length === 0 && workspace.openFiles().length === 0;
}

/** Returns the result of a feature for a file. A file that is not open in the editor is opened temporarily. */
function inOpenFile<T>(
  { session, readText }: Indexed,
  uri: string,
  feature: (view: FileView) => T,
  closed: readonly WorkspaceFile[] = [],
): T | undefined {
  const { workspace } = session;
  const file = session.snapshot().files.get(uri);
  const isOpened = !workspace.isOpen(uri) && file !== undefined;
  if (isOpened) workspace.edit(uri, readText(file));
  try {
    const view = session.fileView(uri, closed);
    return view && feature(view);
  } finally {
    if (isOpened) workspace.close(uri);
  }
}

async function plannedPart(
  world: World,
  indexed: Indexed,
  whole: Renamed,
  closed: readonly WorkspaceFile[],
  part: Part | undefined,
): Promise<Planned> {
  const { session } = indexed;
  if (part === undefined) return planned(world, session, whole, closed);
  const { renamed, refused } = narrowedTo(world, whole, part);
  if (refused !== undefined) return { edits: [], reviews: {}, refused };
  const narrowed = await narrowedFacts(world, indexed, whole, renamed);
  return { ...planned(world, session, renamed, closed), narrowed };
}

function planned(world: World, session: Session, { edits, notes }: Renamed, closed: readonly WorkspaceFile[]): Planned {
  const used = new Set<string>();
  const all = [...edits].flatMap(([uri, inFile]) => {
    const lines = (closed.find((each) => each.uri === uri) ?? session.snapshot().files.get(uri))?.lines ?? [0];
    return inFile.map(({ span, text, look, reasons = [look] }): PlannedEdit => {
      const known = [look, ...reasons].filter((each) => {
        const note = notes[each];
        return note !== undefined && (note.needsConfirmation || note.afterwards !== undefined);
      });
      for (const each of known) used.add(each);
      const review = reasons.find((each) => known.includes(each));
      return {
        file: displayPath(world, uri),
        range: { start: positionIn(lines, span.start), end: positionIn(lines, span.end) },
        text,
        ...(review !== undefined && { review }),
      };
    });
  });
  const reasons = Object.entries(notes).filter(([look]) => used.has(look));
  return {
    edits: all,
    reviews: Object.fromEntries(reasons.map(([look, { label, description }]) => [look, `${label}. ${description}`])),
  };
}

function positionIn(lines: LineTable, offset: number): LineAndColumn {
  const { line, character } = offsetToPosition(lines, offset);
  return { line: line + 1, column: character + 1 };
}

function textLines({ edits, reviews, refused, narrowed }: Planned): readonly string[] {
  if (refused !== undefined) return [tame(refused)];
  return [
    ...edits.map(({ file, range: { start, end }, text, review }) => {
      const place = `${file}:${start.line}:${start.column}-${end.line}:${end.column}:`;
      return `${tamePath(place)} ${tame(text)}${review === undefined ? '' : ` (review: ${review})`}`;
    }),
    ...Object.entries(reviews).map(([name, reason]) => tame(`${name}: ${reason}`)),
    ...(narrowed?.lines ?? []),
    `${counted(edits.length, 'edit')}; nothing is changed.`,
  ];
}
