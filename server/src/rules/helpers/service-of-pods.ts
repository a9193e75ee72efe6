/** Services that a selector was probably meant for: the pods behind them have the labels, and they have not. */

import { evaluate, type Selector } from '../../engine/index.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Placed } from '../../workspace/selection/selection.ts';
import type { NearMiss } from './near-miss.ts';

const pods = kindKey({ group: '', kind: 'Pod' });
const service = kindKey({ group: '', kind: 'Service' });

/**
 * The only Service of the scope whose pods have all labels that a selector of Services asks for, while no Service has
 * them: a monitor that is written with the labels of the pods. Undefined if there are none or several.
 */
export function serviceOfPods(
  workspace: Workspace,
  where: ObjectInFile,
  selector: Selector,
  around: readonly Placed[],
): NearMiss | undefined {
  if (selector.kind !== 'all' || selector.requirements.length === 0) return undefined;
  const services = around.filter(({ candidate }) => candidate.id.target === service);
  if (services.length === 0) return undefined;
  const files = workspace.scopes().filesAround(placeOf(where));
  const matched = [...workspace.find(pods, selector, undefined, files)].filter(({ answer }) => answer === 'yes');
  if (matched.length === 0) return undefined;
  const [only, ...others] = services.filter(({ candidate, place }) => {
    if (place().answer === 'no' || evaluate(selector, candidate.labelSet) !== 'no') return false;
    const [site] = candidate.object.selectorSites;
    const ofService = site && effectiveSelector(site);
    if (ofService?.kind !== 'all' || ofService.requirements.length === 0) return false;
    const { namespace } = candidate.object;
    return matched.some(
      (pod) => pod.object.namespace?.text === namespace?.text && evaluate(ofService, pod.labelSet) === 'yes',
    );
  });
  if (only === undefined || others.length > 0) return undefined;
  const failed = selector.requirements.filter(
    (each) => evaluate({ kind: 'all', requirements: [each] }, only.candidate.labelSet) === 'no',
  );
  return { miss: only.candidate, by: 'pods', failed };
}
