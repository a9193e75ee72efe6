/** What objects does a text hold? From YAML or JSON to objects that know where everything is written. Never throws. */

import type { Catalogue, KindFact, LabelPlace } from '../engine/catalogue/types.ts';
import type { Value } from '../engine/index.ts';
import type { Span } from '../text/span.ts';
import { splitDocuments } from './documents.ts';
import type {
  Carrier,
  LabelEntry,
  LabelSite,
  Manifest,
  ManifestObject,
  SelectorSite,
  TemplateSite,
} from './manifest.ts';
import { type Masked, mask } from './masks.ts';
import { isForCluster } from './not-for-cluster.ts';
import { type Found, findPlaces } from './places.ts';
import { readYaml } from './read-yaml.ts';
import { knownLabels, labelEntries, labelSite, selectorSite, written } from './sites.ts';
import { childOf, entryOf, type Node, nodeAt, type ScalarNode } from './tree.ts';

const nothing: Manifest = { objects: [], documents: 0, syntaxErrors: 0 };

/** Reads a file. `text` has no byte order mark; spans are offsets into it. */
export function readManifest(text: string, catalogue: Catalogue): Manifest {
  if (!mayHoldObjects(text)) return nothing;
  const masked = mask(text);
  const objects: ManifestObject[] = [];
  let documents = 0;
  let syntaxErrors = 0;
  for (const span of splitDocuments(masked.text)) {
    const document = readDocument(text, masked, span, catalogue);
    if (document.root === undefined && document.errors === 0) continue;
    documents++;
    syntaxErrors += document.errors;
    objects.push(...document.objects);
  }
  return { objects, documents, syntaxErrors };
}

/** A text without these words holds no object, and most texts are without. */
export function mayHoldObjects(text: string): boolean {
  return text.includes('kind') && text.includes('apiVersion');
}

export interface ReadDocumentObjects {
  readonly root: Node | undefined;
  readonly errors: number;
  readonly objects: readonly ManifestObject[];
}

/** Reads one document of a file whose templates are masked. */
export function readDocument(text: string, masked: Masked, span: Span, catalogue: Catalogue): ReadDocumentObjects {
  const document = readYaml(text, masked, span);
  const objects = document.root === undefined ? [] : objectsOf(document.root, catalogue);
  return { root: document.root, errors: document.errors, objects };
}

/** A document may hold several objects: a List, or an OpenShift Template. */
function objectsOf(root: Node, catalogue: Catalogue): readonly ManifestObject[] {
  const items = childOf(root, 'items');
  const type = typeOf(root);
  if (items?.kind === 'list' && type !== undefined) {
    const itemKind = type.kind === 'List' ? undefined : type.kind.replace(/List$/, '');
    return items.items.flatMap((item) =>
      object(item, catalogue, itemKind === undefined ? undefined : { ...type, kind: itemKind }, []),
    );
  }
  const objects = object(root, catalogue, undefined, []);
  const members = childOf(root, 'objects');
  if (type?.kind !== 'Template' || members?.kind !== 'list') return objects;
  const inherited = labelEntries(childOf(root, 'labels'));
  return [...objects, ...members.items.flatMap((member) => object(member, catalogue, undefined, inherited))];
}

interface Type {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly kindSpan: Span;
}

function typeOf(root: Node): Type | undefined {
  const apiVersion = scalarAt(root, 'apiVersion');
  const kind = scalarAt(root, 'kind');
  if (apiVersion === undefined || kind === undefined || kind.text === '') return undefined;
  const slash = apiVersion.text.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.text.slice(0, slash);
  return { group, version: apiVersion.text.slice(slash + 1), kind: kind.text, kindSpan: kind.span };
}

function scalarAt(node: Node, ...path: readonly string[]): ScalarNode | undefined {
  const found = nodeAt(node, ...path);
  return found?.kind === 'scalar' && found.type !== 'null' ? found : undefined;
}

const anyKind: Omit<KindFact, 'group' | 'kind'> = {
  versions: [],
  selectors: [],
  labels: [],
  templates: [],
  labelKeys: [],
};

const ownLabels: LabelPlace = { path: 'metadata.labels', holds: 'labels' };
const ownAnnotations: LabelPlace = { path: 'metadata.annotations', holds: 'annotations' };

