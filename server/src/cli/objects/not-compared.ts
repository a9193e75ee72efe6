/** Describes the GitOps objects that a command cannot compare completely with an object. */

import type { Uncompared } from '../../workspace/selection/uncompared.ts';
import type { World } from '../environment.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

/** The GitOps objects that are not completely compared for one reason. */
export interface NotCompared {
  readonly why: string;
  readonly count: number;
  /** The paths of some of these GitOps objects. */
  readonly examples: readonly string[];
}

/** The reasons, as they follow `because of`. */
const reasons: readonly (readonly [why: Uncompared['why'], text: string])[] = [
  ['external', 'charts or sources outside of these files'],
  ['partial', 'objects that are known only in part'],
  ['excess', 'the limit on compared GitOps objects'],
  ['elsewhere', 'a possibly different cluster'],
];

const mostExamples = 3;

/** Groups GitOps objects by the reason why they are not completely compared. */
export function notComparedJson(world: World, all: Iterable<Uncompared>): readonly NotCompared[] {
  const whys = new Map([...all].map(({ scope, why }) => [scope, why]));
  return reasons.flatMap(([why, text]) => {
    const scopes = [...whys.keys()].filter((scope) => whys.get(scope) === why);
    const examples = scopes.slice(0, mostExamples).map(({ path }) => displayPath(world, path));
    return scopes.length === 0 ? [] : [{ why: text, count: scopes.length, examples }];
  });
}

/** Returns a line that describes what is not compared; `what` is the kind of the missing facts. */
export function notComparedLines(
  world: World,
  what: 'objects' | 'selectors',
  all: readonly Uncompared[],
): readonly string[] {
  if (all.length === 0) return [];
  const others = all.length === 1 ? '1 other GitOps object' : `${all.length} other GitOps objects`;
  return [
    `  Not all ${what} of ${others} that may share its cluster are known:`,
    ...notComparedJson(world, all).map(({ why, count, examples }) => {
      const such = `${examples.join(', ')}${count > examples.length ? ` and ${count - examples.length} more` : ''}`;
      return tame(`    ${count} because of ${why}: ${such}`);
    }),
  ];
}
