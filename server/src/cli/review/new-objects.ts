/** States what new objects select, which new selectors match no pods, and which new objects no object names. */

import { getOrAdd } from '../../engine/memoize.ts';
import { selectionVerb } from '../../features/presentation/change-sentences.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import { listedPhrases } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import { selectorPosition } from './causes.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { areBeside, hasNoPods } from './pod-matches.ts';

/** Adds to the count of added objects what the new Services select, which new selectors match no pods, and which new objects no object names. */
export function withUses(
  after: Tree,
  statements: readonly Statement[],
  added: readonly Pair[],
  changes: readonly Change[],
  all: readonly Pair[],
  elsewhere: ReadonlySet<string>,
): readonly Statement[] {
  const isAdded = new Set(added.map(({ named }) => keyOf(named)));
  const selected = new Set(
    changes
      .filter((each) => {
        const { kind, owner, path, target } = each;
        const areBoth = isAdded.has(keyOf(owner)) && target !== undefined && isAdded.has(keyOf(target));
        return kind === 'gained' && areBoth && (owner.kind === 'Service' || isPolicy(each)) && !isPeer(path);
      })
      .map(
        ({ owner, path, target }) =>
          `${shownName(owner, true)} ${selectionVerb(owner, path)} ${target === undefined ? '' : shownName(target, true)}${
            elsewhere.has(keyOf(owner))
              ? ', and none of the pods that are applied with it is among those that it allows'
              : ''
          }`,
      ),
  );
  const uses = selected.size === 0 ? '' : ` ${listedPhrases([...selected])}.`;
  const names = new Set(
    all.flatMap(({ after: fresh }) => fresh?.object.references?.map(({ name }) => name.text) ?? []),
  );
  const isUnused = ({ named: { kind, name } }: Pair) =>
    namedKinds.has(kind) && !names.has(name) && !generatedHash.test(name);
  const idle = added.filter((pair) => hasSelector(pair) && hasNoPods(pair, all));
  return [
    ...statements.map((each) => ({ ...each, text: `${each.text}${uses}` })),
    ...additions(after, idle, (name) => `${name} selects no pods of these manifests.`).map(([statement, pairs]) => ({
      ...statement,
      ...nearMiss(pairs, all),
      emptied: pairs.map(({ named }) => keyOf(named)),
    })),
    ...additions(after, added.filter(isUnused), (name) => `No object in these manifests refers to ${name}.`).map(
      ([statement]) => statement,
    ),
  ];
}

/** Returns the label that the selector of a new object requires, and that of the only workload beside it with other values for all of its keys. */
function nearMiss([pair]: readonly Pair[], all: readonly Pair[]): Pick<Statement, 'more'> {
  const [site, second] = pair?.after?.object.selectorSites.filter(({ path }) => path === 'spec.selector') ?? [];
  const [entry, other] = site?.entries ?? [];
  if (pair === undefined || entry === undefined || other !== undefined || second !== undefined) return {};
  const found = all.flatMap(({ named, after }) =>
    after === undefined || !areBeside(named, pair.named)
      ? []
      : after.object.templates.flatMap(({ labels }) =>
          (labels?.entries ?? [])
            .filter(({ key }) => key.text === entry.key.text)
            .map(({ value }) => `${shownName(named, true)} has \`${entry.key.text}=${value.text}\``),
        ),
  );
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) return {};
  return { more: `It requires \`${entry.key.text}=${entry.value.text}\`, and ${only}.` };
}

/** Returns a statement for all added objects with one name, with the position of the first of them. The objects are counted elsewhere. */
function additions(
  after: Tree,
  pairs: readonly Pair[],
  sentence: (name: string) => string,
): readonly (readonly [Statement, readonly Pair[]])[] {
  const byName = new Map<string, Pair[]>();
  for (const pair of pairs) getOrAdd(byName, shownName(pair.named, true), () => []).push(pair);
  return [...byName].map(([name, [first, ...others]]) => {
    const shown = others.length === 0 && first !== undefined ? shownName(first.named, false) : name;
    const cause = first?.after && selectorPosition(after, first.after, /^spec\.selector$/);
    return [
      { text: sentence(shown), count: 0, ...(cause && { cause }) },
      first === undefined ? [] : [first, ...others],
    ];
  });
}

function hasSelector({ after }: Pair): boolean {
  return after?.object.selectorSites.some(({ entries, open }) => entries.length > 0 && !open) === true;
}

/** The kinds of objects that have an effect only if other objects name them. */
const namedKinds: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim']);

/** Whether a change concerns the selector of a policy, a budget or a monitor, by its kind. */
export function isPolicy({ owner }: Change): boolean {
  return /(?:Policy|Budget|Monitor|Scrape|Probe)$/.test(owner.kind);
}

/** Whether a path is that of a selector of the peers of a network policy. */
export function isPeer(path: string): boolean {
  return /^spec\.(?:ingress\[\]\.from|egress\[\]\.to)\[\]\./.test(path);
}

/** The hash that kustomize appends to the names of generated ConfigMaps and Secrets. */
export const generatedHash = /-[2456789bcdfghkmt]{10}$/;
