/** Reports references to an object that does not exist, if another object has a similar name. */

import type { ManifestObject, ScaleTarget } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import type { Scopes } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

/** The label of an EndpointSlice with the name of its Service. */
const serviceLabel = 'kubernetes.io/service-name';

interface Missing extends Fact {
  readonly target: ScaleTarget;
  /** The consequence of the missing object, as a clause. */
  readonly effect: string;
  /** The name of the closest object. */
  readonly closest: string;
}

export const referenceMissing = rule<Missing>({
  id: 'reference-missing',
  severity: 'warning',
  acrossFiles: true,
  summary:
    'An autoscaler or EndpointSlice whose target does not exist, although an object in its scope has a similar name.',
  why: 'An autoscaler finds its workload by name. If no workload has this name, the API server accepts the autoscaler, but nothing is scaled. An EndpointSlice belongs to the Service in its label `kubernetes.io/service-name`. The rule reports a target only if exactly one object of that kind, in the same scope and namespace, has a similar name.',
  bad: [
    {
      title: 'A misspelled name.',
      text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: checkout
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chekout}
  maxReplicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
`,
    },
  ],
  good: [
    {
      title: 'A workload that may be in files outside the workspace.',
      text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: checkout
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: checkout}
  maxReplicas: 3
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const target = object.scaleTarget ?? serviceOf(object);
      if (target === undefined || typeof target.name.value !== 'string') continue;
      const closest = closestTo(context, object, target, target.name.value);
      if (closest === undefined) continue;
      const { name, file, object: found } = closest;
      const span = found?.name?.span;
      const related =
        span === undefined
          ? []
          : [{ file, span, message: localize`${target.kind} '${shorten(name)}' is defined here.` }];
      const effect =
        object.scaleTarget === undefined ? localize`its endpoints are not used` : localize`nothing is scaled`;
      yield { span: target.name.span, target, effect, closest: name, related };
    }
  },
  message({ target, effect, closest }) {
    const { kind, name } = target;
    return localize`No ${kind} '${shorten(name.text)}' in this scope: ${effect}. Closest: ${kind}/${shorten(closest)}.`;
  },
  fixes: ({ target, closest }) => [
    {
      title: localize`Change the name to '${shorten(closest)}'`,
      edits: [replaceScalar(target.name, closest)],
      preferred: true,
    },
  ],
});

/** The Service of an EndpointSlice, which its label names. */
function serviceOf({ labels }: ManifestObject): ScaleTarget | undefined {
  const entry = labels?.entries.find(({ key }) => key.text === serviceLabel);
  if (entry === undefined || entry.conditional || entry.merged || entry.value.origin !== undefined) return undefined;
  return { group: '', kind: 'Service', name: entry.value };
}

interface Closest {
  readonly name: string;
  readonly file: WorkspaceFile;
  readonly object: ManifestObject | undefined;
}

/** The only workload whose name is almost the wanted one; undefined if a file has one of the wanted name. */
function closestTo(
  { workspace, file }: RuleContext,
  object: ManifestObject,
  target: ScaleTarget,
  wanted: string,
): Closest | undefined {
  const scopes = workspace.scopes();
  const place = placeOf({ file, object });
  const own = object.namespace?.text ?? '';
  const found = new Map<string, { readonly uri: string; readonly evident: boolean }>();
  for (const uri of scopes.filesAround(place)) {
    if (scopes.isPatch(uri)) continue;
    for (const { name, namespace } of namesIn(scopes, uri, target)) {
      if (name === wanted) return undefined;
      if (namespace !== '' && own !== '' && namespace !== own) continue;
      const likeness = misspelling(wanted, name);
      const isSupported = likeness !== 'possible' || object.name?.text.includes(name);
      if (likeness !== undefined && isSupported) found.set(name, { uri, evident: likeness === 'evident' });
    }
  }
  const evident = [...found].filter(([, each]) => each.evident);
  const [only, ...others] = evident.length > 0 ? evident : [...found];
  if (only === undefined || others.length > 0 || isElsewhere(scopes, target, wanted)) return undefined;
  const [name, { uri }] = only;
  const there = workspace.files.get(uri);
  if (there === undefined || scopes.relation(place, uri) !== 'here') return undefined;
  const isMeant = (each: ManifestObject) => each.kind === target.kind && each.name?.text === name;
  return { name, file: there, object: there.manifest.objects.find(isMeant) };
}

function isElsewhere(scopes: Scopes, target: ScaleTarget, wanted: string): boolean {
  for (const uri of scopes.facts().keys()) {
    if (namesIn(scopes, uri, target).some(({ name }) => name === wanted)) return true;
  }
  return false;
}

/** The names of the objects in a file that are of the kind of a reference. */
function namesIn(scopes: Scopes, uri: string, { group, kind }: ScaleTarget) {
  const identities = scopes.facts().get(uri)?.identities ?? [];
  return identities.flatMap((identity) => {
    const [ownGroup, ownKind, namespace = '', name = ''] = identity.split('\n');
    return ownKind === kind && (group === undefined || group === ownGroup) ? [{ namespace, name }] : [];
  });
}
