/** What stands where an index found something? Its file is read for it. */

import { evaluate, type Selector } from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import type { CarrierId, FoundCarrier, FoundIn, SelectorId } from './index.ts';
import { kindKey } from './outline.ts';
import { everyCluster } from './scopes.ts';
import type { CarrierInFile, Found, IsWanted, SelectorInFile, SiteInFile, Workspace } from './workspace.ts';

/** What an index found, in the files of a workspace. */
export function carrierAt(workspace: Workspace, { id, answer }: FoundIn<CarrierId>): readonly Found[] {
  const found = carrierWith(workspace, id);
  return found === undefined ? [] : [{ ...found, answer }];
}

/** What stands where the index says; undefined in a patch. */
export function carrierWith(workspace: Workspace, id: CarrierId): CarrierInFile | undefined {
  if (workspace.scopes().isPatch(id.uri)) return undefined;
  const file = workspace.files.get(id.uri);
  const object = file?.manifest.objects[id.object];
  const carrier = object && carriersOf(object)[id.carrier];
  return file && object && carrier && { file, object, carrier };
}

/** What every cluster has is found and offers no labels: nobody here wrote them. */
export function inEveryCluster(
  workspace: Workspace,
  target: string,
  selector: Selector,
  isWanted: IsWanted = () => true,
): readonly Found[] {
  const file = workspace.files.get(everyCluster);
  return (file?.manifest.objects ?? []).flatMap((object) =>
    carriersOf(object).flatMap((carrier): readonly Found[] => {
      if (file === undefined || kindKey(carrier.target) !== target) return [];
      const answer = evaluate(selector, carrier);
      return answer === 'no' || !isWanted(everyCluster, carrier, answer) ? [] : [{ file, object, carrier, answer }];
    }),
  );
}

/** What was found and is wanted, each as it is reached: the answer to one may decide whether the next is wanted. */
export function* wantedIn(
  workspace: Workspace,
  found: Iterable<FoundCarrier>,
  isWanted: IsWanted = () => true,
): Iterable<Found> {
  for (const each of found) if (isWanted(each.id.uri, each.labelSet, each.answer)) yield* carrierAt(workspace, each);
}

/** The same of a selector. */
export function selectorAt(workspace: Workspace, { id, answer }: FoundIn<SelectorId>): readonly SelectorInFile[] {
  const found = selectorWith(workspace, id);
  return found === undefined ? [] : [{ ...found, answer }];
}

/** The selector that stands where the index says; undefined in a patch. */
export function selectorWith(workspace: Workspace, id: SelectorId): SiteInFile | undefined {
  if (workspace.scopes().isPatch(id.uri)) return undefined;
  const file = workspace.files.get(id.uri);
  const object = file?.manifest.objects[id.object];
  const site = object?.selectorSites[id.site];
  return file && object && site && { file, object, site };
}
