/** The named objects of a tree of manifests, and the matches of their selectors. */

import { StateMatches, type Targets, targetsIn } from '../../compare/matches.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import type { Questions } from '../../workspace/dependencies/questions.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import type { Tree } from '../trees/tree.ts';
import type { AppliedObject, AroundSelected } from './applied-objects.ts';
import { keyOf, type Named, type Names, nameOf, partOf } from './compared-names.ts';

/** The maximum number of comparisons for all selectors of a command. This many comparisons take a few seconds, and real workspaces need fewer. */
export const maximumComparisons = 500_000;

/** Creates the limit on the comparisons of one command; equal selectors of one file are compared once. */
export function boundOfCommand(): Comparisons {
  return new Comparisons(maximumComparisons);
}

/** The objects of a tree, with names that identify them in both trees. */
export interface NamedTreeObjects {
  readonly objects: ReadonlyMap<string, Item>;
  readonly matches: StateMatches<Named>;
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

interface Options {
  /** The only parts of the tree whose objects are needed. */
  readonly parts?: ReadonlySet<string>;
  /** Records the questions about all files that the matches of each part depend on. */
  readonly asked?: AskedQuestions | undefined;
}

export function namedTreeObjects(
  { session, root }: Tree,
  { objects: around, isSelected }: AroundSelected,
  names: Pick<Names, 'several'> & Partial<Names>,
  { parts, asked }: Options = {},
): NamedTreeObjects {
  const objects = new Map<string, Item>();
  const comparisons = boundOfCommand();
  // Kustomize rejects a kustomization that contains an object twice: nothing is certain about it.
  const doubled = new Set<string>();
  const matches = new StateMatches<Named>(comparisons, doubled);
  let isAmbiguous = false;
  const shared = new WeakMap<Selection, Map<string, Targets<Named>>>();
  const targetsOf = (applied: AppliedObject, selection: Selection, isOwn: boolean): Targets<Named> => {
    const known = getOrAdd(shared, selection, () => new Map<string, Targets<Named>>());
    const { builtBy } = applied;
    return getOrAdd(known, `${isOwn} ${builtBy?.path ?? ''}`, () =>
      targetsIn(selection, (match) => {
        if (!isNamed(match) || !(isOwn || isSelected(applied, match))) return undefined;
        const target = nameOf(session, root, { file: match.file, object: match.object, builtBy }, names);
        return { target, key: keyOf(target) };
      }),
    );
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
    const catalogue = session.workspace.catalogueOf(applied.file.uri);
    const evaluated = { where: applied, workspace: applied.workspace, catalogue };
    matches.addSelectorsOf(owner, ownerKey, evaluated, (selection) => targetsOf(applied, selection, isOwn));
  }
  questions.finish();
  matches.all();
  return { objects, matches, made: comparisons.made, isAmbiguous };
}

/** Whether an object has a name; the API server rejects all others, or generates a name for them. */
function isNamed({ object }: ObjectInFile): boolean {
  return object.name !== undefined;
}

/** Records the questions of one part of a tree after the other. */
export class PartQuestions {
  readonly #questions: Questions | undefined;
  readonly #asked: AskedQuestions | undefined;
  #part: string | undefined;

  constructor(questions: Questions | undefined, asked: AskedQuestions | undefined) {
    this.#questions = questions;
    this.#asked = asked;
  }

  enter(part: string): void {
    if (this.#asked === undefined || part === this.#part) return;
    this.finish();
    this.#part = part;
    this.#questions?.start();
  }

  finish(): void {
    if (this.#part !== undefined) this.#asked?.add(this.#part, this.#questions?.finish() ?? []);
    this.#part = undefined;
  }
}
