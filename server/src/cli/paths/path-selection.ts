/** Selects objects and findings by paths: objects and findings in files at the paths, in scopes that are rooted at the paths, and findings that files at the paths cause. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import type { Session } from '../../session.ts';
import { configName } from '../../settings/config.ts';
import { isHelperFile, isValuesFile } from '../../workspace/charts/chart-files.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { hasErrors, objectsOf } from '../../workspace/snapshot.ts';
import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';
import type { NamedPath } from './requested-paths.ts';
import { type TakingPart, takingPartIn } from './taking-part.ts';

/** The selected part of a scope. `whole`: the scope is rooted in the paths, or a file in the paths affects all of it, such as the values file of a chart. `partly`: a file in the paths belongs to the scope, so it may cause findings anywhere in the scope. */
type Share = 'whole' | 'partly';

/** The selection of paths, limited by `--scope`, in an indexed workspace. */
export class PathSelection {
  readonly #session: Session;
  readonly #workspace: Workspace;
  readonly #named: readonly NamedPath[];
  readonly #limits: ReadonlySet<Scope> | undefined;
  /** Whether the paths contain all files. */
  readonly #isEverything: boolean;
  readonly #shares = new Map<Scope, Share>();
  /**
   * Files built by kustomizations that are in the paths but are not roots of scopes, with the scopes that use these
   * kustomizations, and files whose parsing depends on definitions in the paths, in all scopes.
   */
  readonly #others = new Map<string, Set<Scope> | 'all'>();
  readonly #takingPart: TakingPart;

