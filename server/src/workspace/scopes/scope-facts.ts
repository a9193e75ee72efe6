/**
 * Extracts the facts of a file that scopes depend on. They are plain data without offsets: while they stay equal,
 * typing changes no scope.
 */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { Making, Manifest, ManifestObject } from '../../manifests/model.ts';

export interface ScopeFacts {
  /** The objects that reach the cluster, but for those in Templates. */
  readonly identities: readonly string[];
  /** How many such objects there are, those without a name too. */
  readonly objects: number;
  /** The OpenShift Templates, each a scope of its own. */
  readonly templates: readonly { readonly name: string; readonly identities: readonly string[] }[];
  readonly kustomization?: KustomizationFacts;
  readonly chart?: Chart;
  /** The paths of files that a test tries out. */
  readonly triesOut?: readonly string[];
  /** Why not all is known of what the file adds to its scope. */
  readonly openBecause: readonly string[];
  /** It is there and was not read: it may hold anything. */
  readonly unread?: true;
  /** A transformer or generator that is part of kustomize. */
  readonly builtin?: boolean;
  /** Its first comment says that a program wrote it. */
  readonly generated?: boolean;
  /** Of a `.selector-lens.yaml`: what it says about scopes. */
  readonly config?: string;
  /** The key of what a configuration changed about how the file was read; absent where nothing was changed. */
  readonly reading?: string;
  /** The kinds that the catalogue does not know, each with what was known of it when the file was read. */
  readonly kinds?: readonly string[];
  /** The label keys that fields of its objects hold without a value, as they are written there. */
  readonly namedKeys?: readonly string[];
  /** Its text names labels as Prometheus does: a ConfigMap may hold a configuration. */
  readonly relabelings?: true;
}

/** Something of a file that leaves its scope open. */
export interface OpenReason {
  readonly uri: string;
  /** Goes on after the name of the file: `has syntax errors`. */
  readonly reason: string;
}

interface KustomizationFacts {
  readonly component: boolean;
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly patches: readonly string[];
  readonly plugins: readonly string[];
  /** The files of its configurations and replacements. */
  readonly others?: readonly string[];
  readonly charts: readonly string[];
  readonly programs: readonly string[];
  readonly edits: boolean;
  /** Transformers are written in it. */
  readonly transforms?: true;
}

/** The parts of a parsed file that scopes depend on. */
export interface ReadForScopes {
  readonly manifest: Manifest;
  readonly kustomization?: Kustomization | undefined;
  readonly chart?: Chart;
  readonly config?: { readonly scopeKey: string };
}

/** How a file was parsed, and its origin. */
export interface HowRead {
  readonly readingKey?: string;
  readonly kinds?: readonly string[];
  readonly generated?: boolean;
}

/** The facts of a file; two files with equal facts, as JSON, are the same to the scopes. */
export function scopeFactsOf(
  { manifest, kustomization, chart, config }: ReadForScopes,
  catalogue: Catalogue,
  { readingKey = '', kinds = [], generated = false }: HowRead = {},
): ScopeFacts {
  // What a configuration tells exists elsewhere: that makes no folder of manifests.
  const objects = config ? [] : manifest.objects.filter((object) => object.forCluster);
  const templates = new Set<string>();
  for (const { template } of objects) if (template !== undefined) templates.add(template);
  const free = templates.size === 0 ? objects : objects.filter(({ template }) => template === undefined);
  const facts: Making<ScopeFacts> = {
    identities: identitiesOf(free),
    objects: free.length,
    templates: Array.from(templates, (name) => ({
      name,
      identities: identitiesOf(objects.filter(({ template }) => template === name)),
    })),
    openBecause: openBecause(manifest, objects, catalogue),
  };
  if (kustomization !== undefined) facts.kustomization = kustomizationFacts(kustomization);
  if (chart !== undefined) facts.chart = chart;
  const tried = manifest.objects.flatMap(({ triesOut = [] }) => triesOut);
  if (tried.length > 0) facts.triesOut = tried;
  if (manifest.objects.some(({ group, version }) => group === '' && version === 'builtin')) facts.builtin = true;
  if (generated) facts.generated = true;
  if (config !== undefined) facts.config = config.scopeKey;
  if (readingKey !== '') facts.reading = readingKey;
  if (kinds.length > 0) facts.kinds = kinds;
  const namedKeys = new Set(objects.flatMap(({ labelKeySites }) => labelKeySites.map(({ key }) => key.text)));
  if (namedKeys.size > 0) facts.namedKeys = [...namedKeys].toSorted();
  if (manifest.mentions?.includes('relabelings') === true) facts.relabelings = true;
  return facts;
}

