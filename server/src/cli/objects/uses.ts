/** Describes the objects that reference an object by name or select it, for the output of commands. */

import { getOrAdd } from '../../engine/memoize.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import type { ReferenceInFile } from '../../workspace/references/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import type { SelectingObject } from '../../workspace/selection/selecting-objects.ts';
import type { World } from '../environment.ts';
import { nameList } from '../output/name-list.ts';
import { shownObject } from '../output/names.ts';
import { type Colorize, tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { externalOf } from './built-by.ts';

/** An object that uses another object, and the location of that use. */
export interface Use {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** The namespaces of the using object, if its scopes apply it to several; `namespace` is then absent. */
  readonly namespaces?: readonly string[];
  /** The paths of the scopes with this use; absent if all scopes of the used object have it. */
  readonly scopes?: readonly string[];
  readonly file: string;
  readonly line: number;
  /** The path of the reference or selector in the object that uses the other. */
  readonly path: string;
  /** The keys of the ConfigMap or Secret that the using object reads. */
  readonly keys?: readonly string[];
  readonly answer: 'yes' | 'maybe';
  /** Set if the two objects are not applied together but may share a cluster. */
  readonly elsewhere?: true;
  readonly external?: true;
}

/** Returns the displayed path of the file and the line of a range. */
export function position(world: World, file: WorkspaceFile, { start }: Span): Pick<Use, 'file' | 'line'> {
  return { file: displayPath(world, file.uri), line: offsetToPosition(file.lines, start).line + 1 };
}

function whoUses(session: Session, { file, object }: ObjectInFile): Pick<Use, 'kind' | 'name' | 'namespace'> {
  const namespaceText = storedNamespace(session.workspace.catalogueOf(file.uri), { object });
  return {
    kind: object.kind,
    name: object.name?.text ?? '',
    ...(namespaceText !== undefined && { namespace: namespaceText }),
  };
}

/** Returns the use of an object by a reference to its name; `applied` contains the versions of the referring object in the scopes of the used object. */
export function namingUse(
  world: World,
  session: Session,
  { file, object, site, answer, relation }: ReferenceInFile,
  applied: readonly ObjectInFile[] = [],
): Use {
  const { kind, name, ...written } = whoUses(session, { file, object });
  const namespaces = new Set(applied.flatMap((each) => whoUses(session, each).namespace ?? []));
  return {
    kind,
    name,
    ...(namespaces.size > 0 ? namespacesJson(namespaces) : written),
    ...position(world, file, site.name.span),
    path: site.path,
    ...(site.keys && { keys: site.keys.map(({ text }) => text) }),
    answer,
    ...(relation === 'elsewhere' && { elsewhere: true }),
    ...externalOf(session, file.uri),
  };
}

export function selectingUse(
  world: World,
  session: Session,
  { file, object, site, certain, relation }: SelectingObject,
): Use {
  return {
    ...whoUses(session, { file, object }),
    ...position(world, file, site.keySpan),
    path: site.path,
    answer: certain ? 'yes' : 'maybe',
    ...(relation === 'elsewhere' && { elsewhere: true }),
    ...externalOf(session, file.uri),
  };
}

export interface UsesInScope {
  readonly scope: string;
  readonly uses: readonly Use[];
}

/** Combines the uses of an object in several scopes: a use that several scopes have is listed once. */
export function combinedUses(inScopes: readonly UsesInScope[]): readonly Use[] {
  const found = new Map<
    string,
    { readonly use: Use; readonly scopes: Set<string>; readonly namespaces: Set<string> }
  >();
  for (const { scope, uses } of inScopes)
    for (const { namespace: place, ...use } of uses) {
      const known = getOrAdd(found, JSON.stringify(use), () => ({ use, scopes: new Set(), namespaces: new Set() }));
      known.scopes.add(scope);
      if (place !== undefined) known.namespaces.add(place);
    }
  const count = new Set(inScopes.map(({ scope }) => scope)).size;
  return [...found.values()].map(({ use: { kind, name, ...use }, scopes, namespaces }) => ({
    kind,
    name,
    ...namespacesJson(namespaces),
    ...use,
    ...(scopes.size < count && { scopes: [...scopes] }),
  }));
}

/** Returns the namespaces of an object: `namespace` for a single one, and `namespaces` for several. */
export function namespacesJson(all: ReadonlySet<string>): Pick<Use, 'namespace' | 'namespaces'> {
  const [first] = all;
  if (first === undefined) return {};
  return all.size === 1 ? { namespace: first } : { namespaces: [...all] };
}

/** Formats the namespaces of an object as a clause that follows its name. */
export function namespacesText({ namespace, namespaces = [] }: Pick<Use, 'namespace' | 'namespaces'>): string {
  const all = namespace === undefined ? namespaces : [namespace];
  return all.length === 0 ? '' : ` in ${nameList(all, mostNames)}`;
}

/** The maximum number of names in a line. */
const mostNames = 3;

/** A reference by name in an object, and the object to which it refers. */
export interface NamedTarget {
  readonly kind: string;
  readonly name: string;
  /** The path of the reference in the object that contains it. */
  readonly path: string;
  /** The file of the named object, or of the object whose controller creates it; absent if no file contains it. */
  readonly file?: string;
  readonly line?: number;
  readonly answer?: 'yes' | 'maybe';
  readonly elsewhere?: true;
  readonly external?: true;
}

export function namedTargets(world: World, session: Session, where: ObjectInFile): readonly NamedTarget[] {
  const workspace = session.snapshot();
  const catalogue = session.workspace.catalogueOf(where.file.uri);
  return (where.object.references ?? []).flatMap((site): readonly NamedTarget[] => {
    const [target] = targetsOf(workspace, catalogue, where, site);
    const kind = target?.kind ?? targetKinds(site, catalogue)[0]?.kind;
    if (kind === undefined) return [];
    const { name, path } = { name: site.name.text, path: site.path };
    if (target === undefined) return [{ kind, name, path }];
    const { answer, relation } = target;
    const there = position(world, target.file, target.span);
    return [
      {
        kind,
        name,
        path,
        ...there,
        answer,
        ...(relation === 'elsewhere' && { elsewhere: true }),
        ...externalOf(session, target.file.uri),
      },
    ];
  });
}

/** Formats the targets to which an object refers by name, one per line. */
export function targetLines(all: readonly NamedTarget[]): readonly string[] {
  if (all.length === 0) return [];
  return [
    '  It names:',
    ...all.map(({ kind, name, path, file, line, answer, elsewhere, external }) => {
      const where = file === undefined ? 'in no file' : `${file}:${line}`;
      const notes = [
        ...(answer === 'maybe' ? ['not certain'] : []),
        ...(elsewhere ? ['in another scope'] : []),
        ...(external ? ['external'] : []),
      ];
      return tame(`    ${shownObject(kind, name)} (${[where, ...notes].join('; ')}) ${path}`);
    }),
  ];
}

/** Formats a list of uses as lines, with a title. */
export function useLines(title: string, all: readonly Use[], colorize: Colorize): readonly string[] {
  if (all.length === 0) return [];
  return [
    `  ${title}:`,
    ...all.map((use) => {
      const { kind, name, file, line, path, keys = [], answer, elsewhere, external, scopes = [] } = use;
      const notes = [
        ...(keys.length > 0 ? [`keys ${keys.join(', ')}`] : []),
        ...(answer === 'maybe' ? ['not certain'] : []),
        ...(elsewhere ? ['in another scope'] : []),
        ...(external ? ['external'] : []),
        ...(scopes.length > 0 ? [`only for ${nameList(scopes, mostNames)}`] : []),
      ];
      const who = `${shownObject(kind, name)}${namespacesText(use)} ${path}`;
      const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
      return `    ${colorize(tamePath(`${file}:${line}:`), 'bold')} ${tame(who + note)}`;
    }),
  ];
}
