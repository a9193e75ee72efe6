/** What does a rule see? A file as it is written, or as a kustomization applies it. */

import type { SelectorFact } from '../../engine/catalogue/types.ts';
import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { isMentioned, type Mention } from '../../manifests/mentions.ts';
import type { LabelEntry, Manifest, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import type { Applied } from '../../workspace/kustomize/view.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { nothingKnown } from '../../workspace/selection/lazy-selection.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Done, RuleContext, Subject } from './rule.ts';
import type { Suppressions } from './suppressions.ts';

/** What is asked about; the rest of a rule's context is made here. */
export interface Asked extends Omit<RuleContext, keyof Others | Own> {
  /** The text that `manifest` was read from. */
  readText(): string;
}

type Own = 'text' | 'stored' | 'mentions' | 'selectionOf';

/** What a rule is told of the others, and of what silences them. */
export type Others = Pick<RuleContext, 'ruleIds' | 'suppressions' | 'done' | 'comparisons'>;

/** A file as one kustomization applies it, and what a rule sees of it. */
export interface Version extends Applied {
  readonly context: Context;
}

/** Whether the text of a file mentions something. */
export function speaksOf({ manifest: { mentions }, readText }: Asked, what: Mention): boolean {
  return mentions === undefined ? isMentioned(readText(), what) : mentions.includes(what);
}

type Seen = Pick<RuleContext, 'file' | 'manifest' | 'workspace'>;

/** One for all rules that look at a file: what several of them ask is found once. */
export class Context implements RuleContext {
  readonly uri: string;
  readonly file: WorkspaceFile;
  readonly manifest: Manifest;
  readonly workspace: Workspace;
  readonly catalogue: RuleContext['catalogue'];
  readonly settings: RuleContext['settings'];
  readonly since: RuleContext['since'];
  readonly ruleIds: readonly string[];
  readonly suppressions: Suppressions;
  readonly done: Done;
  readonly comparisons: Comparisons;
  readonly #asked: Asked;
  #stored: readonly ManifestObject[] | undefined;
  #subjects: ReadonlySet<Subject> | undefined;
  /** What is applied twice has its sites in common. */
  readonly #selections = new Map<ManifestObject, Map<SelectorSite, Selection>>();

  /** `seen` is the file as the workspace of a kustomization has it, or as it is written. */
  constructor(asked: Asked, { ruleIds, suppressions, done, comparisons }: Others, seen: Seen = asked) {
    this.uri = asked.uri;
    this.file = seen.file;
    this.manifest = seen.manifest;
    this.workspace = seen.workspace;
    this.catalogue = asked.catalogue;
    this.settings = asked.settings;
    this.since = asked.since;
    this.ruleIds = ruleIds;
    this.suppressions = suppressions;
    this.done = done;
    this.comparisons = comparisons;
    this.#asked = asked;
  }

  get text(): string {
    return this.#asked.readText();
  }

  get stored(): readonly ManifestObject[] {
    this.#stored ??= objectsOf(this.workspace, this.file);
    return this.#stored;
  }

  /** Whether the file has something for rules on a subject. */
  holds(subject: Subject): boolean {
    this.#subjects ??= subjectsOf(this);
    return this.#subjects.has(subject);
  }

  mentions(what: Mention): boolean {
    return speaksOf(this.#asked, what);
  }

  isUnread(uri: string): boolean {
    return this.#asked.isUnread(uri);
  }

  selectionOf(object: ManifestObject, site: SelectorSite): Selection {
    const ofObject = getOrAdd(this.#selections, object, () => new Map<SelectorSite, Selection>());
    return getOrAdd(ofObject, site, () => {
      if (this.comparisons.leaveOut()) return nothingKnown;
      const owner = { file: this.file, object };
      return selectionOf(this.workspace, this.catalogue, owner, site, this.comparisons);
    });
  }
}

function subjectsOf({ file, manifest, suppressions }: RuleContext): ReadonlySet<Subject> {
  const subjects = new Set<Subject>();
  if (manifest.syntaxErrors > 0 || file.config?.problems.some(({ code }) => code === 'syntax'))
    subjects.add('syntax errors');
  if (file.notes?.some(({ is }) => is !== undefined)) subjects.add('syntax errors');
  if (file.notes?.some(({ near }) => near !== undefined)) subjects.add('unknown helpers');
  for (const object of manifest.objects) addSubjects(subjects, object);
  for (const object of manifest.inline ?? []) addSubjects(subjects, object);
  if (file.kustomization !== undefined) subjects.add('kustomization');
  if (file.config !== undefined) subjects.add('configuration').add('rule names');
  if (suppressions.all.length + suppressions.misspelt.length > 0) subjects.add('suppressions').add('rule names');
  return subjects;
}

function addSubjects(subjects: Set<Subject>, object: ManifestObject): void {
  const { labelSites, selectorSites, labelKeySites, targetPorts, scaleTarget } = object;
  if (object.forCluster) subjects.add('objects');
  if (labelSites.length + selectorSites.length + labelKeySites.length > 0) subjects.add('labels');
  if (labelSites.some(({ place }) => place.holds === 'annotations')) subjects.add('annotations');
  if (targetPorts !== undefined) subjects.add('target ports');
  if (scaleTarget !== undefined) subjects.add('scale targets');
  if (labelKeySites.length > 0) subjects.add('choices of nodes');
  if (!subjects.has('unusual labels') && hasUnusualLabels(object)) subjects.add('unusual labels');
  for (const { fact, state } of selectorSites) {
    if (state === 'empty') subjects.add('empty selectors');
    for (const subject of getOrAdd(subjectsOfFacts, fact, subjectsOfFact)) subjects.add(subject);
  }
}

/** Nearly all labels are what Kubernetes accepts: where all of a file are, no rule on their syntax need look at them. */
function hasUnusualLabels({ labelSites, selectorSites, labelKeySites }: ManifestObject): boolean {
  const isUnusual = ({ key, value }: LabelEntry) =>
    isUnusualKey(key) || value.type !== 'string' || (typeof value.value === 'string' && !isLabelValue(value.value));
  return (
    labelSites.some(
      ({ place, entries, notMap }) => place.holds === 'labels' && (notMap !== undefined || entries.some(isUnusual)),
    ) ||
    selectorSites.some(({ entries }) => entries.some(isUnusual)) ||
    labelKeySites.some(({ key }) => isUnusualKey(key))
  );
}

function isUnusualKey({ type, value }: Written): boolean {
  return type !== 'string' || typeof value !== 'string' || !isLabelKey(value);
}

/** A field of the catalogue is the same in very many files. */
const subjectsOfFacts = new WeakMap<SelectorFact, readonly Subject[]>();

function subjectsOfFact(fact: SelectorFact): readonly Subject[] {
  const { form, path, plain, mustMatchTemplate, ignored, templateLabelsAt } = fact;
  const subjects: Subject[] = ['selectors'];
  if (mustMatchTemplate || ignored?.refused) subjects.push('workload selectors');
  if (plain && templateLabelsAt === undefined) subjects.push('selectors of others');
  if (plain && /ffinity|topologySpread/.test(path)) subjects.push('affinities');
  if (plain && form.startsWith('nodeSelector')) subjects.push('choices of nodes');
  if (form === 'nodeSelector' || form === 'nodeSelectorTerm') subjects.push('node terms');
  if (form.startsWith('fieldSelector')) subjects.push('field selectors');
  return subjects;
}