/** The facts of an unknown file; `reason` continues after its name: `was not read`. */
export function unreadFacts(reason: string): ScopeFacts {
  return { identities: [], objects: 0, templates: [], openBecause: [reason], unread: true };
}

export function sameScopeFacts(a: ScopeFacts | undefined, b: ScopeFacts | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function identitiesOf(objects: readonly ManifestObject[]): readonly string[] {
  const identities = new Set<string>();
  for (const object of objects) {
    const identity = identityOf(object);
    if (identity !== undefined) identities.add(identity);
  }
  return [...identities];
}

/** The identities of a file, including those in Templates. */
export function allIdentities({ identities, templates }: ScopeFacts): readonly string[] {
  return templates.length === 0 ? identities : [identities, ...templates.map((each) => each.identities)].flat();
}

/**
 * Group, kind, namespace and name: two objects with one identity cannot be in a cluster together. Undefined without a
 * name, or with one that a Go template writes: its expression means another name in every chart.
 */
export function identityOf(object: Identified): string | undefined {
  const name = object.name?.text ?? '';
  const namespace = object.namespace?.text ?? '';
  if (name === '' || name.includes('{{') || namespace.includes('{{')) return undefined;
  return `${object.group}\n${object.kind}\n${namespace}\n${name}`;
}

/** The fields that determine the identity and position of an object. */
export interface Identified extends Pick<ManifestObject, 'group' | 'kind' | 'template'> {
  readonly name?: { readonly text: string };
  readonly namespace?: { readonly text: string };
}

/** Returns the position of an object for scopes: its file, or the Template that contains it there. */
export function placeOf(where: { readonly file: { readonly uri: string }; readonly object: Identified }): string {
  const { template } = where.object;
  return template === undefined ? where.file.uri : pathInTemplate(where.file.uri, template);
}

/** Returns the position of a Template in a file. A line end separates the parts, since it never occurs in a URI. */
export function pathInTemplate(uri: string, template: string): string {
  return `${uri}\n${template}`;
}

export function fileOfSpan(place: string): string {
  const at = place.indexOf('\n');
  return at === -1 ? place : place.slice(0, at);
}

function kustomizationFacts(read: Kustomization): KustomizationFacts {
  const paths = (references: readonly { readonly path: string }[]) => references.map((each) => each.path);
  const others = paths([
    ...read.configurations,
    ...read.replacements.flatMap((each) => ('path' in each ? [each] : [])),
  ]);
  return {
    component: read.component,
    resources: paths(read.resources),
    components: paths(read.components),
    patches: paths(read.patches),
    plugins: paths(read.plugins),
    ...(others.length > 0 && { others }),
    charts: read.charts,
    programs: read.programs,
    edits: read.edits,
    ...(read.inlineTransformers.length > 0 && { transforms: true as const }),
  };
}

/** Why a file with syntax errors may hold more than can be made out. */
export const hasSyntaxErrors = 'has syntax errors';

function openBecause(manifest: Manifest, objects: readonly ManifestObject[], catalogue: Catalogue): readonly string[] {
  const reasons: string[] = [];
  if (manifest.expandsTooFarAt !== undefined) reasons.push('has aliases that expand to too many nodes');
  else if (manifest.readInPart) reasons.push(hasSyntaxErrors);
  if (manifest.obscured) reasons.push('is a template whose output is not known');
  for (const { group, version, kind } of objects) {
    const fact = catalogue.kind(group, version, kind);
    if (fact === undefined || fact.learned) {
      reasons.push(`contains the kind ${kind}, which may create pods`);
    } else if (fact.installs) reasons.push(`contains the kind ${kind}, whose pods are in no file`);
  }
  return reasons.length < 2 ? reasons : [...new Set(reasons)];
}

/** Whether a reference that names nothing in the workspace leads out of it. */
export function missingReason(path: string, isInside: boolean): string {
  if (isRemote(path)) return `includes '${path}', which is not in the workspace`;
  return isInside ? `names '${path}', which does not exist` : `names '${path}', which is outside the workspace folders`;
}