function object(
  root: Node,
  catalogue: Catalogue,
  itemType: Type | undefined,
  inherited: readonly LabelEntry[],
): readonly ManifestObject[] {
  const type = typeOf(root) ?? itemType;
  if (root.kind !== 'map' || type === undefined) return [];
  const facts = catalogue.kind(type.group, type.version, type.kind) ?? {
    ...anyKind,
    group: type.group,
    kind: type.kind,
  };
  const name = scalarAt(root, 'metadata', 'name');
  const generateName = scalarAt(root, 'metadata', 'generateName');
  const namespace = scalarAt(root, 'metadata', 'namespace');
  const sites = sitesOf(root, facts);
  const labels = sites.labelSites.find((site) => site.path === ownLabels.path);
  return [
    {
      ...type,
      span: root.span,
      ...(name && { name: written(name) }),
      ...(generateName && { generateName: written(generateName) }),
      ...(namespace && { namespace: written(namespace) }),
      ...(labels && { labels }),
      ...sites,
      inherited,
      forCluster: isForCluster(type.group, type.kind, root),
    },
  ];
}

interface Sites {
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
}

function sitesOf(root: Node, facts: KindFact): Sites {
  const labelSites: LabelSite[] = [];
  const selectorSites: SelectorSite[] = [];
  const templates: Found[] = [];
  const metadata = childOf(root, 'metadata');
  for (const place of [ownLabels, ownAnnotations]) {
    const entry = entryOf(metadata, place.holds);
    if (entry !== undefined) labelSites.push(labelSite(place.path, place, entry));
  }
  for (const found of findPlaces(root, facts)) {
    const { place, path, node, entry } = found;
    const known = labelSites.some((site) => site.path === path);
    if (place.kind === 'labels' && entry !== undefined && !known) labelSites.push(labelSite(path, place.fact, entry));
    if (place.kind === 'selector')
      selectorSites.push(selectorSite(path, place.fact, node, entry?.key.span ?? startOf(node)));
    if (place.kind === 'template') templates.push(found);
  }
  return { labelSites, selectorSites, templates: templates.flatMap((found) => templateSite(found, labelSites)) };
}

/** An item of a list has no key: what is said about it stands at its first character. */
function startOf(node: Node): Span {
  return { start: node.span.start, end: node.span.start + 1 };
}

function templateSite(found: Found, labelSites: readonly LabelSite[]): readonly TemplateSite[] {
  if (found.place.kind !== 'template') return [];
  const { labelsAt } = found.place.fact;
  const path = found.path === '' ? 'metadata.labels' : `${found.path}.metadata.labels`;
  const labels = labelSites.find((site) => site.path === (labelsAt ?? path));
  return [
    {
      path: found.path,
      fact: found.place.fact,
      span: found.entry?.key.span ?? startOf(found.node),
      ...(labels && { labels }),
    },
  ];
}

/** Everything of an object that a selector can match: itself, and what its templates make. */
export function carriersOf(object: ManifestObject): readonly Carrier[] {
  const own = knownLabels([...object.inherited, ...(object.labels?.entries ?? [])], object.labels?.open ?? false);
  const itself: Carrier = {
    target: { group: object.group, kind: object.kind },
    ...(object.labels && { site: object.labels }),
    ...own,
    guessed: false,
  };
  const made = object.templates.map((template): Carrier => {
    const written = knownLabels(template.labels?.entries ?? [], template.labels?.open ?? false);
    const set = labelsSetByController(object, template);
    return {
      target: template.fact.makes,
      via: template.path,
      ...(template.labels && { site: template.labels }),
      labels: { ...written.labels, ...set },
      open: written.open || template.fact.open,
      guessed: template.fact.open && !written.open,
    };
  });
  return [itself, ...made];
}

function labelsSetByController(object: ManifestObject, { path, fact }: TemplateSite): Readonly<Record<string, Value>> {
  const set = Object.entries(fact.sets ?? {}).map(([key, value]): [string, Value] => {
    if (fact.setsName?.includes(key) && object.name !== undefined) return [key, object.name.value];
    return [key, value ?? { unknown: `${key} of ${path}` }];
  });
  return Object.fromEntries(set);
}
