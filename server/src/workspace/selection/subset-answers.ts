/** Decides which pods a subset of an Istio DestinationRule may select: those of the Service that its host names. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, type LabelSet } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Candidate, LabeledObjectInFile, ObjectInFile, Workspace } from '../model.ts';
import { objectsNamed } from '../references/names.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveSelector } from './effective-selector.ts';
import { type Answer, effectiveNamespace, namespaceOf } from './namespaces.ts';

const yes: Answer = { answer: 'yes' };

export function isSubset({ object }: ObjectInFile, { path }: SelectorSite): boolean {
  return object.subsets !== undefined && /^spec\.subsets\[\d+\]\.labels$/.test(path);
}

interface HostService extends ObjectInFile {
  readonly relation: 'here' | 'elsewhere';
}

/** Returns the Services that the host of a DestinationRule names, those of its own scope if there are any; undefined if the host is unknown, or names no Service. */
export function servicesOfHost(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
): readonly HostService[] | undefined {
  const host = owner.object.references?.find(({ path }) => path === 'spec.host');
  if (typeof host?.name.value !== 'string') return undefined;
  const namespace = host.namespace ?? effectiveNamespace(workspace, catalogue, owner);
  const uris = new Set(objectsNamed(workspace, 'Service', host.name.value).map(({ uri }) => uri));
  const found = [...uris].flatMap((uri) => {
    const file = workspace.files.get(uri);
    return (file?.manifest.objects ?? []).flatMap((object): readonly HostService[] => {
      if (file === undefined || object.name?.value !== host.name.value || object.kind !== 'Service') return [];
      const where = { file, object };
      const own = effectiveNamespace(workspace, catalogue, where);
      if (own !== undefined && namespace !== undefined && own.text !== namespace.text) return [];
      const relation = workspace.scopes().relation(placeOf(owner), placeOf(where));
      return relation === 'apart' ? [] : [{ ...where, relation }];
    });
  });
  const here = found.filter(({ relation }) => relation === 'here');
  return here.length > 0 ? here : found;
}

/** Returns a function that decides whether a pod is an endpoint of the host of a subset. */
export function subsetAnswers(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
): (target: Candidate | LabeledObjectInFile) => Answer {
  const [answersOf, ...others] = (servicesOfHost(workspace, catalogue, owner) ?? []).map((service) =>
    endpointsOf(workspace, service),
  );
  if (answersOf === undefined)
    return () => ({ answer: 'maybe', reason: localize`the Service of its host is not in these files` });
  return (target) => {
    const answer = answersOf(target);
    // Files that declare the same Service are alternatives.
    const isAgreed = others.every((each) => each(target).answer === answer.answer);
    return isAgreed
      ? answer
      : { answer: 'maybe', reason: localize`the files that declare the Service of its host have different selectors` };
  };
}

function endpointsOf(workspace: Workspace, service: HostService): (target: Candidate | LabeledObjectInFile) => Answer {
  const [site] = service.object.selectorSites;
  const selector = site?.state === 'present' ? effectiveSelector(site) : undefined;
  if (selector === undefined)
    return () => ({ answer: 'maybe', reason: localize`the endpoints of its host are unknown` });
  const home = namespaceOf(workspace, service)?.text;
  return (target) => {
    const own = namespaceOf(workspace, { file: target.file, object: target.object })?.text;
    const name = localize`Service/${service.object.name?.text ?? ''} does not select it`;
    if (own !== undefined && home !== undefined && own !== home) return { answer: 'no', reason: name };
    const labels: LabelSet = 'labelSet' in target ? target.labelSet : target.labeledObject;
    const answer = evaluate(selector, labels);
    if (answer === 'yes') return yes;
    return { answer, reason: answer === 'no' ? name : localize`its labels are unknown` };
  };
}
