/** Proves that an adoption changes no match: compares the objects and selectors of the present and the planned state. */

import { brokenSince } from '../../compare/broken-references.ts';
import { matchChangesSince, matchesOf } from '../../compare/match-changes.ts';
import { differencesSince, identityOf, isBuilt, type ScopeDifferences } from '../../compare/paired-objects.ts';
import { replacesPods, replicasIn } from '../../compare/replicas.ts';
import { type AppliedObject, sourceOf } from '../../compare/update-data.ts';
import { updatesSince } from '../../compare/updates.ts';
import type { Selector } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import { localize } from '../../text/localize.ts';
import type { Base, Side } from '../../workspace/base.ts';
import { outlineOf } from '../../workspace/index/file-outline.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { selectingObjectsAround } from '../../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { uncomparedSentences } from '../presentation/change-sentences.ts';
import { objectName } from '../presentation/object-names.ts';
import { fileKey, isObjectKey, objectKey, type PlannedChange, type Proof } from './model.ts';

/** A fact because of which a part of a plan is not offered. */
export interface Doubt {
  /** The keys of the objects that it concerns; empty if it concerns the whole plan. */
  readonly objects: readonly string[];
  /** The reason, as a sentence. */
  readonly reason: string;
}

/** What the comparison of the present and the planned state found. */
export interface Comparison {
  readonly doubts: readonly Doubt[];
  readonly proof: Proof;
}

/** Compares the present state with the planned state. Without doubts, every selector matches what it matched before, and no update is rejected. */
export function compareStates(base: Base, now: Side, changes: readonly PlannedChange[]): Comparison {
  return new Prover(base, now, changes).compare();
}

class Prover {
  readonly #base: Base;
  readonly #now: Side;
  readonly #planned: ReadonlySet<string>;
  readonly #keys: ReadonlySet<string>;
  readonly #doubts: Doubt[] = [];
  readonly #comparisons = new Comparisons(maximumComparisons);
  /** The workloads whose pods are replaced, as each scope applies them, with the number of their pods. */
  readonly #restarts: { readonly name: string; readonly pods: number | undefined }[] = [];
  /** The keys of compared objects in the present state, by their keys in the planned state. */
  readonly #keysBefore = new Map<string, string>();
  /** The keys of objects whose selectors differ. */
  readonly #selectorsChanged = new Set<string>();
  #objects = 0;
  readonly #matches = new Set<string>();

  constructor(base: Base, now: Side, changes: readonly PlannedChange[]) {
    this.#base = base;
    this.#now = now;
    this.#planned = new Set(changes.flatMap(({ objects }) => objects));
    this.#keys = new Set(changes.flatMap(({ labels }) => labels.map(([key]) => key)));
  }

