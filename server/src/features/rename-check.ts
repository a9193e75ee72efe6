/** Does every selector take the same after a rename as before it? */

import { evaluate, type LabelSet, type Selector } from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import { effectiveSelector } from '../workspace/effective-selector.ts';
import { reaches } from '../workspace/namespaces.ts';
import { kindKey } from '../workspace/outline.ts';
import { identityOf, placeOf } from '../workspace/scope-facts.ts';
import type { CarrierInFile, ObjectInFile } from '../workspace/workspace.ts';
import { hasName, type LabelName, renamedLabels, renamedSelector } from './label-name.ts';
import { NameFinder, type SiteInFile } from './named-places.ts';
import { objectKey, type Reach, selectorKey } from './rename-reach.ts';
import type { View } from './view.ts';

/** A selector and what it would take, or no longer take. */
export interface Changed {
  readonly selector: ObjectInFile;
  readonly carrier: ObjectInFile;
  readonly now: 'taken' | 'left';
  /** Nothing unknown takes part in it. */
  readonly certain: boolean;
}

export interface Question {
  readonly view: View;
  readonly name: LabelName;
  readonly to: string;
  readonly reach: Reach;
  /** Nobody may change what stands there. */
  isFixed(found: ObjectInFile): boolean;
}

/** What selectors would take or leave otherwise, what is certain first. */
export function changedMatches(question: Question): readonly Changed[] {
  const changed = new Map<string, Changed>();
  for (const pair of pairs(question)) {
    const found = difference(question, pair);
    if (found === undefined) continue;
    const key = [selectorKey(pair.from), objectKey(pair.to), pair.to.carrier.via].join('\n');
    changed.set(key, { selector: pair.from, carrier: pair.to, ...found });
  }
  return [...changed.values()].toSorted((a, b) => Number(b.certain) - Number(a.certain));
}

interface Pair {
  readonly from: SiteInFile;
  readonly to: CarrierInFile;
}

/**
 * Every selector with everything that it may take otherwise than before. Where both sides have the old name and neither
 * the new one, both are renamed alike, so that nothing is to be asked.
 */
function* pairs(question: Question): Iterable<Pair> {
  const { view, name, to, reach } = question;
  const { workspace } = view;
  const old = reach.finder;
  const other = new NameFinder(workspace, name.value === undefined ? { key: to } : { key: name.key, value: to });
  const isStaying = (each: CarrierInFile) =>
    !reach.objects.has(objectKey(each)) || question.isFixed(each) || !isWritten(each, name);
  const staying = once((place: string) => [
    ...other.around(place).carriers,
    ...old.around(place).carriers.filter(isStaying),
  ]);
  const asking = once((place: string) => [
    ...other.around(place).selectors,
    ...old.around(place).selectors.filter((each) => !reach.selectors.has(selectorKey(each)) || question.isFixed(each)),
  ]);
  for (const from of reach.selectors.values()) for (const to of staying(placeOf(from))) yield { from, to };
  for (const { file, object } of reach.objects.values()) {
    for (const carrier of carriersOf(object)) {
      if (!hasName(carrier, name)) continue;
      for (const from of asking(placeOf({ file, object }))) yield { from, to: { file, object, carrier } };
    }
  }
}

function once<T>(make: (place: string) => T): (place: string) => T {
  const known = new Map<string, T>();
  return (place) => {
    const found = known.get(place) ?? make(place);
    known.set(place, found);
    return found;
  };
}

function difference(question: Question, { from, to }: Pair): Pick<Changed, 'now' | 'certain'> | undefined {
  const selector = effectiveSelector(from.site);
  const isOver = from.site.fact.targets.some((target) => kindKey(target) === kindKey(to.carrier.target));
  if (selector === undefined || !isOver) return undefined;
  const before = evaluate(selector, to.carrier);
  const after = evaluate(selectorAfter(question, from, selector), labelsAfter(question, to));
  if (before === after) return undefined;
  const { workspace, catalogue } = question.view;
  const relation = workspace.scopes().relation(placeOf(from), placeOf(to), identityOf(to.object));
  if (relation !== 'here') return undefined;
  const place = reaches(workspace, catalogue, from, from.site, to).answer;
  if (place === 'no') return undefined;
  const certain = place === 'yes' && !from.site.open && before !== 'maybe' && after !== 'maybe';
  return { now: before === 'no' || after === 'yes' ? 'taken' : 'left', certain };
}

function selectorAfter({ reach, name, to, isFixed }: Question, from: SiteInFile, selector: Selector): Selector {
  const isRenamed = reach.selectors.has(selectorKey(from)) && !isFixed(from);
  return isRenamed ? renamedSelector(selector, name, to) : selector;
}

function labelsAfter(question: Question, found: CarrierInFile): LabelSet {
  const { carrier } = found;
  const isRenamed =
    question.reach.objects.has(objectKey(found)) && !question.isFixed(found) && isWritten(found, question.name);
  return isRenamed ? { ...carrier, labels: renamedLabels(carrier.labels, question.name, question.to) } : carrier;
}

/** What the cluster or a controller puts on an object stands in no file. */
function isWritten({ object, carrier }: CarrierInFile, { key }: LabelName): boolean {
  const entries = [...(carrier.site?.entries ?? []), ...(carrier.via === undefined ? object.inherited : [])];
  return entries.some((entry) => entry.key.value === key);
}
