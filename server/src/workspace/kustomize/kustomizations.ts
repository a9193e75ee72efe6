/** Finds the root kustomizations, which are built separately, and all files that each of them includes. */

import { localize } from '../../text/localize.ts';
import type { Surroundings } from '../scopes/model.ts';
import { missingReason, type OpenReason, type ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, isWithin, resolveUri } from '../uri.ts';

interface KustomizationRoot {
  readonly folder: string;
  /** The files whose objects the kustomization builds. */
  readonly files: ReadonlySet<string>;
  /**
   * The files that are included as resources. A file that only a component adds does not make two roots alternatives.
   */
  readonly bases: ReadonlySet<string>;
  /** The kustomization files that take part in the build. */
  readonly parts: readonly string[];
  readonly openBecause: readonly OpenReason[];
  /** Whether the built objects may differ from the objects in the files. */
  readonly edited: boolean;
}

export interface Kustomizations {
  readonly folders: ReadonlySet<string>;
  /** The files with changes to objects instead of objects, unless a kustomization includes these files as resources. */
  readonly patches: ReadonlySet<string>;
  /**
   * Returns the kustomizations that nothing else includes, and those in the `named` folders; `reached` contains the
   * folders that GitOps objects build.
   */
  roots(reached: ReadonlySet<string>, named?: readonly string[]): readonly KustomizationRoot[];
  /** Returns everything that a build of some folders includes, with components that are added to the build. */
  reachedFrom(folders: readonly string[], components: readonly string[]): Omit<KustomizationRoot, 'folder'>;
}

interface Resolved {
  readonly uri: string;
  readonly folder: string;
  readonly component: boolean;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly components: readonly string[];
  readonly patches: readonly string[];
  readonly openBecause: readonly Omit<OpenReason, 'uri'>[];
  readonly edits: boolean;
}

/** Resolves every kustomization of the workspace. The result depends only on `files`, and nothing is cached. */
export function findKustomizations(
  files: ReadonlyMap<string, ScopeFacts>,
  { listing, folders: inside }: Pick<Surroundings, 'listing' | 'folders'>,
): Kustomizations {
  const fileNameOf = (uri: string) => listing.fileNameOf(uri);
  const placeOf = (uri: string) => {
    if (!inside.some((folder) => isWithin(uri, folder))) return 'outside';
    // Either the name of a file, or the name of the folder of a kustomization.
    return listing.leavesOut(uri) || listing.leavesOut(`${uri}/kustomization.yaml`) ? 'left out' : 'inside';
  };
  const folders = new Set<string>();
  files.forEach(({ kustomization }, uri) => {
    if (kustomization !== undefined) folders.add(folderOf(uri));
  });
  const byFolder = new Map<string, Resolved>();
  files.forEach((facts, uri) => {
    if (facts.kustomization === undefined) return;
    byFolder.set(folderOf(uri), resolve(uri, facts, { files, folders, fileNameOf, placeOf }));
  });
  const patches = new Set([...byFolder.values()].flatMap((each) => each.patches));
  return {
    folders,
    patches,
    roots(reached, named = []) {
      const added = named.flatMap((folder) => byFolder.get(fileNameOf(folder)) ?? []);
      const roots = new Set([...rootsOf(byFolder, reached), ...added.filter(({ component }) => !component)]);
      return [...roots].map((root) => ({ folder: root.folder, ...walk([[root, false]], byFolder) }));
    },
    reachedFrom(built, components) {
      const from = (uris: readonly string[], byComponent: boolean) =>
        uris.flatMap((uri) => {
          const each = byFolder.get(uri);
          return each === undefined ? [] : [[each, byComponent] as const];
        });
      return walk([...from(built, false), ...from(components, true)], byFolder);
    },
  };
}

interface Known {
  readonly files: ReadonlyMap<string, ScopeFacts>;
  readonly folders: ReadonlySet<string>;
  /** Returns the name under which a file is loaded. */
  fileNameOf(uri: string): string;
  /** Returns whether a file with this URI would be loaded. */
  placeOf(uri: string): Parameters<typeof missingReason>[1];
}

