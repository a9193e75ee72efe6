/** Divides the matches of a selector that is in no file, so that pods come first, as `kubectl get pods -l` shows them. */

import { areOfPod } from '../../manifests/label-sets.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';

export type ShownSelection = Pick<Selection, 'matches' | 'maybe' | 'elsewhere' | 'nearMisses'> & {
  /** The matches that are no pods, if there are pods. */
  readonly others?: readonly Match[];
  /** The matches that only other values of a chart could cause. */
  readonly otherValues?: readonly Match[];
  /** The matches that are not applied together with the selector. */
  readonly alternatives?: readonly Match[];
};

/** Returns the matches that are pods, and apart from them all other matches. Without matching pods, all matches are alike. */
export function podsFirst(selection: Selection): ShownSelection {
  const isPod = ({ labeledObject }: Match) => areOfPod(labeledObject);
  if (![...selection.matches, ...selection.maybe].some(isPod)) return selection;
  return {
    matches: selection.matches.filter(isPod),
    maybe: selection.maybe.filter(isPod),
    others: selection.matches.filter((match) => !isPod(match)),
    elsewhere: selection.elsewhere,
    get nearMisses() {
      return selection.nearMisses;
    },
  };
}