  constructor(session: Session, named: readonly NamedPath[], limits: ReadonlySet<Scope> | undefined) {
    this.#session = session;
    this.#workspace = session.snapshot();
    this.#takingPart = takingPartIn(this.#workspace);
    // The configuration of a folder affects all files in it.
    this.#named = named.map((each) => {
      return fileNameOf(each.uri) === configName ? { ...each, kind: 'folder', uri: folderOf(each.uri) } : each;
    });
    this.#limits = limits;
    const { folders } = this.#workspace;
    this.#isEverything = folders.length > 0 && folders.every((folder) => this.isNamed(folder));
    if (this.#isEverything) return;
    this.#shareKustomizations();
    const taught = this.#shareFiles();
    for (const { kind, uri } of this.#named) if (kind === 'gone') this.#shareDeleted(uri);
    if (taught.size > 0) this.#addTaught(taught);
  }

  /** Whether every finding of every file is selected. */
  get isWhole(): boolean {
    return this.#isEverything && this.#limits === undefined;
  }

  /** Returns the selection of the same paths and limits in the newest snapshot of a session. */
  on(session: Session): PathSelection {
    const limits = this.#limits && new Set([...this.#limits].map(({ kind, path }) => `${kind} ${path}`));
    const isMeant = ({ kind, path }: Scope) => limits?.has(`${kind} ${path}`);
    return new PathSelection(
      session,
      this.#named,
      limits && new Set(session.snapshot().scopes().all().filter(isMeant)),
    );
  }

  /** The scopes that `--scope` names; undefined without the option. */
  get limits(): ReadonlySet<Scope> | undefined {
    return this.#limits;
  }

  limitedTo(limits: ReadonlySet<Scope>): PathSelection {
    return new PathSelection(this.#session, this.#named, limits);
  }

  isNamed(uri: string): boolean {
    return this.#named.some((each) => isWithin(uri, each.uri));
  }

  /**
   * Tests whether an object is selected in the form in which a scope applies it. `transformers` are the sources of the
   * changes to the object.
   */
  selectsObject(uri: string, scope: Scope, transformers: readonly TransformerSource[] = []): boolean {
    if (this.#limits?.has(scope) === false) return false;
    if (this.#isEverything || this.#shares.get(scope) === 'whole' || this.#isWrittenIn(uri, [scope])) return true;
    return transformers.some(
      (transformer) => !(transformer.kind === 'fieldPath' && transformer.reads) && this.isNamed(transformer.uri),
    );
  }

  selectsFinding(uri: string, { scopes, isLocal, acrossScopes }: Finding): boolean {
    if (this.isWhole) return true;
    const within = (scopes ?? this.#takingPart.scopesOf(uri)).filter((scope) => this.#limits?.has(scope) !== false);
    if (this.#limits !== undefined && within.length === 0) return false;
    if (this.#isEverything || this.#isWrittenIn(uri, within)) return true;
    const shares = within.map((scope) => this.#shares.get(scope));
    if (shares.includes('whole')) return true;
    const isCaused = shares.includes('partly') || (acrossScopes === true && this.#selecting().has(uri));
    return isCaused && isLocal?.() === false;
  }

  /** Returns the files that may contain selected findings, in the order of their URIs. */
  filesWithFindings(): readonly WorkspaceFile[] {
    if (this.isWhole) return this.#takingPart.files();
    const wide = this.#isEverything ? this.#filesIn(this.#limits ?? []) : this.#nearFiles();
    const elsewhere = this.#isEverything ? [] : this.#selecting();
    return this.#takingPart.filesOf([...wide, ...elsewhere]).filter(({ uri }) => this.#mayHoldFindings(uri));
  }

  /**
   * Returns the files in the paths, and the files in scopes that are selected as a whole, in the order of their URIs.
   */
  heldFiles(): readonly WorkspaceFile[] {
    if (this.#isEverything) return this.#takingPart.files();
    return this.#takingPart.filesOf(this.#nearFiles()).filter(({ uri }) => this.holds(uri));
  }

  /** Tests whether findings in a file may be selected. */
  #mayHoldFindings(uri: string): boolean {
    if (this.isWhole) return true;
    const within = this.#takingPart.scopesOf(uri).filter((scope) => this.#limits?.has(scope) !== false);
    if (this.#limits !== undefined && within.length === 0) return false;
    if (this.#isEverything || this.#isWritten(uri) || within.some((scope) => this.#shares.has(scope))) return true;
    return this.#selecting().has(uri);
  }

  /** Tests whether a file is one of `heldFiles`. */
  holds(uri: string): boolean {
    const isWhole = (scope: Scope) => this.#limits?.has(scope) !== false && this.#shares.get(scope) === 'whole';
    return this.#isEverything || this.#isWritten(uri) || this.#takingPart.scopesOf(uri).some(isWhole);
  }

  /** Tests whether every finding in a file is selected. */
  selectsAllOf(uri: string): boolean {
    return this.#limits === undefined && (this.#isEverything || this.isNamed(uri) || this.#others.get(uri) === 'all');
  }

  objectsIn(file: WorkspaceFile): number {
    const { uri } = file;
    const scopes = this.#workspace.scopes();
    if (file.objects === 0 || scopes.isPatch(uri)) return 0;
    if (scopes.ofFile(uri).some((scope) => this.selectsObject(uri, scope))) return file.objects;
    const patched = this.#patched().get(uri);
    if (patched === undefined) return 0;
    return objectsOf(this.#workspace, file).filter(({ kindSpan }) => patched.has(kindSpan.start)).length;
  }

  /** Returns the paths that contain nothing to check. */
  unused(): readonly NamedPath[] {
    const used = new Set<NamedPath>();
    const use = (uri: string) => {
      for (const each of this.#named) if (isWithin(uri, each.uri)) used.add(each);
    };
    for (const file of this.#takingPart.filesAt(this.#named)) {
      if (used.size === this.#named.length) return [];
      if (this.#concerns(file)) use(file.uri);
    }
    if (used.size === this.#named.length) return [];
    for (const target of this.#takingPart.naming().keys()) use(target);
    for (const each of this.#named) if (each.kind === 'gone' && this.#concernsDeleted(each.uri)) used.add(each);
    return this.#named.filter((each) => !used.has(each));
  }

  /**
   * Returns the scopes that are selected as a whole and use files outside of the roots, each with a sentence about
   * these files.
   */
  missing(): readonly (readonly [scope: Scope, sentence: string])[] {
    const scopes = this.#workspace
      .scopes()
      .all()
      .filter((scope) => this.#isRooted(scope));
    return scopes.flatMap((scope) => {
      const outside = scope.closed === true ? undefined : scope.closed.outside;
      return outside === undefined ? [] : [[scope, outside] as const];
    });
  }

  /** Returns the selected scopes that use files that git ignores or the settings exclude, with sentences about these files. */
  leftOut(): readonly (readonly [scope: Scope, sentences: readonly string[]])[] {
    const scopes = this.#workspace
      .scopes()
      .all()
      .filter((scope) => this.concerns(scope));
    return scopes.flatMap((scope) => {
      const sentences = scope.closed === true ? undefined : scope.closed.leftOut;
      return sentences === undefined ? [] : [[scope, sentences] as const];
    });
  }

  concerns(scope: Scope): boolean {
    return this.#limits?.has(scope) !== false && (this.#isEverything || this.#shares.has(scope));
  }

  /** Tests whether `selectsObject` may be true for an object in a scope. */
  mayApply(scope: Scope): boolean {
    if (this.#limits?.has(scope) === false) return false;
    // A GitOps object may change objects in any file of the scopes that it uses.
    if (this.#isEverything || this.#shares.has(scope) || scope.gitops !== undefined) return true;
    return this.#withOthers().has(scope);
  }

  selectsScope(scope: Scope): boolean {
    return this.#isRooted(scope);
  }

  #isRooted(scope: Scope): boolean {
    return this.#limits?.has(scope) !== false && (this.#isEverything || this.#shares.get(scope) === 'whole');
  }

  /** The URIs of the files in the paths, and of the files that share a scope with one of them. */
  readonly #nearFiles = once(() => [
    ...this.#takingPart.filesAt(this.#named).map(({ uri }) => uri),
    ...this.#others.keys(),
    ...this.#filesIn(this.#shares.keys()),
  ]);

  #filesIn(scopes: Iterable<Scope>): readonly string[] {
    return [...scopes].flatMap((scope) => this.#takingPart.filesIn(scope));
  }

  #isWritten(uri: string): boolean {
    return this.isNamed(uri) || this.#others.has(uri);
  }

  /** Whether the paths contain a file, or a kustomization that builds it in one of some scopes. */
  #isWrittenIn(uri: string, scopes: readonly Scope[]): boolean {
    if (this.isNamed(uri)) return true;
    const others = this.#others.get(uri);
    return others !== undefined && (others === 'all' || scopes.some((each) => others.has(each)));
  }

  #addOther(uri: string, scopes: readonly Scope[]): void {
    const known = this.#others.get(uri);
    if (scopes.length === 0 || known === 'all') this.#others.set(uri, 'all');
    else this.#others.set(uri, new Set([...(known ?? []), ...scopes]));
  }

  #share(scopes: readonly Scope[], share: Share): void {
    for (const scope of scopes) if (this.#shares.get(scope) !== 'whole') this.#shares.set(scope, share);
  }

  #shareKustomizations(): void {
    const scopes = this.#workspace.scopes();
    // A kustomization in the paths represents its folder; files that it does not list may be applied separately.
    const changed = this.#named
      .filter(({ uri }) => isKustomizationName(fileNameOf(uri)))
      .map(({ uri }) => folderOf(uri));
    const naming = this.#takingPart.naming();
    const areFiles = this.#named.every(({ kind }) => kind === 'file');
    const named = this.#named.map(({ uri }) => uri);
    for (const target of areFiles ? [...named, ...changed] : naming.keys())
      if (this.isNamed(target) || changed.includes(target))
        for (const uri of naming.get(target) ?? []) this.#share(scopes.building(uri), 'partly');
    for (const scope of changed.length === 0 ? [] : scopes.all()) {
      const isUnlisted = (file: string) => changed.some((folder) => isWithin(file, folder));
      if (scope.kind === 'folder' && [...scope.files].some(isUnlisted)) this.#share([scope], 'partly');
    }
    for (const uri of areFiles ? named : scopes.facts().keys()) {
      if (scopes.factsOf(uri)?.kustomization === undefined || !this.isNamed(uri)) continue;
      if (this.#workspace.files.get(uri)?.kustomization === undefined) continue;
      const folder = folderOf(uri);
      const built = scopes.building(uri);
      this.#share(built, 'partly');
      const own = built.filter(({ path }) => path === folder);
      this.#share(own, 'whole');
      if (own.length > 0) continue;
      const rendering = this.#workspace.rendering(folder, this.#session.workspace.catalogueOf(uri));
      for (const each of rendering?.files.keys() ?? []) this.#addOther(each, built);
    }
  }

  /** Selects the scopes of the files in the paths. Returns the kinds that definitions in the paths define. */
  #shareFiles(): ReadonlySet<string> {
    const taught = new Set<string>();
    for (const file of this.#takingPart.filesAt(this.#named)) {
      this.#share(this.#takingPart.scopesOf(file.uri), 'partly');
      if (decidesChart(file)) this.#shareChart(file);
      if (file.objects === 0) continue;
      for (const { defines } of file.manifest.objects)
        if (defines?.teaches !== undefined) taught.add(kindKey(defines.teaches));
    }
    for (const scope of this.#workspace.scopes().all()) if (this.isNamed(scope.path)) this.#share([scope], 'whole');
    return taught;
  }

  /**
   * Helpers are shared by all charts that are installed together; values and names belong to one chart and its
   * subcharts.
   */
  #shareChart({ uri, helm }: WorkspaceFile): void {
    const charts = this.#chartsAround(uri);
    if (helm?.helpers !== undefined) this.#share(charts, 'whole');
    const folder = this.#chartFolder(uri);
    if (folder === undefined) return;
    this.#share(
      charts.filter(({ path }) => path === folder),
      'whole',
    );
    for (const { files } of charts) for (const each of files) if (isWithin(each, folder)) this.#others.set(each, 'all');
  }

  #addTaught(taught: ReadonlySet<string>): void {
    for (const [uri, { kinds = [] }] of this.#workspace.scopes().facts())
      if (kinds.some((each) => taught.has(each.slice(0, each.indexOf(' '))))) this.#others.set(uri, 'all');
  }

  /** Selects the scopes around the folder of a deleted file, because the file belonged to them. */
  #shareDeleted(uri: string): void {
    this.#share(this.#chartsAround(uri), 'whole');
    this.#share(this.#foldersAround(uri), 'partly');
  }

  /**
   * Returns the scopes without a kustomization or chart that contain this file, or contained it before it was deleted.
   */
  #foldersAround(uri: string): readonly Scope[] {
    const folder = folderOf(uri);
    const declared = (this.#workspace.configs().of(uri)?.scopesOf(uri) ?? []).map(([, { name }]) => name);
    const isBeside = (file: string) => [folder, folderOf(folder)].includes(folderOf(file));
    return this.#workspace
      .scopes()
      .all()
      .filter(({ kind, path, name = '', files }) => {
        if (kind === 'declared') return declared.includes(name);
        return kind === 'folder' && (folderOf(path) === folder || [...files].some(isBeside));
      });
  }

  /** Returns the scopes of all charts that install the chart whose folder contains a file. */
  #chartsAround(uri: string): readonly Scope[] {
    const folder = this.#chartFolder(uri);
    if (folder === undefined) return [];
    const isIn = (file: string) => isWithin(file, folder);
    const scopes = this.#workspace.scopes().all();
    return scopes.filter(({ kind, path, files }) => kind === 'chart' && (path === folder || [...files].some(isIn)));
  }

  #chartFolder(uri: string): string | undefined {
    const facts = this.#workspace.scopes().facts();
    for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder))
      if (facts.get(`${folder}/Chart.yaml`)?.chart !== undefined) return folder;
    return undefined;
  }

  #concerns(file: WorkspaceFile): boolean {
    if (file.objects > 0 || file.config !== undefined || file.kustomization !== undefined) return true;
    if (hasErrors(file) || file.manifest.faults !== undefined) return true;
    return decidesChart(file) && this.#chartsAround(file.uri).length > 0;
  }

  #concernsDeleted(uri: string): boolean {
    return this.#takingPart.naming().has(uri) || [...this.#chartsAround(uri), ...this.#foldersAround(uri)].length > 0;
  }

  readonly #withOthers = once(() => {
    const scopesOf = ([uri, within]: readonly [string, Set<Scope> | 'all']) =>
      within === 'all' ? this.#takingPart.scopesOf(uri) : [...within];
    return new Set([...this.#others].flatMap(scopesOf));
  });

  /** The files outside of the paths with selectors that may have matched objects in the paths. */
  readonly #selecting = once(() => {
    return selectingElsewhere(this.#workspace, this.#takingPart.filesAt(this.#named));
  });

  /** The start offsets of the objects that files in the paths change, by the file that contains the objects. */
  readonly #patched = once(() => {
    const patched = new Map<string, Set<number>>();
    for (const scope of this.#shares.keys()) {
      if (!isRendered(scope)) continue;
      const rendering = this.#workspace.rendering(scope.path, this.#session.workspace.catalogueOf(scope.path));
      for (const { file, object, transformers } of rendering?.objects ?? []) {
        if (!this.selectsObject(file.uri, scope, transformers)) continue;
        getOrAdd(patched, file.uri, () => new Set<number>()).add(object.kindSpan.start);
      }
    }
    return patched;
  });
}

/** Whether a file may affect everything that a chart renders. */
function decidesChart({ uri, chart, helm }: WorkspaceFile): boolean {
  return chart !== undefined || helm !== undefined || isValuesFile(uri) || isHelperFile(uri);
}

/** Returns the URIs of the files with a selector that requires, for a label key of the objects, one of the current values of that key or the name of one of the objects: a relabeled object usually keeps its name or its other labels. */
function selectingElsewhere(workspace: Workspace, files: Iterable<WorkspaceFile>): ReadonlySet<string> {
  const names = new Set<string>();
  const labels = new Map<string, Set<string>>();
  for (const { manifest } of files) {
    for (const object of manifest.objects) {
      if (object.name !== undefined) names.add(object.name.text);
      for (const labeledObject of labeledObjectsOf(object))
        for (const [key, value] of Object.entries(labeledObject.labels)) {
          const values = getOrAdd(labels, key, () => new Set<string>());
          if (typeof value === 'string') values.add(value);
        }
    }
  }
  const found = new Set<string>();
  for (const [key, values] of labels)
    for (const { uri } of workspace.speaking(key, [...values, ...names])) found.add(uri);
  return found;
}
