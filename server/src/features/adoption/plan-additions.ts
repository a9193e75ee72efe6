/** Plans stage 1 of an adoption: the edits that add recommended labels to objects and pod templates. */

import { getOrAdd } from '../../engine/memoize.ts';
import { areOfPod } from '../../manifests/label-sets.ts';
import type { LabelSite, TemplateSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { addLabels } from '../../rules/fixes/add-labels.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { objectName } from '../presentation/object-names.ts';
import { type AdoptedLabels, adoptedLabelsFor } from './adopted-labels.ts';
import { helperChanges, helperOf } from './chart-helpers.ts';
import { addedInTemplate, isOfChart } from './chart-labels.ts';
import {
  isWritten,
  kustomizationChange,
  type ListingKustomization,
  listingKustomizations,
  reachesTemplates,
  setsLabel,
} from './kustomization-labels.ts';
import {
  type AdoptionOptions,
  type AdoptionState,
  fileKey,
  type Label,
  type LeftOut,
  objectKey,
  type PlannedChange,
  type ReplacedKeys,
  type StagePlan,
  templatesKey,
} from './model.ts';
import { objectsToLabel } from './objects-to-adopt.ts';
import { isOfScope, ownEntries, RecommendedValues } from './recommended-values.ts';
import { whyFileNotEdited, whyNotEdited } from './why-not-edited.ts';

/** Plans the labels to add. Objects in `refused` are left as they are. */
export function planAdditions(
  state: AdoptionState,
  options: AdoptionOptions,
  refused: ReadonlyMap<string, string>,
): StagePlan {
  const planner = new AdditionPlanner(state, options);
  const wanted: ObjectInFile[] = [];
  for (const where of objectsToLabel(state)) {
    const reason = refused.get(objectKey(where));
    if (reason !== undefined) planner.leaveOut(where, reason);
    else wanted.push(where);
  }
  planner.addToKustomizations(wanted, refused);
  for (const where of wanted) planner.add(where, refused.get(templatesKey(where)));
  planner.addToHelpers(refused);
  return { changes: planner.changes, left: planner.left };
}

class AdditionPlanner {
  readonly changes: PlannedChange[] = [];
  readonly left: LeftOut[] = [];
  readonly #state: AdoptionState;
  readonly #options: AdoptionOptions;
  readonly #values: RecommendedValues;
  /** The keys that kustomizations add, by the URIs of the files that they list. */
  readonly #added = new Map<string, ReadonlySet<string>>();
  /** The objects whose labels a helper writes, by the folder of the chart and the name of the helper. */
  readonly #helpers = new Map<string, ObjectInFile[]>();
  readonly #addedToTemplates = new Map<string, ReadonlySet<string>>();
  readonly #listing: ReadonlyMap<string, ListingKustomization>;

  constructor(state: AdoptionState, options: AdoptionOptions) {
    this.#state = state;
    this.#options = options;
    this.#values = new RecommendedValues(state, options);
    this.#listing = listingKustomizations(state.side);
  }

  /** Adds the labels with the same value for all objects of a kustomization to the kustomization. */
  addToKustomizations(wanted: readonly ObjectInFile[], refused: ReadonlyMap<string, string>): void {
    const byKustomization = new Map<ListingKustomization, ObjectInFile[]>();
    for (const where of wanted) {
      const listing = this.#listing.get(where.file.uri);
      if (listing !== undefined && !refused.has(fileKey(listing.file)))
        getOrAdd(byKustomization, listing, () => []).push(where);
    }
    for (const [listing, objects] of byKustomization) {
      const keys = this.#adopted(listing).keys.filter((key) => isOfScope(key) && !isWritten(listing, key));
      const labels = keys.flatMap((key): readonly Label[] => {
        const values = new Set(objects.map((where) => this.#values.valueOf(where, key)));
        const [value] = values;
        const isMissing = objects.some((where) => !this.#values.has(where, key)) && !setsLabel(listing.file, key);
        return values.size === 1 && typeof value === 'string' && isMissing ? [[key, value]] : [];
      });
      const templates = this.#options.templates && reachesTemplates(listing);
      const inTemplates = new Set(
        labels.flatMap(([key]) => (templates && this.#adopted(listing).isForTemplates(key) ? [key] : [])),
      );
      const isShared = objects.length > 1 && labels.length > 0;
      const change = isShared ? kustomizationChange(this.#state.side, listing, labels, inTemplates) : undefined;
      if (change === undefined) continue;
      this.changes.push(change);
      const added = new Set(labels.map(([key]) => key));
      for (const { file } of listing.objects) {
        this.#added.set(file.uri, added);
        this.#addedToTemplates.set(file.uri, inTemplates);
      }
    }
  }

  #isAdded({ file }: ObjectInFile, key: string): boolean {
    const listing = this.#listing.get(file.uri);
    return this.#added.get(file.uri)?.has(key) === true || (listing !== undefined && setsLabel(listing.file, key));
  }

  /** Adds the labels of an object; `refused` is the reason why its pod templates are left as they are. */
  add(where: ObjectInFile, refused: string | undefined): void {
    const { side } = this.#state;
    const adopted = this.#adopted(where);
    const { keys } = adopted;
    if (isOfChart(side, where)) {
      this.#addInChart(where, adopted, refused);
      return;
    }
    const { labels: own, unknown } = this.#missing(where, keys);
    const templates = this.#options.templates ? this.#templatesLacking(where, keys) : [];
    for (const why of unknown) this.leaveOut(where, why);
    if (own.length === 0 && templates.length === 0) return;
    const reason = whyNotEdited(side, where);
    const text = side.textOf(where.file.uri);
    if (reason !== undefined || text === undefined) {
      this.leaveOut(where, reason ?? 'The file cannot be read.');
      return;
    }
    this.#addOwn(where, text, own);
    if (refused !== undefined && templates.length > 0) this.leaveOut(where, refused);
    else for (const [template, labels] of templates) this.#addToTemplate(where, text, template, labels);
  }

  /** Adds labels in a template of a chart, or collects the objects whose labels a helper writes. */
  #addInChart(where: ObjectInFile, adopted: AdoptedLabels, refused: string | undefined): void {
    const { side } = this.#state;
    const { object, file } = where;
    const text = side.textOf(file.uri);
    const { keys } = adopted;
    const isMissing = keys.some((key) => isReplaced(object.labels, key, adopted.replaced));
    const reason = whyFileNotEdited(side, where);
    if (text === undefined || reason !== undefined) {
      if (isMissing) this.leaveOut(where, reason ?? 'The file cannot be read.');
      return;
    }
    const helper = helperOf(text, where);
    if (helper !== undefined) {
      const chart = file.uri.slice(0, file.uri.lastIndexOf('/templates/'));
      getOrAdd(this.#helpers, `${chart}\n${helper}`, () => []).push(where);
      return;
    }
    const own = addedInTemplate(text, object.labels, keys, adopted);
    if (own !== undefined && own.labels.length > 0) this.#plan(where, own.labels, own.edits, false);
    else if (own === undefined && (isMissing || object.labels?.open === true))
      this.leaveOut(where, 'Template actions write its labels.');
    if (refused !== undefined) this.leaveOut(where, refused);
    if (!this.#options.templates || refused !== undefined) return;
    for (const { labels: site, fact } of object.templates) {
      if (!areOfPod({ target: fact.makes })) continue;
      const inTemplate = addedInTemplate(text, site, keys.filter(adopted.isForTemplates), adopted);
      if (inTemplate !== undefined && inTemplate.labels.length > 0)
        this.#plan(where, inTemplate.labels, inTemplate.edits, true);
    }
  }

  /** Adds labels to the helpers of charts that write the labels of objects. */
  addToHelpers(refused: ReadonlyMap<string, string>): void {
    for (const [id, objects] of this.#helpers) {
      const [chart = '', name = ''] = id.split('\n');
      const [first] = objects;
      if (first === undefined) continue;
      const options = { templates: this.#options.templates, adopted: this.#adopted(first) };
      const found = helperChanges(this.#state.side, chart, name, objects, options);
      const whyNot =
        typeof found === 'string' ? found : found.flatMap(({ objects: [own = ''] }) => refused.get(own) ?? [])[0];
      if (whyNot !== undefined) for (const where of objects) this.leaveOut(where, whyNot);
      else if (typeof found !== 'string') this.changes.push(...found);
    }
  }

  leaveOut({ file, object }: ObjectInFile, reason: string): void {
    this.left.push({ uri: file.uri, offset: nameSpan(object).start, name: objectName(object), reason });
  }

  #addOwn(where: ObjectInFile, text: string, labels: readonly Label[]): void {
    if (labels.length === 0) return;
    const edits = addLabels(text, where.object, labels);
    if (edits === undefined) this.leaveOut(where, 'Its labels are not written as a map that can be extended.');
    else this.#plan(where, labels, edits, false);
  }

  #addToTemplate(where: ObjectInFile, text: string, template: TemplateSite, labels: readonly Label[]): void {
    const { object, file } = where;
    if (this.#state.side.catalogueOf(file.uri).isImmutable(object.group, object.kind, template.path)) {
      this.leaveOut(where, `Its pod template cannot be updated (\`${template.path}\` is immutable).`);
      return;
    }
    const site = template.labels;
    const edits = site === undefined ? undefined : addLabels(text, { ...object, labels: site }, labels);
    if (edits === undefined) this.leaveOut(where, 'The labels of its pod template are not written as a map.');
    else this.#plan(where, labels, edits, true);
  }

  #plan(where: ObjectInFile, labels: readonly Label[], edits: PlannedChange['edits'], isTemplate: boolean): void {
    const name = objectName(where.object);
    this.changes.push({ objects: [objectKey(where)], name, uri: where.file.uri, edits, labels, isTemplate });
  }

  #adopted({ file: { uri } }: Pick<ObjectInFile, 'file'>): AdoptedLabels {
    return adoptedLabelsFor(this.#state.side, this.#options, uri);
  }

  /** Whether the value of a label may come from elsewhere, or the map itself contains the label that it replaces. */
  #isCopied(site: LabelSite | undefined, key: string): boolean {
    return this.#options.replaced === undefined || isReplaced(site, key, this.#options.replaced);
  }

  /** Returns the labels that an object lacks in one of its versions, with their values, and the reasons why other values are unknown. */
  #missing(where: ObjectInFile, keys: readonly string[]) {
    const written = new Set(ownEntries(where.object).map(({ key }) => key.text));
    const labels: Label[] = [];
    const unknown: string[] = [];
    for (const key of keys) {
      if (written.has(key) || this.#values.has(where, key) || this.#isAdded(where, key)) continue;
      if (!this.#isCopied(where.object.labels, key)) continue;
      const value = this.#values.valueOf(where, key);
      if (typeof value === 'string') labels.push([key, value]);
      else if (value !== undefined) unknown.push(value.unknown);
    }
    return { labels, unknown };
  }

  /** Returns the pod templates of an object, with the labels that they lack. */
  #templatesLacking(
    where: ObjectInFile,
    keys: readonly string[],
  ): readonly (readonly [TemplateSite, readonly Label[]])[] {
    return where.object.templates.flatMap((template): readonly (readonly [TemplateSite, readonly Label[]])[] => {
      if (!areOfPod({ target: template.fact.makes }) || template.path === '') return [];
      const isMissing = (key: string) =>
        this.#values.versionsOf(where).some(({ object }) => {
          const site = object.templates.find(({ path }) => path === template.path)?.labels;
          return site?.entries.some((entry) => entry.key.text === key) !== true;
        });
      const labels = keys.flatMap((key): readonly Label[] => {
        if (!this.#isCopied(template.labels, key)) return [];
        if (
          !this.#adopted(where).isForTemplates(key) ||
          !isMissing(key) ||
          this.#addedToTemplates.get(where.file.uri)?.has(key)
        )
          return [];
        const value = this.#values.valueOf(where, key);
        return typeof value === 'string' ? [[key, value]] : [];
      });
      return labels.length === 0 ? [] : [[template, labels]];
    });
  }
}

/** Whether a map contains a label that a recommended label replaces, and lacks the recommended label. */
function isReplaced(site: LabelSite | undefined, key: string, replaced: ReplacedKeys): boolean {
  const has = (each: string) => site?.entries.some((entry) => entry.key.text === each) === true;
  return !has(key) && (replaced[key] ?? []).some(has);
}