function resolve(uri: string, { kustomization, openBecause }: ScopeFacts, known: Known): Resolved {
  const { files, folders, fileNameOf } = known;
  const folder = folderOf(uri);
  const {
    component = false,
    resources = [],
    components = [],
    patches = [],
    plugins = [],
    charts = [],
    programs = [],
    edits = false,
  } = kustomization ?? {};
  const at = (path: string) => fileNameOf(resolveUri(folder, path));
  const [taken, entered, missing]: [string[], string[], string[]] = [[], [], []];
  for (const path of resources) {
    const target = at(path);
    if (files.has(target)) taken.push(target);
    else if (folders.has(target)) entered.push(target);
    else missing.push(path);
  }
  const joined = components.map(at);
  missing.push(
    ...components.filter((_, index) => !files.has(joined[index] ?? '') && !folders.has(joined[index] ?? '')),
  );
  return {
    uri,
    folder,
    component,
    files: taken,
    folders: entered,
    components: joined.filter((target) => folders.has(target)),
    patches: [...patches, ...plugins].map(at).filter((target) => files.has(target)),
    openBecause: [
      ...missing.map((path) => missingReason(path, known.placeOf(at(path)))),
      ...[
        ...openBecause,
        ...plugins
          .filter((path) => files.get(at(path))?.builtin !== true)
          .map((path) => localize`uses the plugin '${path}'`),
        ...charts.map((name) => localize`renders the chart '${name}'`),
        ...programs.map((kind) => localize`runs the program '${kind}'`),
      ].map((reason) => ({ reason })),
    ],
    edits,
  };
}

/** Returns the kustomizations that no other kustomization includes. If kustomizations include each other, the first one by path is the root. */
function rootsOf(byFolder: ReadonlyMap<string, Resolved>, others: ReadonlySet<string>): readonly Resolved[] {
  const reached = new Set([...byFolder.values()].flatMap((each) => [...each.folders, ...each.components]));
  for (const folder of others) reached.add(folder);
  const buildable = [...byFolder.values()].filter((each) => !each.component);
  const roots = buildable.filter((each) => !reached.has(each.folder));
  const seen = new Set<string>();
  const see = (each: Resolved) => {
    const isNew = !seen.has(each.folder);
    seen.add(each.folder);
    return isNew;
  };
  for (const root of roots) visit([[root, false]], byFolder, see);
  for (const folder of others) {
    const other = byFolder.get(folder);
    if (other !== undefined) visit([[other, false]], byFolder, see);
  }
  for (const each of buildable.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))) {
    if (seen.has(each.folder)) continue;
    roots.push(each);
    visit([[each, false]], byFolder, see);
  }
  return roots;
}

/** Visits everything that kustomizations and components include, if `enter` returns true for it. */
function visit(
  from: readonly (readonly [Resolved, boolean])[],
  byFolder: ReadonlyMap<string, Resolved>,
  enter: (each: Resolved, byComponent: boolean) => boolean,
): void {
  const waiting = [...from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [each, byComponent] = next;
    if (!enter(each, byComponent)) continue;
    for (const folder of each.folders) push(waiting, byFolder.get(folder), byComponent);
    for (const folder of each.components) push(waiting, byFolder.get(folder), true);
  }
}

function push(waiting: (readonly [Resolved, boolean])[], each: Resolved | undefined, byComponent: boolean): void {
  if (each !== undefined) waiting.push([each, byComponent]);
}

function walk(
  from: readonly (readonly [Resolved, boolean])[],
  byFolder: ReadonlyMap<string, Resolved>,
): Omit<KustomizationRoot, 'folder'> {
  const files = new Set<string>();
  const bases = new Set<string>();
  const parts: string[] = [];
  const reasons: OpenReason[] = [];
  const entered = new Map<string, boolean>();
  let edited = false;
  visit(from, byFolder, (each, byComponent) => {
    const before = entered.get(each.folder);
    // A visit as a base takes precedence over a visit through a component.
    if (before === false || before === byComponent) return false;
    entered.set(each.folder, byComponent);
    if (before === undefined) {
      parts.push(each.uri);
      edited ||= each.edits;
      for (const reason of each.openBecause) reasons.push({ uri: each.uri, ...reason });
    }
    for (const uri of each.files) {
      files.add(uri);
      if (!byComponent) bases.add(uri);
    }
    return true;
  });
  return { files, bases, parts, openBecause: reasons, edited };
}
