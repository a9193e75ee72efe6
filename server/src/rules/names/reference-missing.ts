/** Reports references to an object that does not exist. */

import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { isNamespaceOfPolicy, isOfPolicy, targetKinds } from '../../manifests/sites/references.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { definitionIn, type GitopsScope, gitopsScopesOf } from '../../workspace/gitops/defined-scopes.ts';
import { definersOf } from '../../workspace/gitops/scope-questions.ts';
import { keepsField } from '../../workspace/kustomize/kept-fields.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isGenerated } from '../../workspace/mutations.ts';
import { scopesWithout } from '../../workspace/references/absent-names.ts';
import { nearInChart } from '../../workspace/references/chart-names.ts';
import { closedScopesOf, isInClosedCluster, isInKnownCluster } from '../../workspace/references/closed-scope.ts';
import { objectsNamed } from '../../workspace/references/names.ts';
import { isFlux, type NearName, nearName, similarName } from '../../workspace/references/near-names.ts';
import { isOwnerReference, nameInOtherNamespace } from '../../workspace/references/other-namespaces.ts';
import { keepsWrittenName, writtenByPatches } from '../../workspace/references/patched-references.ts';
import { createsTarget } from '../../workspace/references/producers.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { parametersOf } from '../../workspace/selection/admission-matches.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { isTestData } from '../framework/test-data.ts';
import { type PatchedObject, patchedObjects, placeInPatch, relatedTo, unpatched } from '../helpers/patched-objects.ts';
import { namesOfSome } from '../helpers/scopes-lacking.ts';
import { shorten, shortenName } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly site: ReferenceSite;
  readonly near?: NearName;
  /** The kinds that the reference may name. */
  readonly kinds: readonly string[];
  /** The scopes without the object, if other scopes of the reference contain it. */
  readonly scopes?: string | undefined;
  /** A clause that describes the consequence of the missing object. */
  readonly effect: string | undefined;
}

