/** The context of a rule: either the file itself, or the file as a kustomization applies it. */

import { getOrAdd } from '../../engine/memoize.ts';
import { isMentioned, type Mention } from '../../manifests/mentions.ts';
import type { Manifest, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { nameIn } from '../../workspace/kustomize/listed-together.ts';
import { patchedIn } from '../../workspace/kustomize/patched-beside.ts';
import type { Applied } from '../../workspace/kustomize/view.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { nothingKnown } from '../../workspace/selection/lazy-selection.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { mayPatch } from '../helpers/patched-objects.ts';
import { type Done, type Need, needs, type RuleContext } from './rule.ts';
import type { Suppressions } from './suppressions.ts';

/** The file to check, and its surroundings. The other parts of a rule's context are created in this module. */
export interface CheckInput extends Omit<RuleContext, keyof Others | Own> {
  /** Returns the text from which the file's `manifest` was parsed. */
  readText(): string;
}

type Own = 'text' | 'stored' | 'mentions' | 'selectionOf' | 'has' | 'contextOf';

/** The parts of a rule's context that depend on other rules and on suppressions. */
export type Others = Pick<RuleContext, 'ruleIds' | 'suppressions' | 'done' | 'comparisons'>;

/** A file as one kustomization applies it, and the context in which rules check it. */
export interface Version extends Applied {
  readonly context: Context;
}

/** Whether the text of a file contains a given rare term. */
export function concerns({ manifest: { mentions }, readText }: CheckInput, what: Mention): boolean {
  return mentions === undefined ? isMentioned(readText(), what) : mentions.includes(what);
}

const hasNeeded: Readonly<Record<Need, (context: Context) => boolean>> = {
  kustomization: ({ file }) => file.kustomization !== undefined,
  suppressions: ({ suppressions }) => suppressions.all.length > 0,
  words: ({ manifest }) => manifest.words !== undefined,
  objects: ({ manifest }) => manifest.objects.length > 0 || manifest.inline !== undefined,
  maps: (context) =>
    context.someObject(({ labelSites, selectorSites }) => labelSites.length > 0 || selectorSites.length > 0),
  selectors: (context) => mayPatch(context) || context.someObject(({ selectorSites }) => selectorSites.length > 0),
  stored: ({ stored }) => stored.length > 0,
  references: (context) => mayPatch(context) || context.stored.some(({ references }) => references !== undefined),
  gitops: ({ stored }) => stored.some(({ gitopsSpec }) => gitopsSpec !== undefined),
  policies: (context) =>
    mayPatch(context) || context.stored.some((object) => (object.policySpec ?? object.networkSpec) !== undefined),
  definitions: ({ stored }) => stored.some(({ defines }) => defines !== undefined),
};

/** The bit of each need in a set of needs. */
const bits: ReadonlyMap<Need, number> = new Map(needs.map((need, number) => [need, 1 << number]));

type Seen = Pick<RuleContext, 'file' | 'manifest' | 'workspace'>;

/** The context that all rules share for one file, so that results that several rules need are computed once. */
export class Context implements RuleContext {
  readonly uri: string;
  readonly file: WorkspaceFile;
  readonly manifest: Manifest;
  readonly catalogue: RuleContext['catalogue'];
  readonly ruleIds: readonly string[];
  readonly workspace: Workspace;
  readonly executed?: Workspace;
  readonly settings: RuleContext['settings'];
  readonly suppressions: Suppressions;
  readonly done: Done;
  readonly comparisons: Comparisons;
  readonly page: RuleContext['page'];
  readonly #input: CheckInput;
  readonly #others: Others;
  #stored: readonly ManifestObject[] | undefined;
  /** The needs that were determined, and those that the file meets, as bit sets. */
  #known = 0;
  #met = 0;
  /**
   * The selections by object and selector site. The site alone is not sufficient, because two applied versions of an
   * object share their sites.
   */
  readonly #selections = new Map<ManifestObject, Map<SelectorSite, Selection>>();

  /** Creates the context for `seen`, which is the file as a kustomization applies it, or the file itself. */
  constructor(input: CheckInput, others: Others, seen: Seen = input) {
    this.uri = input.uri;
    this.file = seen.file;
    this.manifest = seen.manifest;
    this.catalogue = input.catalogue;
    this.ruleIds = others.ruleIds;
    this.workspace = seen.workspace;
    if (input.executed !== undefined) this.executed = input.executed;
    this.settings = input.settings;
    this.suppressions = others.suppressions;
    this.done = others.done;
    this.comparisons = others.comparisons;
    this.page = input.page;
    this.#input = input;
    this.#others = others;
  }

  get since(): RuleContext['since'] {
    // The changed matches of all files are computed together.
    if (this.#input.since !== undefined) this.workspace.questions?.noteAround({ about: 'around' });
    return this.#input.since;
  }

  get text(): string {
    return this.#input.readText();
  }

  get stored(): readonly ManifestObject[] {
    this.#stored ??= this.#withoutPatches(objectsOf(this.workspace, this.file));
    return this.#stored;
  }

  /** Removes the objects that patches in the same folder change, unless something applies the file: it is an alternative to these patches. */
  #withoutPatches(objects: readonly ManifestObject[]): readonly ManifestObject[] {
    if (objects.length === 0) return objects;
    const scopes = this.workspace.scopes();
    if (scopes.ofFile(this.uri).some(({ kind }) => kind !== 'folder')) return objects;
    const patched = patchedIn(scopes, folderOf(this.uri));
    return patched.length === 0 ? objects : objects.filter((object) => !patched.includes(nameIn(object)));
  }

  has(need: Need): boolean {
    const bit = bits.get(need) ?? 0;
    if ((this.#known & bit) === 0) {
      this.#known |= bit;
      if (hasNeeded[need](this)) this.#met |= bit;
    }
    return (this.#met & bit) !== 0;
  }

  /** Returns the needs that the file meets, as a bit set. */
  parts(): number {
    let parts = 0;
    for (const [need, bit] of bits) if (this.has(need)) parts |= bit;
    return parts;
  }

  someObject(isWanted: (object: ManifestObject) => boolean): boolean {
    return this.manifest.objects.some(isWanted) || this.manifest.inline?.some(isWanted) === true;
  }

  textOf(uri: string): string | undefined {
    return this.#input.textOf(uri);
  }

  mentions(what: Mention): boolean {
    return concerns(this.#input, what);
  }

  isUnread(uri: string): boolean {
    return this.#input.isUnread(uri);
  }

  contextOf(file: WorkspaceFile, text: string): RuleContext {
    const { uri, manifest } = file;
    return new Context({ ...this.#input, uri, file, manifest, readText: () => text }, this.#others);
  }

  selectionOf(object: ManifestObject, site: SelectorSite): Selection {
    const ofObject = getOrAdd(this.#selections, object, () => new Map<SelectorSite, Selection>());
    return getOrAdd(ofObject, site, () => {
      const { workspace, comparisons } = this;
      if (comparisons.leaveOut()) return nothingKnown;
      return selectionOf(workspace, this.catalogue, { file: this.file, object }, site, comparisons);
    });
  }
}
