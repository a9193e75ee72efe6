/** Finds the objects whose controllers create other objects, such as the Secret of an ExternalSecret or the claims of a StatefulSet. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { DataKeys, ManifestObject, ReferenceSite, Written } from '../../manifests/model.ts';
import { globMatcher } from '../../text/glob.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { nameTerm, unrecorded } from '../dependencies/questions.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { filesThatMake, namesInFile } from './names.ts';

/** An object that a controller creates. */
export interface Produced extends GroupKind {
  /** The name of the created object, or a pattern in which `*` matches any text. */
  readonly name: string;
  /** The name as written in the object whose controller creates the other object. */
  readonly at: Written;
  readonly keys?: DataKeys;
}

/** Returns the objects that the controller of an object creates, according to the catalogue. */
export function producedBy(object: ManifestObject, catalogue: Catalogue): readonly Produced[] {
  const { references = [], name } = object;
  const { producers = [] } = catalogue.kind(object.group, object.version, object.kind) ?? {};
  const named = references.filter(({ fact }) => fact.creates);
  if (named.length === 0 && producers.length === 0) return [];
  const keysFor = (made: GroupKind): { readonly keys?: DataKeys } => {
    const known = producers.find(({ makes }) => makes.group === made.group && makes.kind === made.kind);
    if (known === undefined || (known.keys === undefined && object.dataKeys === undefined)) return {};
    const fixed = (known.keys ?? []).flatMap((text) => (name === undefined ? [] : [{ ...name, text, value: text }]));
    return { keys: { keys: [...fixed, ...(object.dataKeys?.keys ?? [])], open: object.dataKeys?.open ?? true } };
  };
  const fromFields = named.flatMap((site) =>
    site.fact.targets.slice(0, 1).map((kind): Produced => {
      const claim = site.fact.form === 'claim' ? `${site.name.text}-${name?.text ?? '*'}-*` : site.name.text;
      return { ...kind, name: claim, at: site.name, ...keysFor(kind) };
    }),
  );
  const fromRules = producers.flatMap(({ makes, names }) =>
    names.flatMap((pattern): readonly Produced[] => {
      if (name === undefined) return [];
      const isDefault =
        pattern === '@' && fromFields.some(({ group, kind }) => group === makes.group && kind === makes.kind);
      return isDefault ? [] : [{ ...makes, name: pattern.replaceAll('@', name.text), at: name, ...keysFor(makes) }];
    }),
  );
  return [...fromFields, ...fromRules];
}

/** Whether a name, which may be a pattern, matches the name of an object. */
export function mayBeNamed(pattern: string, name: string): boolean {
  return pattern === name || (pattern.includes('*') && globMatcher([pattern])(name));
}

/** The files with objects whose controllers create objects of a kind: by the names of the created objects, and those that contain a pattern for names. */
interface Makers {
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly withPatterns: ReadonlySet<string>;
}

const makers = new WeakMap<Workspace['files'], Map<string, Makers>>();

/** Returns the URIs of the files that may contain an object whose controller creates an object of a kind with a name. */
export function filesThatMayMake(
  workspace: Workspace,
  catalogue: Catalogue,
  kind: string,
  name: string,
): readonly string[] {
  const uris = filesThatMake(workspace, catalogue, kind);
  if (uris.length === 0) return uris;
  // The name is written in a reference, or derived from the name of an object.
  workspace.questions?.note({ about: 'named', term: nameTerm.reference(name) });
  const ofFiles = getOrAdd(makers, workspace.files, () => new Map<string, Makers>());
  const { byName, withPatterns } = getOrAdd(ofFiles, kind, () =>
    unrecorded(workspace, () => makersIn(workspace, catalogue, kind, uris)),
  );
  return inOrder([...new Set([...(byName.get(name) ?? []), ...withPatterns])], compareText);
}

