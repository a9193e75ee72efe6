/** Converts a resource to the object that is applied. Facts are collected from its tree as they are for an object in a file. */

import type {
  Catalogue,
  GroupKind,
  KindFact,
  LabelField,
  SelectorFact,
  TemplateFact,
} from '../../engine/catalogue/types.ts';
import { addressesOf } from '../../manifests/kinds/address-fields.ts';
import { anyRoot, meshConfigOf, meshRootsIn } from '../../manifests/kinds/mesh-roots.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import { networkRoleOf, networkSpecOf } from '../../manifests/kinds/network-spec.ts';
import { shapesOf } from '../../manifests/kinds/selector-shapes.ts';
import { type FieldPath, fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type {
  ContainerPorts,
  LabelEntry,
  LabelSite,
  ManifestObject,
  Mutable,
  SelectorSite,
  TemplateSite,
  Written,
} from '../../manifests/model.ts';
import { concretePath, nodeAt } from '../../manifests/sites/catalogue-paths.ts';
import { anyField, fieldValues, withFieldValues } from '../../manifests/sites/field-values.ts';
import { namespaceNames } from '../../manifests/sites/listed-namespaces.ts';
import { sitesOf } from '../../manifests/sites/object-sites.ts';
import { containerPorts } from '../../manifests/sites/ports.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { namespaceIn, withSelectors, written } from '../../manifests/sites/sites.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { scalarOf } from './edit-tree.ts';
import { identityOf, type Resource } from './resource.ts';
import { mayChangeField } from './transformer-sources.ts';

const named = ['name', 'generateName', 'namespace'] as const;

/**
 * Returns the object of a resource as it is applied. For an unchanged resource, it is the identical object of the file.
 */
export function effectiveObject(resource: Resource, catalogue: Catalogue): ManifestObject {
  const { source, written: before, tree, patched, uncertain } = resource;
  if (tree === before && !patched && !uncertain) return source;
  const { group, version, kind } = identityOf(tree);
  const facts = factsOf({ group, version, kind }, resource, catalogue);
  const sites = sitesOf(tree, facts, { root: before, sites: source });
  const { labelSites, labelKeySites } = sites;
  const selectorSites = sites.selectorSites.map((site) => withNamespaces(site, resource));
  const templates = sites.templates.map((template) => withFieldValues(withPorts(template, resource), tree, catalogue));
  const policySpec = policyKindOf({ group, kind }) === undefined ? undefined : childOf(tree, 'spec');
  // Filled field by field: the objects of all overlays are built here, and a copy for each optional field would double
  // the cost.
  const object: Mutable<ManifestObject> = {
    ...source,
    group,
    version,
    kind,
    labelSites,
    selectorSites,
    templates,
    labelKeySites,
  };
  const metadata = [childOf(tree, 'metadata'), childOf(before, 'metadata')] as const;
  for (const field of named) put(object, field, writtenAt(field, source[field], ...metadata));
  put(
    object,
    'labels',
    labelSites.find((site) => site.path === 'metadata.labels'),
  );
  put(object, 'policySpec', policySpec);
  // The tree of a DestinationRule does not contain its settings for TLS.
  const network = networkRoleOf(source) === 'istio tls' ? source.networkSpec : networkSpecOf({ group, kind }, tree);
  put(object, 'networkSpec', network);
  put(object, 'addresses', addressesOf({ group, kind }, tree));
  const mesh = meshConfigOf({ group, kind }, tree);
  if (mesh !== undefined) put(object, 'meshRoots', rootsIn(mesh, { group, kind }, tree));
  put(object, 'gitopsSpec', source.gitopsSpec && childOf(tree, 'spec'));
  const data = source.variables && childOf(tree, 'data');
  put(object, 'variables', data?.kind === 'map' ? data : undefined);
  put(object, 'fieldValues', fieldValues(tree, facts, catalogue));
  if (patched) {
    if (source.ports !== undefined) put(object, 'ports', portsIn(source.ports, tree, [], resource));
    if (source.servicePorts !== undefined && mayChangeField(resource.transformers, ['spec', 'ports'])) {
      put(object, 'targetPorts', undefined);
      put(object, 'servicePorts', undefined);
    }
  }
  if (patched || uncertain) addUncertainReferences(object, source);
  return uncertain === false ? object : unknown(object, uncertain);
}

/** Returns the namespaces that may be the root namespace of a mesh. A generator does not determine its configuration. */
function rootsIn(mesh: Node, type: GroupKind, tree: Node): readonly string[] | undefined {
  const isGenerated = mesh.kind === 'scalar' && mesh.pattern === '*' && mesh.text === '';
  return isGenerated ? [anyRoot] : meshRootsIn(type, tree);
}

/** Sets a field of an object, or removes the field if `value` is undefined. */
function put<
  Field extends
    | 'name'
    | 'generateName'
    | 'namespace'
    | 'labels'
    | 'ports'
    | 'targetPorts'
    | 'servicePorts'
    | 'policySpec'
    | 'networkSpec'
    | 'addresses'
    | 'meshRoots'
    | 'gitopsSpec'
    | 'variables'
    | 'fieldValues',
>(object: Mutable<ManifestObject>, field: Field, value: ManifestObject[Field] | undefined): void {
  if (value !== undefined) object[field] = value;
  else if (object[field] !== undefined) delete object[field];
}

/** Marks names of other objects as unknown, because a patch may replace them, and the tree does not contain them. */
function addUncertainReferences(object: Mutable<ManifestObject>, { scaleTarget, backends }: ManifestObject): void {
  const unknownName = (name: Written): Written => ({ ...name, value: { unknown: name.text } });
  if (scaleTarget !== undefined) object.scaleTarget = { ...scaleTarget, name: unknownName(scaleTarget.name) };
  if (backends !== undefined) object.backends = backends.map((each) => ({ ...each, name: unknownName(each.name) }));
}

/** Returns the value of a field in the metadata, which is the known value if the node is unchanged. */
function writtenAt(
  field: (typeof named)[number],
  known: Written | undefined,
  metadata: Node | undefined,
  before: Node | undefined,
): Written | undefined {
  const node = field === 'namespace' ? namespaceIn(metadata) : childOf(metadata, field);
  if (node?.kind !== 'scalar') return undefined;
  return known !== undefined && node === childOf(before, field) ? known : written(node);
}

/** Returns the facts of the catalogue about a kind or, for other kinds, facts derived from the written object. */
function factsOf(
  type: { readonly group: string; readonly version: string; readonly kind: string },
  { source, tree, patched }: Resource,
  catalogue: Catalogue,
): KindFact {
  const known = catalogue.kind(type.group, type.version, type.kind);
  if (known !== undefined && !known.learned) return known;
  const shaped = patched ? shapesOf(tree, type, known) : known;
  const selectors = new Map<string, SelectorFact>(shaped?.selectors.map((fact) => [fact.path, fact]));
  const labels = new Map<string, LabelField>(shaped?.labels.map((fact) => [fact.path, fact]));
  const templates = new Map<string, TemplateFact>(shaped?.templates.map((fact) => [fact.path, fact]));
  for (const { fact } of source.selectorSites) selectors.set(fact.path, fact);
  for (const { place } of source.labelSites) if (!place.path.startsWith('metadata.')) labels.set(place.path, place);
  for (const { fact } of source.templates) templates.set(fact.path, fact);
  return {
    group: type.group,
    kind: type.kind,
    versions: [],
    labelKeys: [],
    references: [],
    ...known,
    selectors: [...selectors.values()],
    labels: [...labels.values()],
    templates: [...templates.values()],
  };
}

/** Returns the site with the namespaces that are listed next to its selector: a patch may change them and keep the selector. */
function withNamespaces(site: SelectorSite, { source, tree, written: before }: Resource): SelectorSite {
  const { reach } = site.fact;
  if (typeof reach === 'string' || (reach.namesAt === undefined && reach.anyAt === undefined)) return site;
  const known = selectorAt(source.selectorSites, site.path);
  const isSame = [reach.namesAt, reach.anyAt].every((at) => {
    const path = at && concretePath(at, site.path);
    return path === undefined || nodeAt(tree, path) === nodeAt(before, path);
  });
  const namespaces = isSame && known !== undefined ? known.namespaces : namespaceNames(tree, reach, site.path);
  return namespaces === site.namespaces ? site : withSelectors({ ...site, namespaces });
}

/** Returns a template with its ports. If no patch changes the object, these are the ports in the file. */
function withPorts(template: TemplateSite, resource: Resource): TemplateSite {
  const { source, tree, patched } = resource;
  const before = source.templates.find(({ path }) => path === template.path)?.ports;
  if (before === undefined || (before === template.ports && !patched)) return template;
  const at = fieldPath(template.path);
  return { ...template, ports: patched ? portsIn(before, nodeAt(tree, template.path), at, resource) : before };
}

/** Returns the ports of a pod or template at a path of a patched object. Its tree contains all ports, but if a patch may change containers, names of ports are treated as unknown. */
function portsIn(
  before: ContainerPorts,
  pod: Node | undefined,
  at: FieldPath,
  { transformers }: Resource,
): ContainerPorts {
  const fields = ['containers', 'initContainers'].map((field) => [...at, 'spec', field]);
  if (!fields.some((field) => mayChangeField(transformers, field))) return before;
  const { names } = before;
  const network = pod && containerPorts(pod)?.network;
  return network === undefined ? { names, open: true } : { names, open: true, network };
}

/** Returns the object, marked as possibly having further labels and requirements; with `everything`, their values are unknown, too. */
function unknown(object: ManifestObject, uncertain: 'additions' | 'everything'): ManifestObject {
  const areKnown = uncertain === 'additions';
  const entriesOf = ({ entries }: LabelSite | SelectorSite) => (areKnown ? entries : entries.map(withUnknownValue));
  const open = (site: LabelSite): LabelSite => ({ ...site, entries: entriesOf(site), open: true });
  const labels = open(object.labels ?? emptyLabels(object));
  const { ports: _, policySpec, networkSpec, ...known } = object;
  const fieldValues = { [anyField]: { unknown: 'fields' } };
  const anything = { ...scalarOf('', object.kindSpan), pattern: '*' };
  const isUnknown = {
    ...(policySpec !== undefined && { policySpec: anything }),
    ...(networkSpec !== undefined && { networkSpec: anything }),
  };
  return {
    ...known,
    ...isUnknown,
    labels,
    fieldValues,
    labelSites: object.labelSites.map(open),
    templates: object.templates.map(({ ports: _, ...template }) => ({
      ...template,
      fieldValues,
      labels: open(template.labels ?? emptyLabels(object)),
    })),
    selectorSites: object.selectorSites.map((site) =>
      withSelectors({
        ...site,
        entries: entriesOf(site),
        data: areKnown ? site.data : unknownData(site.data),
        open: true,
      }),
    ),
  };
}

/** A patch that is not known may change the value of each entry. */
function withUnknownValue(entry: LabelEntry): LabelEntry {
  return { ...entry, value: { ...entry.value, value: { unknown: entry.value.text } } };
}

/** Returns the data of a selector with unknown values; its keys and operators stay. */
function unknownData(data: unknown, field?: string): unknown {
  if (Array.isArray(data)) return data.map((each) => unknownData(each));
  if (typeof data === 'object' && data !== null && !('unknown' in data))
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, unknownData(value, key)]));
  return field === undefined || field === 'key' || field === 'operator' ? data : { unknown: String(data) };
}

function emptyLabels({ kindSpan }: ManifestObject): LabelSite {
  const path = 'metadata.labels';
  return { path, place: { path, holds: 'labels' }, keySpan: kindSpan, span: kindSpan, entries: [], open: true };
}
