/** The objects of a tree of manifests, and the matches of their selectors. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Session } from '../../session.ts';
import type { Side } from '../../workspace/base.ts';
import type { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import type { Questions } from '../../workspace/dependencies/questions.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import type { PathSelection } from '../paths/path-selection.ts';
import type { AppliedObject, AroundSelected } from './applied-objects.ts';
import { keyOf, type Named, type Names, nameOf, partOf } from './compared-names.ts';
import { boundOfCommand, selectionsFrom } from './selections.ts';

export interface Tree {
  readonly session: Session;
  readonly side: Side;
  /** The compared part of the tree. */
  readonly selection: PathSelection;
  /** The URI of the folder or file that the command line names. */
  readonly root: string;
  /** The files that were not read, or only in part because of syntax errors, relative to the root. */
  readonly skipped: readonly string[];
  /** Whether a configuration that applies to the tree is broken. */
  readonly isFaulty: boolean;
  /**
   * Whether the tree was not read completely: a file was skipped, or a kustomization uses files outside of the tree.
   */
  readonly isPartial: boolean;
  /** Sentences about files that the tree uses and that are not in it. */
  readonly missing?: readonly string[];
}

/** The objects of a tree, with names that identify them in both trees. */
export interface ObjectsOfTree {
  readonly objects: ReadonlyMap<string, Item>;
  /** The matches, by the object that contains the selector and the path of the selector. */
  readonly links: ReadonlyMap<string, Links>;
  /** The keys of `links` whose matches are unknown, because the limit on comparisons was reached. */
  readonly leftOut: ReadonlySet<string>;
  /** The keys of objects that one kustomization contains twice, which kustomize rejects: nothing is certain about them. */
  readonly doubled: ReadonlySet<string>;
  readonly made: number;
  /** Whether several parts contain an object with the same name. */
  readonly isAmbiguous: boolean;
}

interface Item {
  readonly named: Named;
  /** Whether the object is compared; other objects are only context. */
  readonly isSelected: boolean;
  readonly applied: AppliedObject;
}

/** The matches of the selectors at one path of an object. */
export interface Links {
  readonly owner: Named;
  readonly ownerKey: string;
  readonly path: string;
  readonly targets: Targets;
}

/** The matching objects, by object and template. Equal selectors share one map, so that thousands of equal selectors are compared only once. */
export type Targets = ReadonlyMap<string, Target>;

export interface Target {
  readonly target: Named;
  readonly key: string;
  readonly via: string | undefined;
  readonly certain: boolean;
}

export const noTargets: Targets = new Map();

interface Options {
  /** The only parts of the tree whose objects are needed. */
  readonly parts?: ReadonlySet<string>;
  /** Records the questions about all files that the matches of each part depend on. */
  readonly asked?: AskedQuestions | undefined;
}

export function objectsOfTree(
  tree: Tree,
  { objects: around, isSelected }: AroundSelected,
  names: Pick<Names, 'several'> & Partial<Names>,
  { parts, asked }: Options = {},
): ObjectsOfTree {
  const { session, root } = tree;
  const objects = new Map<string, Item>();
  const found = new Map<string, Omit<Links, 'targets'> & { readonly targets: Set<Targets> }>();
  const [leftOut, doubled] = [new Set<string>(), new Set<string>()];
  const comparisons = boundOfCommand();
  let isAmbiguous = false;
  const shared = new WeakMap<Selection, Map<string, Targets>>();
  const targetsOf = (applied: AppliedObject, selection: Selection, isOwn: boolean): Targets => {
    const known = shared.get(selection) ?? new Map<string, Targets>();
    shared.set(selection, known);
    const { builtBy } = applied;
    return getOrAdd(known, `${isOwn} ${builtBy?.path ?? ''}`, () => {
      const all = [...selection.matches, ...selection.maybe].filter(isNamed);
      const wanted = isOwn ? all : all.filter((match) => isSelected(applied, match));
      const certain = new Set(selection.matches);
      return targetMap(
        wanted.map((match) => {
          const target = nameOf(session, root, { file: match.file, object: match.object, builtBy }, names);
          return { target, key: keyOf(target), via: match.labeledObject.via, certain: certain.has(match) };
        }),
      );
    });
  };
  const questions = new PartQuestions(session.workspace.questions, asked);
  for (const applied of around) {
    if (!isNamed(applied) || parts?.has(partOf(applied)) === false) continue;
    questions.enter(partOf(applied));
    const owner = nameOf(session, root, applied, names);
    const ownerKey = keyOf(owner);
    const namesake = objects.get(ownerKey);
    if (namesake !== undefined && partOf(namesake.applied) !== partOf(applied)) isAmbiguous = true;
    else if (namesake !== undefined && applied.builtBy?.kind === 'kustomization') doubled.add(ownerKey);
    const isOwn = isSelected(applied, applied);
    objects.set(ownerKey, { named: owner, applied, isSelected: isOwn });
    for (const { site, selection } of selectionsFrom(session, applied, comparisons)) {
      const { path } = site.fact;
      const key = `${ownerKey}\n${path}`;
      if (selection === undefined) leftOut.add(key);
      else {
        const all = targetsOf(applied, selection, isOwn);
        const targets = site.fact.mustMatchTemplate ? onlyOwn(all, ownerKey) : all;
        if (targets.size > 0)
          getOrAdd(found, key, () => ({ owner, ownerKey, path, targets: new Set<Targets>() })).targets.add(targets);
      }
    }
  }
  questions.finish();
  const links = new Map<string, Links>();
  for (const [key, { targets, ...rest }] of found) {
    const [first = noTargets, ...others] = targets;
    const size = others.reduce((sum, each) => sum + each.size, 0);
    if (size > 0 && comparisons.leaveOut()) leftOut.add(key);
    comparisons.add(size);
    if (leftOut.has(key)) continue;
    const joined = others.length === 0 ? first : targetMap([...targets].flatMap((each) => [...each.values()]));
    links.set(key, { ...rest, targets: joined });
  }
  return { objects, links, leftOut, doubled, made: comparisons.made, isAmbiguous };
}

/** Whether an object has a name; the API server rejects all others, or generates a name for them. */
function isNamed({ object }: ObjectInFile): boolean {
  return object.name !== undefined;
}

/** Returns the pods that a workload finds by its selector: its own, whatever else the selector matches. */
function onlyOwn(targets: Targets, ownerKey: string): Targets {
  return new Map([...targets].filter(([, { key }]) => key === ownerKey));
}

/** Returns the targets by object and template; of two entries for one object, only the certain one is kept. */
function targetMap(targets: readonly Target[]): Targets {
  const map = new Map<string, Target>();
  for (const each of targets) {
    const key = `${each.key}\n${each.via ?? ''}`;
    if (map.get(key)?.certain !== true) map.set(key, each);
  }
  return map;
}

/** Records the questions of one part of a tree after the other. */
export class PartQuestions {
  readonly #questions: Questions;
  readonly #asked: AskedQuestions | undefined;
  #part: string | undefined;

  constructor(questions: Questions, asked: AskedQuestions | undefined) {
    this.#questions = questions;
    this.#asked = asked;
  }

  enter(part: string): void {
    if (this.#asked === undefined || part === this.#part) return;
    this.finish();
    this.#part = part;
    this.#questions.start();
  }

  finish(): void {
    if (this.#part !== undefined) this.#asked?.add(this.#part, this.#questions.finish());
    this.#part = undefined;
  }
}