export const referenceMissing = rule<Missing>({
  id: 'reference-missing',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  summary: 'The name of an object that does not exist.',
  why: 'Objects refer to each other by name: a pod to its ConfigMaps, Secrets and ServiceAccount, an autoscaler to its workload, an Ingress to its Services. The API server accepts a name that no object has, but then pods do not start, or nothing is scaled or routed. The rule reports a name as a warning if exactly one object of that kind, in the same scope and namespace, has a similar name, and if the missing object cannot come from a generator of a kustomization, a controller, or an unknown file. So is a name that shares all parts but the last with the only object of its kind in the folder that nothing uses, as after a rename. Another name is a hint, and is reported only if the scope is known completely and, in a workspace with GitOps objects, contains other objects of the kind; a missing Secret, which people often create without a manifest, is reported only if another overlay contains it. A reference is a warning, too, if the only object with its name is in another namespace of the cluster; for a ConfigMap or Secret, which a program may copy, this is a hint. A name with template actions is compared with the names that the execution of the chart writes, and is reported if every release of the chart that the files contain has the fault. A name that a patch writes is reported in the patch if the objects of its kustomization are known and exactly one of them has a similar name. A reference with `optional: true` is never reported.',
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
      title: 'A ConfigMap that need not exist.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: checkout
spec:
  containers:
    - name: checkout
      envFrom: [{configMapRef: {name: currencies, optional: true}}]
`,
    },
  ],
  *check(context) {
    const { workspace, catalogue, file } = context;
    const isTest = isTestData(file.uri, workspace.folders);
    for (const object of context.stored) {
      const absent = new Set<string>();
      for (const written of object.references ?? []) {
        const site = withParameterKind(context, object, written);
        if (!mayBeChecked(object, site)) continue;
        if (typeof site.name.value !== 'string') {
          yield* inChart(context, object, site);
          continue;
        }
        const kinds = targetKinds(site, catalogue).map(({ kind }) => kind);
        if (isGenerated(workspace, kinds, site.name.text)) continue;
        const where = { file, object };
        const isOwner = isOwnerReference(site);
        const found =
          (isOwner ? undefined : nearName(workspace, catalogue, where, site)) ??
          nameInOtherNamespace(workspace, catalogue, where, site);
        const isRenamed = found?.isUnused === true && mayBeRenamed(context, where, site);
        const near = (found?.isUnused && !isRenamed) || (found?.isWeak && isOfPolicy(site.fact)) ? undefined : found;
        const key = `${kinds.join()} ${site.name.text}`;
        const isHint = near === undefined || (near.place !== undefined && !isOwner && near.place.mayBeCopied);
        if (isHint && (isOwner || isTest || !mustExist(site) || absent.has(key))) continue;
        if (near === undefined && isOfOtherKind(context, site)) continue;
        if (near === undefined) {
          const scopes = knownScopesWithout(context, where, site);
          if (scopes.length === 0) continue;
          absent.add(key);
          const some = namesOfSome(context, where, scopes);
          const similar = similarName(workspace, catalogue, where, site);
          const nearby = similar && { near: similar, related: definitionOf(similar) };
          yield {
            span: site.name.span,
            severity: 'hint',
            site,
            kinds,
            effect: effectOf(site),
            scopes: some,
            ...nearby,
          };
          continue;
        }
        if (near.place !== undefined && !isInKnownCluster(context, where, near.place.home)) continue;
        const isOfPeople = !near.isWeak && !isOwner && !isHint && (near.place === undefined || isFlux(object));
        const isCreated = isRenamed || (isOfPeople && isMadeByPeople(context, site));
        const complete = isCreated ? workspace.scopes().of(placeOf(where)) : knownScopes(context, where, site);
        const known = complete.filter((scope) => keepsField(workspace, catalogue, scope, where, fieldPath(site.path)));
        if (known.length === 0) continue;
        const scopes = namesOfSome(context, where, known);
        const related = definitionOf(near);
        const { span } = near.place === undefined ? site.name : (site.namespace ?? site.name);
        if (isHint) absent.add(key);
        const severity = isHint ? ({ severity: 'hint' } as const) : {};
        yield { span, site, near, kinds, effect: effectOf(site), scopes, related, ...severity };
      }
    }
    yield* inPatches(context);
  },
  message({ site: { name }, near, kinds, effect, scopes }) {
    const inSome = scopes === undefined ? '' : localize` In ${scopes}.`;
    if (near === undefined) {
      const named = `${kinds.join(localize` or `)} '${shorten(name.text)}'`;
      return effect === undefined
        ? localize`No ${named} in this scope.${inSome}`
        : localize`No ${named} in this scope: ${effect}.${inSome}`;
    }
    const { kind, isInOtherScope, isUnused, place } = near;
    const [wanted, actual] = [shortenName(name.text), shortenName(near.name)];
    if (place !== undefined) {
      const [home, namespace] = [shorten(place.home), shorten(place.namespace)];
      return effect === undefined
        ? localize`No ${kind} '${wanted}' in namespace '${home}'. It is in namespace '${namespace}'.`
        : localize`No ${kind} '${wanted}' in namespace '${home}': ${effect}. It is in namespace '${namespace}'.`;
    }
    if (isUnused) {
      return effect === undefined
        ? localize`No ${kind} '${wanted}' in this scope. Nothing refers to ${kind}/${actual}.${inSome}`
        : localize`No ${kind} '${wanted}' in this scope: ${effect}. Nothing refers to ${kind}/${actual}.${inSome}`;
    }
    if (isInOtherScope) return localize`No ${kind} '${wanted}' in this cluster. Closest: ${kind}/${actual}.`;
    return effect === undefined
      ? localize`No ${kind} '${wanted}' in this scope. Closest: ${kind}/${actual}.${inSome}`
      : localize`No ${kind} '${wanted}' in this scope: ${effect}. Closest: ${kind}/${actual}.${inSome}`;
  },
  fixes: ({ site, near, scopes }) => {
    // The name may be correct in other scopes. A template writes a name that is unknown.
    if (near === undefined || scopes !== undefined || typeof site.name.value !== 'string') return [];
    const [wrong, right, title] =
      near.place === undefined
        ? [site.name, near.name, localize`Change the name to '${shorten(near.name)}'`]
        : [site.namespace, near.place.namespace, localize`Change the namespace to '${shorten(near.place.namespace)}'`];
    const isWritten = wrong !== undefined && wrong.origin === undefined;
    return isWritten
      ? [{ title, edits: [replaceScalar(wrong, right)], preferred: near.isUnused === undefined && !near.isAmbiguous }]
      : [];
  },
});

/** Yields a finding if an object of the chart has a name that is similar to a name with template actions. */
function* inChart(context: RuleContext, object: ManifestObject, site: ReferenceSite): Iterable<Missing> {
  const { workspace, executed = workspace, catalogue, file } = context;
  if (!site.name.text.includes('{{') || isOwnerReference(site) || isOfPolicy(site.fact)) return;
  const near = nearInChart(executed, catalogue, { file, object }, site);
  if (near === undefined) return;
  const kinds = targetKinds(site, catalogue).map(({ kind }) => kind);
  yield {
    span: site.name.span,
    site,
    near,
    kinds,
    effect: effectOf(site),
    scopes: undefined,
    related: definitionOf(near),
  };
}

/** Yields the names in patches of the file that resemble the only other name of an object in a scope. */
function* inPatches(context: RuleContext): Iterable<Missing> {
  const { workspace, catalogue, uri } = context;
  const seen = new Set<number>();
  for (const patched of patchedObjects(context)) {
    const { object, scope } = patched;
    if (scope.closed !== true) continue;
    const before = new Set(unpatched(context, patched)?.references?.map(({ name }) => name.text));
    for (const site of writtenByPatches(patched, uri, catalogue).references) {
      if (before.has(site.name.text) || typeof site.name.value !== 'string' || isOwnerReference(site)) continue;
      if (!mayBeChecked(object, site)) continue;
      const kinds = targetKinds(site, catalogue).map(({ kind }) => kind);
      if (isGenerated(workspace, kinds, site.name.text)) continue;
      const name = { ...site.name, origin: { uri, span: site.name.span } };
      const near = nearName(workspace, catalogue, withoutReplaced(context, patched), { ...site, name });
      if (near === undefined || near.isUnused || near.isInOtherScope || (near.isWeak && isOfPolicy(site.fact)))
        continue;
      const written = placeInPatch(context, site.name);
      if (written === undefined || seen.has(written.span.start)) continue;
      seen.add(written.span.start);
      const related = [...definitionOf(near), relatedTo(patched)];
      const found = { site: { ...site, name: written }, near, kinds, effect: effectOf(site), scopes: undefined };
      yield { span: written.span, ...found, related };
    }
  }
}

/** Returns a built object with the names in its file that no patch replaces. */
function withoutReplaced({ catalogue }: RuleContext, patched: PatchedObject): ObjectInFile {
  const { file, object } = patched;
  const kept = object.references?.filter((site) => keepsWrittenName(patched, site, catalogue) === 'yes');
  return kept === undefined ? patched : { file, object: { ...object, references: kept } };
}

function definitionOf({ kind, name, target }: NearName): readonly Related[] {
  if (target === undefined) return [];
  return [{ ...target, message: localize`${kind} '${shortenName(name)}' is defined here.` }];
}

/** The path of the reference to the parameters of an admission policy in its bindings. */
const parametersPath = 'spec.paramRef.name';

/** Returns a reference to the parameters of an admission policy with the kind that the policy defines, and any other reference unchanged. */
function withParameterKind(
  { workspace, file }: RuleContext,
  object: ManifestObject,
  site: ReferenceSite,
): ReferenceSite {
  if (site.path !== parametersPath || object.admissionRules?.system !== 'binding') return site;
  const parameters = parametersOf(workspace, { file, object });
  return parameters === undefined ? site : { ...site, ...parameters };
}

/** Whether the field certainly names an object that must exist. */
function mayBeChecked(object: ManifestObject, site: ReferenceSite): boolean {
  const { fact, name, optional } = site;
  // No object has such a name: in Traefik, the name of another provider follows.
  if (name.text.includes('@')) return false;
  if (fact.guessed || (optional && !isOfPolicy(fact)) || name.origin !== undefined) return false;
  // In a template, the label may have any value that a manual selector requires; otherwise, another rule compares it with the name.
  if (site.path.startsWith('spec.') && /\blabels\.(?:batch\.kubernetes\.io\/)?job-name$/.test(site.path)) return false;
  // The names in the rules of roles often refer to objects that programs create.
  if (fact.kindAt?.endsWith('[]') && !isOwnerReference(site) && !isOfPolicy(fact)) return false;
  // Another rule compares the namespaces in policies.
  if (isNamespaceOfPolicy(site)) return false;
  const isMerged = object.labelSites.some(({ entries }) =>
    entries.some(({ value, conditional, merged }) => value.span === name.span && (conditional || merged)),
  );
  // A StatefulSet replaces a volume with the name of one of its claim templates.
  const isReplaced = object.references?.some((each) => each.fact.form === 'claim' && each.name.text === name.text);
  return !isMerged && !isReplaced && !createsTarget(object, site);
}

/** Whether a reference may have an old name of an object, although other objects are unknown. The condition of a template may leave out the reference. Charts and remote files may contain the object. */
function mayBeRenamed(context: RuleContext, where: ObjectInFile, site: ReferenceSite): boolean {
  if (!mustExist(site) || context.mentions('conditions') || !isInKnownCluster(context, where)) return false;
  const scopes = context.workspace.scopes().of(placeOf(where));
  return scopes.every(({ closed }) => closed === true || closed.areObjects === true);
}

/** Whether a field must name an object, so that its own object does not work without that object. Pods start without the Secrets with which images are pulled, and without the Service that gives them DNS names. */
function mustExist({ path, fact }: ReferenceSite): boolean {
  return fact.form !== 'dns' && !isOfPolicy(fact) && !/imagePullSecrets|\.(?:serviceName|subdomain)$/.test(path);
}

/** Whether another rule reports the kind: the field does not accept it, or an object of another kind has the name. */
function isOfOtherKind({ workspace }: RuleContext, { fact: { accepts, targets }, kind, name }: ReferenceSite): boolean {
  if (accepts === undefined) return false;
  const wanted = kind ?? targets[0]?.kind;
  const isNamed = (other: string) => other !== wanted && objectsNamed(workspace, other, name.text).length > 0;
  return accepts.every((each) => each.kind !== wanted) || accepts.some((each) => isNamed(each.kind));
}

/** Returns the scopes in which no object has the name, if everything that may be applied with them is known. */
function knownScopesWithout(context: RuleContext, where: ObjectInFile, site: ReferenceSite): readonly Scope[] {
  const scopes = scopesWithout(context.workspace, context.catalogue, where, site);
  const isOwned = scopes.some(({ gitops }) => gitops !== undefined);
  return isOwned && !isInClosedCluster(context, where) ? [] : scopes;
}

/** Whether only manifests create the objects to which the reference may refer: no controller creates a workload with a known name, a Flux object, a project of Argo CD, or the parameters of an admission policy. */
function isMadeByPeople({ catalogue }: RuleContext, site: ReferenceSite): boolean {
  if (site.path === parametersPath) return true;
  return targetKinds(site, catalogue).every(
    ({ group = '', kind }) =>
      (catalogue.kind(group, '', kind)?.templates.length ?? 0) > 0 ||
      group.endsWith('.toolkit.fluxcd.io') ||
      /(?:\/service-name|^spec\.(?:template\.spec\.)?project)$/.test(site.path),
  );
}

/** Returns the scopes in which all objects that may have the name are known. For an object of Flux, the objects that charts install into other namespaces may be unknown. */
function knownScopes(context: RuleContext, where: ObjectInFile, { namespace }: ReferenceSite): readonly Scope[] {
  const { workspace } = context;
  const own = (namespace ?? where.object.namespace)?.text;
  const mayInstall = (scope: GitopsScope) =>
    (scope.gitops.facts.releases?.length ?? 0) > 0 && [own, undefined].includes(releaseNamespace(context, scope));
  const isReleased = () => own === undefined || gitopsScopesOf(workspace.scopes()).some(mayInstall);
  return closedScopesOf(context, where, isFlux(where.object) ? isReleased : undefined);
}

/** Returns the namespace into which a HelmRelease installs its chart; undefined if it is unknown. */
function releaseNamespace({ workspace, catalogue }: RuleContext, { gitops, namespace }: GitopsScope) {
  if (namespace !== undefined) return namespace;
  const object = definitionIn(gitops, workspace.files);
  const [parent, ...others] = definersOf(workspace.scopes(), gitops);
  if (object === undefined || parent === undefined || others.length > 0) return undefined;
  const own = { file: { uri: gitops.uri }, object };
  return workspace.rendering(parent.path, catalogue)?.objects.find((each) => isSameObject(each, own))?.object.namespace
    ?.text;
}

function effectOf(site: ReferenceSite): string | undefined {
  const { path } = site;
  if (isOwnerReference(site)) return localize`the garbage collector deletes this object`;
  if (/(?:scaleTargetRef|spec\.targetRef)\.name$/.test(path)) return localize`nothing is scaled`;
  return path.endsWith('/service-name') ? localize`its endpoints are not used` : undefined;
}
