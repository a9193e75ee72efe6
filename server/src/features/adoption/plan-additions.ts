/** Plans stage 1 of an adoption: the edits that add recommended labels to objects and pod templates. */

import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, TemplateSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { addLabels } from '../../rules/fixes/add-labels.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { objectName } from '../presentation/object-names.ts';
import {
  type AdoptionOptions,
  type AdoptionState,
  type Label,
  type LeftOut,
  objectKey,
  type PlannedChange,
} from './model.ts';
import { adoptedKeys, ownEntries, RecommendedValues, templateKeys } from './recommended-values.ts';
import { whyNotEdited } from './why-not-edited.ts';

/** The changes of one stage, and the objects that it leaves as they are. */
export interface StagePlan {
  readonly changes: readonly PlannedChange[];
  readonly left: readonly LeftOut[];
}

/** Plans the labels to add. Objects in `refused` are left as they are. */
export function planAdditions(
  state: AdoptionState,
  options: AdoptionOptions,
  refused: ReadonlyMap<string, string>,
): StagePlan {
  const planner = new AdditionPlanner(state, options);
  for (const where of objectsToLabel(state)) {
    const reason = refused.get(objectKey(where));
    if (reason !== undefined) planner.leaveOut(where, reason);
    else planner.add(where);
  }
  return { changes: planner.changes, left: planner.left };
}

/** Yields the objects that an adoption may concern: those with pods, and those that select the pods of one workload. */
function* objectsToLabel({ side: { workspace, catalogueOf }, isWanted }: AdoptionState): Iterable<ObjectInFile> {
  const scopes = workspace.scopes();
  for (const file of workspace.files.values()) {
    if (file.objects === 0 || file.config !== undefined || scopes.isPatch(file.uri)) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      if (!object.forCluster || object.inValues || !isWanted(where)) continue;
      const { group, version, kind } = object;
      const templates = catalogueOf(file.uri).kind(group, version, kind)?.templates.length ?? 0;
      if (templates > 0 || labeledObjectsOf(object).some(areOfPod) || selectsPods(object)) yield where;
    }
  }
}

function selectsPods({ selectorSites }: ManifestObject): boolean {
  return selectorSites.some(
    ({ path, fact }) => isOwnSelector(path) && fact.targets.some((target) => areOfPod({ target })),
  );
}

/** Whether a selector determines the pods of the object itself, such as `spec.selector` or `spec.podSelector`. */
function isOwnSelector(path: string): boolean {
  return /^spec\.[A-Za-z]*[sS]elector$/.test(path);
}

class AdditionPlanner {
  readonly changes: PlannedChange[] = [];
  readonly left: LeftOut[] = [];
  readonly #state: AdoptionState;
  readonly #options: AdoptionOptions;
  readonly #values: RecommendedValues;

  constructor(state: AdoptionState, options: AdoptionOptions) {
    this.#state = state;
    this.#options = options;
    this.#values = new RecommendedValues(state);
  }

  add(where: ObjectInFile): void {
    const { side } = this.#state;
    const keys = this.#keysFor(where.file);
    const own = this.#missing(where, keys);
    const templates = this.#options.templates ? this.#templatesLacking(where, keys) : [];
    if (own.length === 0 && templates.length === 0) return;
    const reason = whyNotEdited(side, where);
    const text = side.textOf(where.file.uri);
    if (reason !== undefined || text === undefined) {
      this.leaveOut(where, reason ?? 'The file cannot be read.');
      return;
    }
    this.#addOwn(where, text, own);
    for (const [template, labels] of templates) this.#addToTemplate(where, text, template, labels);
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

  #keysFor({ uri }: WorkspaceFile): readonly string[] {
    const configured = this.#state.side.workspace.configs().of(uri)?.config.values.recommendedLabels?.keys;
    return this.#options.keys ?? configured ?? adoptedKeys;
  }

  /** Returns the labels that an object lacks in one of its versions, with their values. */
  #missing(where: ObjectInFile, keys: readonly string[]): readonly Label[] {
    const written = new Set(ownEntries(where.object).map(({ key }) => key.text));
    return keys.flatMap((key): readonly Label[] => {
      if (written.has(key) || this.#values.has(where, key)) return [];
      const value = this.#values.valueOf(where, key);
      return typeof value === 'string' ? [[key, value]] : [];
    });
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
        if (!templateKeys.has(key) || !isMissing(key)) return [];
        const value = this.#values.valueOf(where, key);
        return typeof value === 'string' ? [[key, value]] : [];
      });
      return labels.length === 0 ? [] : [[template, labels]];
    });
  }
}