  compare(): Comparison {
    const differences = differencesSince(this.#base, this.#now);
    this.#checkCoverage(differences);
    for (const { before, now } of differences.flatMap(({ objects }) => objects)) {
      if (before === undefined || now === undefined) continue;
      const key = objectKey(this.#sourceOf(before));
      this.#keysBefore.set(objectKey(sourceOf(this.#now, now) ?? now), key);
      if (selectorsOf(before) !== selectorsOf(now)) this.#selectorsChanged.add(key);
    }
    for (const each of differences) this.#compareScope(each);
    this.#compareAsReviewDoes();
    if (this.#comparisons.isIncomplete)
      this.#doubt([], localize`There are too many selectors and objects to compare all of them.`);
    const { clusters } = matchChangesSince(this.#base, this.#now);
    const notes = uncomparedSentences(clusters, ({ path }) => path.slice(path.lastIndexOf('/') + 1));
    const pods = this.#restarts.map((each) => each.pods).reduce(sum, 0);
    const proof = {
      objects: this.#objects,
      matches: this.#matches.size,
      restarts: this.#restarts.map(({ name }) => name),
      notes,
    };
    return { doubts: this.#doubts, proof: pods === undefined ? proof : { ...proof, pods } };
  }

  #doubt(objects: readonly string[], reason: string): void {
    this.#doubts.push({ objects, reason });
  }

  /** Adds the lost and new matches, the rejected updates and the broken references that a review of the plan would report. */
  #compareAsReviewDoes(): void {
    const { changes, isIncomplete } = matchChangesSince(this.#base, this.#now);
    if (isIncomplete) this.#doubt([], localize`There are too many selectors and objects to compare all of them.`);
    for (const { kind, owner, target } of changes) {
      const [from, to] = [owner.now ?? owner.before, target.now ?? target.before];
      const names = [from, to].map((end) => (end === undefined ? '' : objectName(end.object)));
      const reason =
        kind === 'lost' ? localize`${names[0] ?? ''} would no longer select ${names[1] ?? ''}.` : newMatch(names);
      this.#doubt(this.#causeOf({ owner: owner.before, target: target.before }, this.#base.side), reason);
    }
    for (const { before, change } of [...updatesSince(this.#base, this.#now).values()].flat())
      this.#doubt(
        this.#keysOf(before),
        localize`The API server would reject the update: \`${change.path}\` is immutable.`,
      );
    for (const { owner } of brokenSince(this.#base, this.#now))
      this.#doubt(this.#keysIn(new Set([owner.file.uri])), localize`A reference by name would lose its target.`);
  }

  /** Whether every planned object is compared in every scope that applies it. */
  #checkCoverage(differences: readonly ScopeDifferences[]): void {
    const scopes = this.#base.side.workspace.scopes();
    const compared = new Set<string>();
    for (const { objects } of differences)
      for (const { before, now } of objects)
        if (before !== undefined && now !== undefined) compared.add(objectKey(this.#sourceOf(before)));
    for (const key of this.#planned) {
      const [uri = ''] = key.split('\n');
      const unbuilt = scopes.ofFile(uri).find((scope) => !isBuilt(this.#base.side, scope));
      if (!isObjectKey(key)) continue;
      if (unbuilt !== undefined) this.#doubt([key], localize`The objects of ${nameOf(unbuilt)} are unknown.`);
      else if (!compared.has(key))
        this.#doubt(
          [key],
          localize`The object cannot be compared: it is defined several times, or no scope applies it.`,
        );
    }
  }

  #compareScope({ scope, objects }: ScopeDifferences): void {
    for (const { before, now } of objects) {
      if (before === undefined || now === undefined) {
        const moved = before ?? now;
        const name = moved === undefined ? '' : objectName(moved.object);
        const parts = this.#base.side.workspace.scopes().partsOf(scope.before);
        const uris = new Set([...scope.before.files, ...parts]);
        this.#doubt(this.#keysIn(uris), localize`The name of ${name} would change, or could not be compared.`);
        continue;
      }
      if (outlineOf(before.object) === outlineOf(now.object)) continue;
      this.#objects++;
      if (replacesPods(now) && templateLabels(before) !== templateLabels(now)) {
        const several = this.#now.workspace.scopes().all().length > 1;
        const name = `${objectName(now.object)}${several ? ` (${nameOf(scope.now)})` : ''}`;
        this.#restarts.push({ name, pods: replicasIn({ side: this.#now, applied: now }) });
      }
      const [was, is] = [
        this.#relations(this.#base.side, scope.before, before),
        this.#relations(this.#now, scope.now, now),
      ];
      for (const key of was.keys()) this.#matches.add(`${scope.before.path}\n${key}`);
      for (const [key, { owner, target }] of was)
        if (!is.has(key)) this.#doubtMatch(this.#base.side, owner, target, before, false);
      for (const [key, { owner, target }] of is)
        if (!was.has(key)) this.#doubtMatch(this.#now, owner, target, before, true);
    }
  }

  #doubtMatch(side: Side, owner: ObjectInFile, target: ObjectInFile, before: AppliedObject, isNew: boolean): void {
    const names = [owner, target].map(({ object }) => objectName(object));
    const reason = isNew ? newMatch(names) : localize`${names[0] ?? ''} would no longer select ${names[1] ?? ''}.`;
    this.#doubt(this.#causeOf({ owner, target }, side, before), reason);
  }

  /** Returns the planned object that changes a match: the one with the selector if its selector changes, or else the other one. */
  #causeOf(
    { owner, target }: { readonly owner: ObjectInFile | undefined; readonly target: ObjectInFile | undefined },
    side: Side,
    compared?: ObjectInFile,
  ): readonly string[] {
    const [from, to] = [owner, target].map((end) => end && this.#keyBefore(end, side));
    if (from !== undefined && this.#selectorsChanged.has(from) && this.#planned.has(from)) return [from];
    return to !== undefined && this.#planned.has(to) ? [to] : this.#keysOf(owner, target, compared);
  }

  /** Returns the key of an object in the present state. */
  #keyBefore(found: ObjectInFile, side: Side): string {
    const key = objectKey(sourceOf(side, found) ?? found);
    return side === this.#now ? (this.#keysBefore.get(key) ?? key) : key;
  }

  /** Returns the matches of the selectors of an object, and of other selectors with the object, with their certainty; in the scope of the object and in other scopes that may share its cluster. */
  #relations(side: Side, scope: Scope, where: AppliedObject): ReadonlyMap<string, Relation> {
    const found = new Map<string, Relation>();
    const catalogue = side.catalogueOf(scope.path);
    const workspace = seenBy(side.workspace, catalogue, scope) ?? side.workspace;
    const add = (owner: ObjectInFile, path: string, target: ObjectInFile, rest: string) => {
      const key = [identityOf(side, owner), owner.file.uri, path, identityOf(side, target), target.file.uri, rest];
      found.set(key.join('\n\n'), { owner, target });
    };
    for (const { owner, path, target, via, certain } of matchesOf(side, scope, [where], this.#comparisons))
      add(owner, path, target, `${via ?? ''} ${certain} here`);
    for (const site of where.object.selectorSites) {
      if (site.fact.mustMatchTemplate) continue;
      const { elsewhere } = selectionOf(workspace, catalogue, where, site);
      this.#comparisons.add(elsewhere.length);
      for (const match of elsewhere) add(where, site.path, match, `${match.labeledObject.via ?? ''} elsewhere`);
    }
    const isMeant = (selector: Selector) =>
      selector.kind === 'all' && selector.requirements.some(({ key }) => this.#keys.has(key));
    for (const labeledObject of labeledObjectsOf(where.object))
      for (const each of selectingObjectsAround(workspace, catalogue, { ...where, labeledObject }, isMeant))
        add(each, each.site.path, where, `${labeledObject.via ?? ''} ${each.certain} around`);
    return found;
  }

  /** Returns the planned objects among the ends of a change; none if it concerns no planned object, so that the whole plan is doubtful. */
  #keysOf(...ends: readonly (ObjectInFile | undefined)[]): readonly string[] {
    const keysOf = (end: ObjectInFile) => [objectKey(this.#sourceOf(end)), fileKey(end.file)];
    return ends.flatMap((end) => (end === undefined ? [] : keysOf(end))).filter((key) => this.#planned.has(key));
  }

  #keysIn(uris: ReadonlySet<string>): readonly string[] {
    return [...this.#planned].filter((key) => uris.has(key.slice(0, key.indexOf('\n'))));
  }

  #sourceOf(found: ObjectInFile): ObjectInFile {
    return sourceOf(this.#base.side, found) ?? found;
  }
}

interface Relation {
  readonly owner: ObjectInFile;
  readonly target: ObjectInFile;
}

/** The maximum number of comparisons for one plan. */
const maximumComparisons = 2_000_000;

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

/** Returns a text that is equal for objects with equal selectors. */
function selectorsOf({ object }: AppliedObject): string {
  return JSON.stringify(
    object.selectorSites.map(({ path, entries, expressions, text, defaults }) => [
      path,
      entries.map(({ key, value }) => [key.text, value.text]),
      expressions.map(({ key, operator, values }) => [key?.text, operator?.text, values.map((each) => each.text)]),
      text?.text,
      defaults,
    ]),
  );
}

function templateLabels({ object }: AppliedObject): string {
  return JSON.stringify(
    object.templates.map(({ labels }) => labels?.entries.map(({ key, value }) => [key.text, value.text])),
  );
}

function newMatch([owner = '', target = '']: readonly string[]): string {
  return localize`${owner} would newly select ${target}.`;
}

function nameOf({ path }: Scope): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
