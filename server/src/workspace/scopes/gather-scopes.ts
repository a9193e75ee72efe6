/** Gathers the scopes of a workspace and the files of each scope: declared scopes first, then scopes that the files imply. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { findCharts } from '../charts/charts.ts';
import { readByCharts, releaseByChart } from '../charts/executed-charts.ts';
import { findGitops, type Installer } from '../gitops/gather-gitops.ts';
import type { DataFiles } from '../gitops/model.ts';
import { findKustomizations } from '../kustomize/kustomizations.ts';
import { fileNameOf, folderOf, isWithin, relativePath, resolveUri } from '../uri.ts';
import type { ChartRelease, Scope, Surroundings } from './model.ts';
import { isAboutObjects, type OpenReason, pathInTemplate, type ScopeFacts } from './scope-facts.ts';

/** A scope, with details that are available only while scopes are gathered. */
export interface GatheredScope extends Scope {
  /** The kustomization files that the scope includes. */
  readonly parts?: readonly string[];
}

/** A scope for which it is not yet known whether it was loaded completely. */
interface Draft extends Omit<GatheredScope, 'closed'> {
  /** The reasons why the scope is open that are not contained in the facts of its files. */
  readonly reasons: readonly OpenReason[];
  /** Files that make two kustomizations alternatives if both include them. */
  readonly bases?: ReadonlySet<string>;
}

export interface Gathered {
  readonly scopes: readonly GatheredScope[];
  /** For each scope, the groups of files that make other scopes that include them alternatives. The files of one group are included by the same scopes. */
  readonly baseGroups: ReadonlyMap<number, ReadonlySet<number>>;
  /** The numbers of the scopes of a position, in order. Most positions with equal scopes share one list. */
  readonly byPosition: ReadonlyMap<string, readonly number[]>;
  /** The positions of the OpenShift Templates in each file that is divided by Templates. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly patches: ReadonlySet<string>;
  /** The files that are treated as patches because they are inputs of tests. */
  readonly triedOut: ReadonlySet<string>;
  readonly generated: ReadonlySet<string>;
  readonly dataFiles: DataFiles;
  readonly cut: ReadonlySet<string>;
}

/** Gathers the scopes of all files, in one pass over the files for each kind of scope. */
export function gatherScopes(files: ReadonlyMap<string, ScopeFacts>, around: Surroundings): Gathered {
  const gathering = new Gathering(files, around);
  gathering.addBuilt();
  gathering.leaveOutParts();
  gathering.addTemplates();
  gathering.addFolders();
  gathering.addDeclared();
  const { drafts, byPosition, parts, patches, triedOut, generated, dataFiles, cut } = gathering;
  // Many releases of one chart share the set of its files.
  const reasonsOf = memoized((members: ReadonlySet<string>) => reasonsIn(members, files, gathering.installers));
  const scopes = drafts.map((draft) => scopeOf(draft, files, reasonsOf(draft.files)));
  const baseGroups = baseGroupsOf(drafts);
  return { scopes, baseGroups, byPosition, parts, patches, triedOut, generated, dataFiles, cut };
}

class Gathering {
  readonly drafts: Draft[] = [];
  readonly byPosition = new Map<string, readonly number[]>();
  readonly parts = new Map<string, string[]>();
  readonly generated = new Set<string>();
  patches: ReadonlySet<string> = new Set();
  /** The reasons why the GitOps objects of a file make a scope open, by file. */
  installers: ReadonlyMap<string, Installer> = new Map();
  triedOut: ReadonlySet<string> = new Set();
  dataFiles: DataFiles = new Map();
  cut: ReadonlySet<string> = new Set();
  /** Files that are generated according to the configuration: the objects in them are also in other files. */
  readonly #rendered = new Set<string>();
  readonly #files: ReadonlyMap<string, ScopeFacts>;
  readonly #around: Surroundings;

