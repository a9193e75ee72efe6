/** Finds the objects that a command line names: `Deployment/web`. */

import { objectName } from '../../features/presentation/object-names.ts';
import { isNotCreated, notCreatedLine } from '../../features/selected/not-created.ts';
import { shownName } from '../../manifests/shown-name.ts';
import type { Session } from '../../session.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Narrowing } from '../../workspace/reach/applied-clusters.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Arguments, Option } from '../commands/command.ts';
import type { World } from '../environment.ts';
import { type Indexed, nothingSelected } from '../indexed-workspace.ts';
import { didYouMean, UsageError } from '../options/arguments.ts';
import { isOfKind } from '../options/kind-argument.ts';
import { nameList } from '../output/name-list.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { type AppliedObject, appliedObjects, isSelected } from './applied-objects.ts';
import { selectedOnly, withName } from './narrowing.ts';

export const objectOption: Option = {
  name: 'object',
  value: 'KIND/NAME',
  required: true,
  description: 'The object: `Deployment/web`, or `deploy/web`.',
};

/** Returns the object that the option `--object` or, without it, the first operand names, and the arguments with the remaining operands as paths. Throws a UsageError if there is none. */
export function objectIn(given: Arguments): { readonly object: string; readonly others: Arguments } {
  const named = given.values.get('object');
  if (named !== undefined) return { object: named, others: given };
  const [object, ...paths] = given.paths;
  if (object === undefined) throw new UsageError("The option '--object' must be given: KIND/NAME.");
  return { object, others: { ...given, paths } };
}

/** Returns every selected object with the given name, as it is applied, and then all other results of an object with this name in its file. Throws a UsageError if there is none. */
export function objectsNamed(
  world: World,
  indexed: Indexed,
  word: string,
  wanted: string | undefined,
): readonly AppliedObject[] {
  const { session, skipped } = indexed;
  const { kind, name } = kindAndName(word);
  const selected = (narrowing: Narrowing) =>
    [...appliedObjects(session, narrowing)].filter((each) => isSelected(indexed, each));
  const candidates = selected(withName(indexed, name));
  const isMeant = ({ file, object }: ObjectInFile) =>
    object.name?.text === name && isOfKind(session, file, object, kind);
  const built = candidates.filter(isMeant);
  // An object with this name in its file may have other names in some of its results.
  const isResult = ({ file, object }: ObjectInFile) =>
    built.length === 0 ||
    built.some((each) => each.file.uri === file.uri && each.object.kindSpan.start === object.kindSpan.start);
  const isRenamed = (each: ObjectInFile) => !isMeant(each) && isResult(each) && writtenAs(session, each).some(isMeant);
  const found = [...built, ...candidates.filter(isRenamed)];
  const within = found.filter((each) => wanted === undefined || namespaceIn(session, each) === wanted);
  if (within.length > 0) {
    const others = candidates.filter(
      (each) => !isMeant(each) && !isResult(each) && writtenAs(session, each).some(isMeant),
    );
    describeOthers(world, session, word, others);
    return within;
  }
  if (found.length > 0) throw new UsageError(`There is no ${word} in the namespace '${wanted}'.`);
  const excluded = notCreated(world, indexed, word);
  if (excluded !== undefined) throw new UsageError(excluded);
  const all = selected(selectedOnly(indexed));
  if (all.length === 0 && skipped.length === 0) throw new UsageError(nothingSelected);
  const ofKind = all.filter(({ file, object }) => isOfKind(session, file, object, kind));
  const known = [
    ...ofKind.map(({ object }) => `${kind}/${object.name?.text ?? ''}`),
    ...all.map(({ object }) => objectName(object)),
  ];
  const hint = didYouMean(word, [...new Set(known)]);
  const [first] = hint === '' ? skipped : [];
  const unread = first === undefined ? '' : ` '${displayPath(world, first.uri)}' was skipped: ${first.reason}.`;
  const where = indexed.selection.limits === undefined ? 'these files' : 'the given scopes';
  const notes = indexed.notes.map((note) => ` ${note}`).join('');
  throw new UsageError(`There is no object ${word} in ${where}.${hint}${unread}${notes}`);
}

/** States that templates contain an object with the given name that the values of its charts exclude, as of a dependency that is turned off; undefined if there is none. */
function notCreated(world: World, { session, selection }: Indexed, word: string): string | undefined {
  const { kind, name } = kindAndName(word);
  const workspace = session.snapshot();
  for (const file of workspace.files.values()) {
    if (!isInTemplates(file.uri) || !selection.isNamed(file.uri)) continue;
    const view = { workspace, catalogue: session.workspace.catalogueOf(file.uri), complete: true, perspective };
    const object = file.manifest.objects.find((each) => {
      const isNamed = each.name !== undefined && shownName(each.name) === name;
      return isNamed && isOfKind(session, file, each, kind) && isNotCreated(view, { file, object: each });
    });
    const why = object && notCreatedLine(view, { file, object });
    if (why === undefined) continue;
    const clause = why.map((part) => (typeof part === 'string' ? part : `'${part.text}'`)).join('');
    return `${word} is ${clause}: a condition in '${displayPath(world, file.uri)}' or of its dependency excludes it.`;
  }
  return undefined;
}

const perspective = { selected: [] };

/** The maximum number of objects that a note names. */
const mostNamed = 5;

/** Reports other objects that have the given name in their files, but are applied with other names. */
function describeOthers(world: World, session: Session, word: string, others: readonly AppliedObject[]): void {
  const names = new Set(
    others.map((each) => {
      const namespace = namespaceIn(session, each);
      const where = namespace === undefined ? '' : ` in ${namespace}`;
      return `${objectName(each.object)}${where} (${displayPath(world, each.file.uri)})`;
    }),
  );
  if (names.size === 0) return;
  const shown = nameList([...names], mostNamed);
  world.err(tame(`selector-lens: Other objects have the name ${word} in their files, but are applied as ${shown}.`));
}

function namespaceIn(session: Session, where: ObjectInFile): string | undefined {
  return effectiveNamespace(session.snapshot(), session.workspace.catalogueOf(where.file.uri), where)?.text;
}

/** Returns an object as it is written in its file, before a kustomization changes it; an empty list if the file does not contain it. */
export function writtenAs(session: Session, { file, object }: ObjectInFile): readonly ObjectInFile[] {
  const written = session.snapshot().files.get(file.uri);
  if (written === undefined) return [];
  return objectsOf(session.snapshot(), written)
    .filter((each) => each.kindSpan.start === object.kindSpan.start)
    .map((each) => ({ file: written, object: each }));
}

/** Splits KIND/NAME. Throws a UsageError for a word in any other form. */
export function kindAndName(word: string): { readonly kind: string; readonly name: string } {
  const slash = word.indexOf('/');
  if (slash <= 0 || slash === word.length - 1)
    throw new UsageError(`The object '${word}' must be a kind and a name, such as Deployment/web.`);
  return { kind: word.slice(0, slash), name: word.slice(slash + 1) };
}
