/** Reports names of volumes, ports and other parts of an object that the object does not have. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { MutatedList } from '../../manifests/kinds/mutations.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { nodeAt } from '../../manifests/sites/catalogue-paths.ts';
import { allReferenceSites, isAnyPart, localTargets } from '../../manifests/sites/references.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, isOpen, type Node, textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { isCompleteExceptObjects, keepsField } from '../../workspace/kustomize/kept-fields.ts';
import { mayMutateList } from '../../workspace/mutations.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { destinationRulesFor } from '../../workspace/references/destination-rules.ts';
import { objectsNamed } from '../../workspace/references/names.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';
import { namesOfSome } from '../helpers/scopes-lacking.ts';
import { shorten } from '../helpers/sentences.ts';

interface MissingPart extends Fact {
  readonly site: ReferenceSite;
  /** What the name refers to: the last list in the path of the parts. */
  readonly part: 'volume' | 'port' | 'resource claim' | 'container' | 'subset';
  /** The only similar name. */
  readonly closest: string | undefined;
  /** The scopes in which the part is missing, if it may exist in others. */
  readonly scopes: string | undefined;
}

const parts: ReadonlyMap<string, MissingPart['part']> = new Map([
  ['volumes[].name', 'volume'],
  ['ports[].name', 'port'],
  ['resourceClaims[].name', 'resource claim'],
  ['containers[].name', 'container'],
]);

/** The lists to which admission policies may add a part. */
const mutated: ReadonlyMap<MissingPart['part'], MutatedList> = new Map([
  ['volume', 'volumes'],
  ['port', 'ports'],
  ['container', 'containers'],
]);