  constructor(files: ReadonlyMap<string, ScopeFacts>, around: Surroundings) {
    this.#files = files;
    this.#around = around;
    files.forEach((facts, uri) => {
      if (around.configs.of(uri)?.isGenerated(uri)) this.#rendered.add(uri);
      else if (!(around.listing.isMarkedGenerated(uri) ?? facts.generated === true)) return;
      this.generated.add(uri);
    });
  }

  /**
   * Adds the scopes of GitOps objects, then the scopes of the kustomizations and charts that no GitOps object builds.
   */
  addBuilt(): void {
    const kustomizations = findKustomizations(this.#files, this.#around);
    const charts = findCharts(this.#files, this.#around.listing);
    const {
      roots: applied,
      reached,
      openBecause: installers,
      uncertain,
      dataFiles,
      cut,
    } = findGitops(this.#files, this.#around, kustomizations, charts);
    this.installers = installers;
    this.cut = cut;
    const roots = kustomizations.roots(reached, this.#around.namedKustomizations);
    const patches = new Set(kustomizations.patches);
    // A file that one kustomization includes as a resource contains objects, even if another kustomization uses it as a
    // patch.
    for (const { files } of [...roots, ...applied]) for (const uri of files) patches.delete(uri);
    this.patches = patches;
    const numbers = new Map<ReadonlySet<string>, number[]>();
    for (const { path, gitops, files, bases, parts, openBecause: reasons } of applied) {
      const { kind, uri, facts } = gitops;
      const own = facts.openBecause.map((reason) => ({ uri, reason }));
      const { targetNamespace: namespace, cluster } = facts;
      const draft = { kind, path, gitops, files, bases, parts, reasons: [...reasons, ...own], edited: true };
      // In Argo CD, the name of a cluster can refer to any URL.
      const isKnown = cluster !== undefined && (kind !== 'argo-application' || cluster.includes('://'));
      const described = { ...(namespace !== undefined && { namespace }), ...(isKnown && { cluster }) };
      getOrAdd(numbers, files, () => []).push(this.drafts.push({ ...draft, ...described }) - 1);
    }
    for (const [files, group] of numbers) this.#place(group, files);
    for (const { folder, files, bases, parts, openBecause, edited } of roots) {
      const reasons = [...openBecause, ...(uncertain.get(folder) ?? [])];
      const draft = { kind: 'kustomization', path: folder, files, bases, parts, reasons } as const;
      this.#add({ ...draft, ...(edited && { edited }) }, files);
    }
    const alone = charts.filter(({ folder }) => !reached.has(folder));
    const { chartValues, namespace } = this.#around;
    const releaseOf = releaseByChart(
      alone.map(({ folder }) => folder),
      chartValues,
    );
    const found: { folder: string; files: ReadonlySet<string>; release: ChartRelease }[] = [];
    for (const { folder, files, openBecause: reasons } of alone) {
      // A kustomization in the folder has the same path.
      const release = kustomizations.folders.has(folder) ? undefined : releaseOf(folder);
      const executed = release && { release, edited: true, ...(namespace !== undefined && { namespace }) };
      if (release !== undefined) found.push({ folder, files, release });
      this.#add({ kind: 'chart', path: folder, files, reasons, ...executed }, files);
    }
    // The uses of GitOps objects include the uses of charts.
    this.dataFiles = new Map([...readByCharts(found, this.#files), ...dataFiles]);
  }

  /** The inputs of a test, and parts of objects, are not applied, unless a kustomization or a chart includes them as well. */
  leaveOutParts(): void {
    const { listing } = this.#around;
    const tried: string[] = [];
    const merged: string[] = [];
    const holdsObjects = (uri: string) => (this.#files.get(uri)?.objects ?? 0) > 0;
    this.#files.forEach(({ triesOut = [], patchFiles = [], contentFiles = [], partial, unselecting }, uri) => {
      const at = (path: string) => listing.fileNameOf(resolveUri(folderOf(uri), path));
      tried.push(...triesOut.map(at));
      // Contents without objects may be the values of a chart.
      merged.push(...patchFiles.map(at), ...contentFiles.map(at).filter(holdsObjects));
      if (partial || (unselecting && isNamedPatch(uri))) merged.push(uri);
    });
    const isAlone = (uri: string) => this.#files.has(uri) && !this.byPosition.has(uri) && !this.patches.has(uri);
    this.triedOut = new Set(tried.filter(isAlone));
    if (tried.length + merged.length > 0)
      this.patches = new Set([...this.patches, ...this.triedOut, ...merged.filter(isAlone)]);
  }

  addTemplates(): void {
    this.#files.forEach(({ templates }, uri) => {
      for (const { name } of templates) {
        const place = pathInTemplate(uri, name);
        this.#add({ kind: 'template', path: uri, name, files: new Set([uri]), reasons: [] }, [place]);
        getOrAdd(this.parts, uri, () => []).push(place);
      }
    });
  }

  /** Adds folder scopes. Rendered files, and files with external objects, are in separate folder scopes. */
  addFolders(): void {
    const { folders: roots } = this.#around;
    const plain: string[] = [];
    this.#files.forEach(({ objects }, uri) => {
      if (objects === 0 || this.byPosition.has(uri) || this.patches.has(uri)) return;
      if (roots.some((root) => isWithin(uri, root))) plain.push(uri);
    });
    const isExternal = (uri: string) => this.#around.configs.of(uri)?.isExternal(uri) === true;
    const external = new Set(plain.filter(isExternal));
    const inFiles = plain.filter((uri) => !external.has(uri));
    for (const [members, generated] of [
      [inFiles.filter((uri) => !this.#rendered.has(uri)), false],
      [inFiles.filter((uri) => this.#rendered.has(uri)), true],
      [[...external], false],
    ] as const) {
      for (const [path, uris] of foldersOf(members, roots)) {
        const draft = { kind: 'folder', path, files: new Set(uris), reasons: this.#broken(uris), generated } as const;
        this.#add(draft, uris);
      }
    }
  }

  /** Adds declared scopes, which replace the scopes that the files imply. */
  addDeclared(): void {
    for (const { uri: configUri, folder, config, scopesOf } of this.#around.configs.all()) {
      if (config.scopes.length === 0) continue;
      const members = config.scopes.map((): Set<string> => new Set());
      for (const [uri, facts] of this.#files) {
        if (this.#around.configs.of(uri)?.uri !== configUri || this.patches.has(uri)) continue;
        if (facts.objects === 0 && facts.templates.length === 0) continue;
        for (const [index] of scopesOf(uri)) members[index]?.add(uri);
      }
      const numbers = new Map<string, number[]>();
      for (const [index, { files: _, with: others, ...described }] of config.scopes.entries()) {
        const files = members[index] ?? new Set();
        const replaced = this.#replacedBy(files);
        const reasons = replaced.flatMap((draft) => draft.reasons);
        const { name, namespace, cluster } = described;
        this.drafts.push({
          kind: 'declared',
          path: folder,
          name,
          files,
          ...(namespace !== undefined && { namespace }),
          ...(cluster !== undefined && { cluster }),
          with: others,
          ...(replaced.some((draft) => draft.edited) && { edited: true }),
          reasons,
        });
        for (const uri of files) numbers.set(uri, [...(numbers.get(uri) ?? []), this.drafts.length - 1]);
      }
      for (const [uri, each] of numbers) {
        for (const place of [uri, ...(this.parts.get(uri) ?? [])]) this.byPosition.set(place, each);
      }
    }
  }

  /** Returns the scopes that a declared scope replaces. */
  #replacedBy(files: ReadonlySet<string>): readonly Draft[] {
    const replaced = new Set([...files].flatMap((uri) => this.byPosition.get(uri) ?? []));
    return [...replaced].flatMap((number) => this.drafts[number] ?? []);
  }

  /**
   * Returns reasons for broken files next to the members of a scope, because these files may contain objects that could
   * not be parsed.
   */
  #broken(members: readonly string[]): readonly OpenReason[] {
    const folders = new Set(members.map(folderOf));
    this.#brokenByFolder ??= brokenFiles(this.#files);
    const broken = this.#brokenByFolder;
    return [...folders].flatMap((folder) => broken.get(folder) ?? []).filter(({ uri }) => !members.includes(uri));
  }

  #brokenByFolder: ReadonlyMap<string, readonly OpenReason[]> | undefined;

  #add(draft: Draft, places: Iterable<string>): void {
    this.#place([this.drafts.push(draft) - 1], places);
  }

  /** Adds scopes to positions. All positions with equal scopes share one list. */
  #place(numbers: readonly number[], places: Iterable<string>): void {
    const lists = new Map<readonly number[] | undefined, readonly number[]>();
    for (const place of places) {
      const known = this.byPosition.get(place);
      this.byPosition.set(
        place,
        getOrAdd(lists, known, () =>
          known === undefined ? numbers : [...known, ...numbers].toSorted((a, b) => a - b),
        ),
      );
    }
  }
}

/** Whether a file or its folder is named like a patch. */
function isNamedPatch(uri: string): boolean {
  return /patch/i.test(fileNameOf(uri)) || /^patch(?:es)?$/i.test(fileNameOf(folderOf(uri)));
}

function brokenFiles(files: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly OpenReason[]> {
  const byFolder = new Map<string, OpenReason[]>();
  files.forEach(({ objects, openBecause }, uri) => {
    if (objects > 0) return;
    for (const reason of openBecause) getOrAdd(byFolder, folderOf(uri), () => []).push({ uri, reason });
  });
  return byFolder;
}

/** Groups files by the topmost folder of a chain of nested folders that all contain files. A chain ends at the workspace folder. */
function foldersOf(uris: readonly string[], roots: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Set(uris.map(folderOf));
  const tops = new Map<string, string>();
  const topOf = (folder: string): string => {
    const known = tops.get(folder);
    if (known !== undefined) return known;
    const parent = folderOf(folder);
    const top = parent !== '' && folders.has(parent) && !roots.includes(folder) ? topOf(parent) : folder;
    tops.set(folder, top);
    return top;
  };
  const scopes = new Map<string, string[]>();
  for (const uri of uris) {
    const top = topOf(folderOf(uri));
    const known = scopes.get(top);
    if (known === undefined) scopes.set(top, [uri]);
    else known.push(uri);
  }
  return scopes;
}

/** The reasons in the files of a scope for which it is open, those about releases, and how many of them are about objects. */
interface ReasonsInFiles {
  readonly all: readonly OpenReason[];
  readonly released: readonly OpenReason[];
  readonly created: number;
}

function reasonsIn(
  files: ReadonlySet<string>,
  facts: ReadonlyMap<string, ScopeFacts>,
  installers: ReadonlyMap<string, Installer>,
): ReasonsInFiles {
  const all: OpenReason[] = [];
  const released: OpenReason[] = [];
  let created = 0;
  if (installers.size > 0) {
    for (const uri of files) {
      const { reasons: why = [], areReleases } = installers.get(uri) ?? {};
      for (const reason of why) {
        all.push({ uri, reason });
        if (areReleases) released.push({ uri, reason });
        else created++;
      }
    }
  }
  for (const uri of files) {
    for (const reason of facts.get(uri)?.openBecause ?? []) {
      all.push({ uri, reason });
      if (isAboutObjects(reason)) created++;
    }
  }
  return { all, released, created };
}

/** Returns whether a scope was loaded completely or, if not, the missing parts as sentences. */
function closedness(
  { kind, path, reasons, gitops }: Draft,
  facts: ReadonlyMap<string, ScopeFacts>,
  inFiles: ReasonsInFiles,
): Pick<Scope, 'closed' | 'unread'> {
  const all: readonly OpenReason[] = [...reasons, ...inFiles.all];
  const released = reasons.filter(({ areDefinitions }) => areDefinitions).length + inFiles.released.length;
  const { created } = inFiles;
  const charts = reasons.filter(({ isChart }) => isChart).length;
  const isFile = kind === 'template' || kind === 'file' || gitops !== undefined;
  const folder = isFile ? folderOf(path) : path;
  const around = unreadAround(folder, facts);
  if (all.length === 0 && around.length === 0) return { closed: true };
  const sentence = ({ uri, reason }: OpenReason) => `${relativePath(folder, uri)} ${reason}.`;
  const outside = all.filter(({ isOutside }) => isOutside).map(sentence);
  const leftOut = all.filter(({ isLeftOut }) => isLeftOut).map(sentence);
  const closed = {
    openBecause: [...new Set([...all.map(sentence), ...around])].toSorted(),
    ...(outside.length > 0 && { outside: outside.toSorted()[0] }),
    ...(leftOut.length > 0 && { leftOut: leftOut.toSorted() }),
    ...(inFiles.released.length > 0 && {
      released: inFiles.released.map((each) => ({ uri: each.uri, sentence: sentence(each) })),
    }),
    ...(released === all.length && around.length === 0 && { areReleases: true as const }),
    ...(released + created === all.length && around.length === 0 && { areObjects: true as const }),
    ...(charts + created === all.length && around.length === 0 && { areCharts: true as const }),
  };
  const isUnread = around.length > 0 || all.some(({ uri }) => facts.get(uri)?.unread);
  return isUnread ? { closed, unread: true } : { closed };
}

/** Returns the skipped files around a folder. A folder that was not read completely may contain anything that is applied together with the scope. */
function unreadAround(folder: string, facts: ReadonlyMap<string, ScopeFacts>): readonly string[] {
  const sentences: string[] = [];
  for (let at = folder; at !== ''; at = folderOf(at)) {
    for (const reason of facts.get(at)?.openBecause ?? []) sentences.push(`${fileNameOf(at)} ${reason}.`);
  }
  return sentences;
}

/** Groups the bases of all kustomizations, because there may be many more pairs of kustomizations with a common base than files. */
function baseGroupsOf(drafts: readonly Draft[]): Gathered['baseGroups'] {
  const groupOf = new Map<string, number>();
  let count = 0;
  for (const { bases = [] } of drafts) {
    const divided = new Map<number | undefined, number>();
    for (const uri of bases)
      groupOf.set(
        uri,
        getOrAdd(divided, groupOf.get(uri), () => count++),
      );
  }
  const groups = new Map<number, ReadonlySet<number>>();
  for (const [number, { bases }] of drafts.entries())
    if (bases !== undefined && bases.size > 0)
      groups.set(number, new Set([...bases].flatMap((uri) => groupOf.get(uri) ?? [])));
  return groups;
}

/** Whether two kustomizations have a common base: only one of them is meant to be applied with the objects of the base. */
export function areAlternatives({ baseGroups }: Pick<Gathered, 'baseGroups'>, a: number, b: number): boolean {
  const [one, other] = [baseGroups.get(a), baseGroups.get(b)];
  if (one === undefined || other === undefined) return false;
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const group of few) if (many.has(group)) return true;
  return false;
}

/** Returns, for each kustomization file, the numbers of the scopes that include it. */
export function rootsByPart(scopes: readonly GatheredScope[]): ReadonlyMap<string, readonly number[]> {
  const roots = new Map<string, number[]>();
  for (const [number, { parts = [] }] of scopes.entries()) {
    for (const uri of parts) {
      const known = roots.get(uri);
      if (known === undefined) roots.set(uri, [number]);
      else known.push(number);
    }
  }
  return roots;
}

function scopeOf(draft: Draft, files: ReadonlyMap<string, ScopeFacts>, inFiles: ReasonsInFiles): GatheredScope {
  const { reasons: _, bases: __, ...scope } = draft;
  return { ...scope, ...closedness(draft, files, inFiles) };
}