function makersIn(workspace: Workspace, catalogue: Catalogue, kind: string, uris: readonly string[]): Makers {
  const byName = new Map<string, Set<string>>();
  const withPatterns = new Set<string>();
  for (const uri of uris) {
    for (const made of namesMadeIn(workspace.files.get(uri), catalogue)) {
      if (made.kind !== kind) continue;
      if (made.name.includes('*')) withPatterns.add(uri);
      else getOrAdd(byName, made.name, () => new Set<string>()).add(uri);
    }
  }
  return { byName, withPatterns };
}

/** The name of an object that an object in a file creates, without the object itself, which would stay in memory. */
interface MadeName extends Pick<Produced, 'kind' | 'name'> {
  readonly namespace: string;
}

const madeIn = new WeakMap<WorkspaceFile, readonly MadeName[]>();

/** Returns the names of the objects that the objects in a file create. */
export function namesMadeIn(file: WorkspaceFile | undefined, catalogue: Catalogue): readonly MadeName[] {
  if (file === undefined) return [];
  return getOrAdd(madeIn, file, ({ manifest }) =>
    manifest.objects.flatMap((object) =>
      producedBy(object, catalogue).map(({ kind, name }) => ({ kind, name, namespace: object.namespace?.text ?? '' })),
    ),
  );
}

/** Annotations that make cert-manager create the Secrets that an Ingress or a Gateway names. */
const issuerAnnotations: readonly string[] = [
  'cert-manager.io/cluster-issuer',
  'cert-manager.io/issuer',
  'kubernetes.io/tls-acme',
];

/** Whether a reference creates its target, because of its field or of an annotation of the object. */
export function createsTarget({ labelSites }: ManifestObject, { fact, path, name }: ReferenceSite): boolean {
  if (fact.creates) return true;
  // The AWS Load Balancer Controller reads an action, which replaces the Service, from an annotation.
  const keys = path.includes('.tls')
    ? issuerAnnotations
    : path.includes('.backend')
      ? [`alb.ingress.kubernetes.io/actions.${name.text}`]
      : [];
  return labelSites.some(
    (site) =>
      keys.length > 0 &&
      site.path === 'metadata.annotations' &&
      (site.open || site.entries.some(({ key }) => keys.includes(key.text))),
  );
}

/** Groups and kinds whose controllers configure programs, but create no objects that others name, except objects whose name they specify. */
const configuring =
  /^(?:monitoring\.coreos\.com (?:ServiceMonitor|PodMonitor|PrometheusRule|Probe|ScrapeConfig)|gateway\.networking\.k8s\.io (?:\w+Route|ReferenceGrant)|(?:networking|security)\.istio\.io \w+|(?:cilium\.io|crd\.projectcalico\.org|projectcalico\.org) \w*Policy|traefik\.(?:io|containo\.us) \w+|autoscaling\.k8s\.io VerticalPodAutoscaler|keda\.sh \w+|cert-manager\.io (?:Certificate|\w*Issuer))$/;

/** Whether a scope contains an object of a custom kind whose operator may create an object with the name: names of created objects usually begin or end with the name of the custom object. Objects of the kind `except` are ignored. */
export function mayCreate(workspace: Workspace, scope: Scope, name: string, except = ''): boolean {
  return mayCreateIn(workspace.scopes(), scope, name, except);
}

const mayCreateIn = scopeQuery(
  'operators that may create',
  (scopes, { files }: Scope, name: string, except: string): boolean => {
    for (const uri of files) {
      const facts = scopes.factsOf(uri);
      const named = facts === undefined ? [] : namesInFile(uri, facts);
      if (named.some((each) => each.kind !== except && mayMake({ ...each, text: each.name }, name))) return true;
    }
    return false;
  },
  String,
);

/** Whether the operator of an object, which is of a custom kind and has the name `text`, may create an object with the name. */
export function mayMake(maker: GroupKind & { readonly text: string }, name: string): boolean {
  const { group, kind, text } = maker;
  return (
    !isBuiltIn(group) &&
    (`${name}-`.startsWith(`${text}-`) || name.endsWith(`-${text}`)) &&
    !configuring.test(`${group} ${kind}`)
  );
}