export const referencePartMissing = rule<MissingPart>({
  id: 'reference-part-missing',
  severity: 'error',
  needs: 'stored',
  acrossFiles: true,
  summary: 'The name of a volume, port or other part of the same object that does not exist.',
  why: 'A container mounts the volumes of its pod by name, and a probe names a port of its own container. The API server rejects a pod whose container mounts a volume that the pod does not have. It accepts a probe with an unknown port, but the probe always fails. A route of Istio to a subset that no DestinationRule for its host declares fails, too; it is reported if all manifests that are applied together are known. A part that a kustomization or a template may add is not reported.',
  bad: [
    {
      title: 'A misspelled volume.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      image: example.com/basket
      volumeMounts:
        - name: dta
          mountPath: /data
  volumes:
    - name: data
      emptyDir: {}
`,
    },
  ],
  good: [
    {
      title: 'A volume of the pod.',
      change: ['- name: dta', '- name: data'],
    },
  ],
  *check(context) {
    const { catalogue, workspace, uri } = context;
    if (context.manifest.readInPart) return;
    const isConditional = conditionalPaths(context);
    for (const object of context.stored) {
      if (object.forCluster) yield* subsetsMissingIn(context, object);
      // The controllers of custom resources may add parts.
      if (!object.lacksPart || !object.forCluster || !isBuiltIn(object.group)) continue;
      // A tool that adds the name of a Pod, such as Jenkins, adds volumes as well.
      if (object.name === undefined && object.generateName === undefined) continue;
      const facts = catalogue.kind(object.group, object.version, object.kind);
      if (facts === undefined || workspace.scopes().isPatch(uri) || isMerged(context, object)) continue;
      const root = treeOf(context, object);
      if (root === undefined) continue;
      for (const site of allReferenceSites(root, facts))
        if (!isConditional(site.name.span)) yield* missingIn(context, object, root, site);
    }
  },
  message({ site, part, closest, scopes }) {
    const name = shorten(site.name.text);
    const missing =
      part === 'port'
        ? localize`Container has no port named '${name}', so this request fails.`
        : part === 'subset'
          ? localize`No DestinationRule for this host has a subset '${name}', so requests to it fail.`
          : localize`No ${part} '${name}' in this object; the API server rejects the pod.`;
    const sentence = closest === undefined ? missing : localize`${missing} Closest: '${shorten(closest)}'.`;
    return scopes === undefined ? sentence : localize`${sentence} In ${scopes}.`;
  },
  fixes: ({ site, closest, scopes }) =>
    closest === undefined || scopes !== undefined
      ? []
      : [
          {
            title: localize`Change the name to '${shorten(closest)}'`,
            edits: [replaceScalar(site.name, closest)],
            preferred: true,
          },
        ],
});

function* missingIn(
  context: RuleContext,
  object: ManifestObject,
  root: Node,
  site: ReferenceSite,
): Iterable<MissingPart> {
  const { name, fact, path } = site;
  const [at = ''] = fact.local ?? [];
  const part = parts.get(at.split('.').slice(-2).join('.'));
  if (part === undefined || typeof name.value !== 'string' || name.type !== 'string' || name.origin !== undefined)
    return;
  // The API server rejects such a port for a different reason.
  if (part === 'port' && /^\d*$/.test(name.text)) return;
  // A container without an image is merged into a container of an object in the cluster.
  const container = /^.*ontainers\[\d+\]/.exec(path)?.[0];
  const merged = container === undefined ? undefined : nodeAt(root, container);
  if (merged !== undefined && (childOf(merged, 'image') === undefined || isForHook(merged))) return;
  // An ephemeral container alone is added to a pod in the cluster.
  if (path.startsWith('spec.ephemeralContainers') && nodeAt(root, 'spec.containers') === undefined) return;
  const targets = localTargets(root, site);
  if (targets.some(({ text }) => text === name.text) || isAnyPart(root, site, isOpen)) return;
  const { workspace, catalogue, file } = context;
  const where = { file, object };
  const list = mutated.get(part);
  if (list !== undefined && mayMutateList(workspace, where, list)) return;
  const fields = [fieldPath(path), ...(fact.local ?? []).map((each) => fieldPath(each.replace(/\[\].*/, '')))];
  const scopes = workspace.scopes().of(placeOf(where));
  const known = scopes.filter(
    (scope) =>
      (!isRendered(scope) || isCompleteExceptObjects(workspace, scope)) &&
      fields.every((field) => keepsField(workspace, catalogue, scope, where, field)),
  );
  if (known.length === 0) return;
  const near = targets.filter(({ text }) => misspelling(name.text, text) !== undefined);
  // Under conditions, a template may write the part at any place.
  if (near.length !== 1 && context.mentions('templates')) return;
  yield {
    span: name.span,
    site,
    part,
    closest: near.length === 1 ? near[0]?.text : undefined,
    scopes: namesOfSome(context, where, known),
    ...((part === 'port' || isCompletedLater(object)) && { severity: 'warning' }),
  };
}

/** Whether a file that is named like a patch contains an object of another file, so that a command may merge it into this object. */
function isMerged({ workspace, uri }: RuleContext, object: ManifestObject): boolean {
  if (!/patch/i.test(uri.slice(uri.lastIndexOf('/'))) || object.name === undefined) return false;
  const { group, kind, name, namespace } = object;
  return objectsNamed(workspace, kind, name.text).some(
    (each) => each.uri !== uri && each.group === group && each.namespace === (namespace?.text ?? ''),
  );
}

/** Whether a container extends a container of a GitHub runner, such as `$job`. */
function isForHook(container: Node): boolean {
  return textOf(childOf(container, 'name'))?.startsWith('$') === true;
}

/** Yields the subsets of a host that its DestinationRules do not declare. */
function* subsetsMissingIn(context: RuleContext, object: ManifestObject): Iterable<MissingPart> {
  const { catalogue, workspace, file } = context;
  const facts = catalogue.kind(object.group, object.version, object.kind);
  if (facts?.references.some(({ part }) => part === 'subset') !== true || context.mentions('templates')) return;
  const root = treeOf(context, object);
  const where = { file, object };
  const scopes = workspace.scopes().of(placeOf(where));
  for (const site of root === undefined ? [] : allReferenceSites(root, facts)) {
    const { name, path } = site;
    const rules = destinationRulesFor(context, where, site);
    const declared = rules.flatMap(({ object }) => object.subsets ?? []);
    if (declared.length === 0 || typeof name.value !== 'string' || name.origin !== undefined) continue;
    if (declared.some(({ text, value }) => text === name.text || typeof value !== 'string')) continue;
    const known = scopes.filter(
      (scope) =>
        scope.closed === true &&
        keepsField(workspace, catalogue, scope, where, fieldPath(path)) &&
        rules.every((each) => keepsField(workspace, catalogue, scope, each, ['spec', 'subsets'])),
    );
    if (known.length === 0) continue;
    const near = declared.filter(({ text }) => misspelling(name.text, text) !== undefined);
    yield {
      span: name.span,
      severity: 'warning',
      site,
      part: 'subset',
      closest: near.length === 1 ? near[0]?.text : undefined,
      scopes: namesOfSome(context, where, known),
    };
  }
}

/** Whether the pod is validated only after webhooks have changed it: a pod itself, or a pod that a workload with volume claim templates creates. */
function isCompletedLater({ templates, references = [] }: ManifestObject): boolean {
  return templates.length === 0 || references.some(({ fact }) => fact.form === 'claim');
}
