/** A graph of objects, with edges for selector matches, scaled workloads, routed requests, and references by name. */

import type { Family, GraphEdge, GraphNode } from '../../drawing/graph.ts';
import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isUnknown } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, ReferenceSite, SelectorSite, Written } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { EffectiveObject, ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { ClusterObject } from '../../workspace/reach/cluster-object.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { effectiveNamespace, storedNamespace } from '../../workspace/selection/namespaces.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { FileSpan } from '../locations.ts';
import { nameOf, objectName } from '../presentation/object-names.ts';
import { selectorDescription } from '../presentation/selector-description.ts';
import { possibleMatches } from '../selected/other-values.ts';

export interface ObjectNode {
  readonly node: GraphNode;
  readonly where: ObjectInFile;
}

export interface ObjectEdge {
  readonly edge: GraphEdge;
  readonly place: FileSpan;
  /** The path of the template that creates the selected objects. */
  readonly via?: string;
}

export interface ObjectGraph {
  readonly nodes: readonly ObjectNode[];
  readonly edges: readonly ObjectEdge[];
  /** Whether edges are missing because there are too many or because the comparison limit was reached. */
  readonly isCut: boolean;
}

export interface GraphOptions {
  /** The workspace with the objects as they are in the files, before kustomizations change them. */
  readonly workspace: Workspace;
  readonly catalogueOf: (uri: string) => Catalogue;
  /** Counts and limits the comparisons of selectors with objects. */
  readonly comparisons: Comparisons;
  /** Whether to add references by name, for example from a workload to its ConfigMaps. */
  readonly references?: boolean;
  /** Whether to include an edge. By default, all edges are included. */
  readonly isWanted?: (owner: ClusterObject, target: ObjectInFile) => boolean;
  /** Returns the namespace of a node. By default, this is the namespace that the object sets. */
  readonly namespaceOf?: (where: ClusterObject | ObjectInFile) => string | undefined;
}

/** The maximum number of edges; drawing tools do not support more. */
const maximumEdges = 20_000;

/** Returns the edges that start at the given objects, and the nodes at both ends of the edges. */
export function objectGraph(owners: readonly ClusterObject[], options: GraphOptions): ObjectGraph {
  const builder = new GraphBuilder(owners, options);
  for (const owner of owners) if (!builder.add(owner)) break;
  return builder.finished();
}

/** Whether an object is drawn even without an edge. */
export function isShownAlone({
  templates,
  ports,
  servicePorts,
  policySpec,
  scaleTarget,
  backends,
  ...object
}: ManifestObject) {
  const hasPart = [servicePorts, policySpec, scaleTarget, backends, ports].some((part) => part !== undefined);
  return (
    object.forCluster &&
    !object.inline &&
    !object.inValues &&
    (hasPart || templates.length > 0 || object.selectorSites.length > 0)
  );
}

export function mayHaveEdges(object: ManifestObject): boolean {
  return (
    isShownAlone(object) || (object.forCluster && !object.inline && !object.inValues && object.references !== undefined)
  );
}

export class GraphBuilder {
  readonly #options: GraphOptions;
  readonly #named: ReadonlyMap<string, readonly ClusterObject[]>;
  readonly #nodes = new Map<string, ObjectNode>();
  readonly #edges = new Map<string, ObjectEdge>();
  #isFull = false;

  constructor(owners: readonly ClusterObject[], options: GraphOptions) {
    this.#options = options;
    const named = new Map<string, ClusterObject[]>();
    for (const owner of owners)
      for (const name of namesOf(owner, options.workspace))
        getOrAdd(named, `${owner.object.kind}/${name}`, (): ClusterObject[] => []).push(owner);
    this.#named = named;
  }

  /** Adds the edges that start at an object; returns false once the maximum number of edges is reached. */
  add(owner: ClusterObject): boolean {
    const { catalogueOf, comparisons, isWanted = () => true } = this.#options;
    const { object } = owner;
    const catalogue = catalogueOf(owner.file.uri);
    for (const site of object.selectorSites) {
      const selection = comparisons.leaveOut()
        ? undefined
        : selectionOf(owner.workspace, catalogue, owner, site, comparisons);
      const drawn = (matches: readonly Match[] = []) =>
        matches.filter((match) => match.object !== object && isWanted(owner, match));
      for (const match of drawn(selection?.matches)) this.#addSelection(owner, site, match, true);
      const { maybe } = possibleMatches(site, drawn(selection?.maybe));
      for (const match of maybe) this.#addSelection(owner, site, match, false);
    }
    for (const each of this.#references(owner)) if (isWanted(owner, each.target)) this.#addReference(owner, each);
    if (this.#options.references === true) this.#addNamed(owner, catalogue);
    return !this.#isFull;
  }

  /** Returns the node of an object, after adding it to the graph if necessary. */
  nodeOf(where: ObjectInFile): ObjectNode {
    const { catalogueOf, namespaceOf } = this.#options;
    const { file, object } = where;
    const namespace = namespaceOf === undefined ? storedNamespace(catalogueOf(file.uri), where) : namespaceOf(where);
    // An object of a base has a separate node for each overlay that changes its name or namespace.
    const key = [file.uri, object.kindSpan.start, namespace, object.name?.text].join('\n');
    return getOrAdd(this.#nodes, key, () => ({ node: nodeOf(object, namespace, `n${this.#nodes.size + 1}`), where }));
  }

  addEdge(edge: GraphEdge, location: FileSpan, via?: string): void {
    if (this.#edges.size >= maximumEdges) {
      this.#isFull = true;
      return;
    }
    const key = [edge.from, edge.to, edge.relation, edge.label, via].join('\n');
    if (this.#edges.get(key)?.edge.certain !== true)
      this.#edges.set(key, { edge, place: location, ...(via !== undefined && { via }) });
  }

  finished(): ObjectGraph {
    const isCut = this.#isFull || this.#options.comparisons.isIncomplete;
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()], isCut };
  }

  #addSelection(owner: ClusterObject, site: SelectorSite, match: Match, certain: boolean): void {
    if (this.#isFull) return;
    const { via } = match.labeledObject;
    const [from, to] = [this.nodeOf(owner).node.id, this.nodeOf(match).node.id];
    const isPeer = owner.object.policySpec !== undefined && /^spec\.(?:ingress|egress)\[/.test(site.path);
    const ends = isPeer ? peerText(owner, match, certain) : selectionText(owner, match, certain);
    const why = certain ? selectorDescription(site).selector || localize`an empty selector` : match.reasons.join(', ');
    const reason = why === '' ? ends : `${ends}: ${why}`;
    this.addEdge(
      { from, to, relation: isPeer ? 'peer' : 'selects', label: site.path, certain, reason },
      { file: owner.file, span: site.keySpan },
      via,
    );
  }

  #addReference(owner: ClusterObject, { target, relation, path, name, certain }: Reference): void {
    const [from, to] = [this.nodeOf(owner).node.id, this.nodeOf(target).node.id];
    const verb = relation === 'scales' ? 'scales' : localize`sends requests to`;
    const reason = `${objectName(owner.object)} ${certain ? verb : localize`possibly ${verb}`} ${objectName(target.object)}`;
    this.addEdge({ from, to, relation, label: path, certain, reason }, locationOfName(owner, name));
  }

  /**
   * Adds edges to the objects that an object refers to by name, unless a different edge already represents the
   * reference.
   */
  #addNamed(owner: ClusterObject, catalogue: Catalogue): void {
    const { workspace, comparisons, isWanted = () => true } = this.#options;
    const { scaleTarget, backends = [] } = owner.object;
    const drawn = new Set([scaleTarget, ...backends].map((each) => each?.name.span.start));
    const source = this.#sourceOf(owner);
    for (const site of source === undefined ? [] : [...(source.object.references ?? []), ...patchedReferences(owner)]) {
      if (source === undefined || drawn.has(site.name.span.start) || comparisons.leaveOut()) continue;
      for (const found of targetsOf(workspace, catalogue, source, site)) {
        if (found.relation !== 'here') continue;
        for (const target of appliedTargets(owner, found)) {
          if (!isWanted(owner, target)) continue;
          const [from, to] = [this.nodeOf(owner).node.id, this.nodeOf(target).node.id];
          const certain = found.answer === 'yes';
          const verb = certain ? localize`refers to` : localize`may refer to`;
          const name = objectName(target.object);
          const named = found.is === 'producer' ? localize`${found.kind}/${found.name}, created by ${name}` : name;
          const reason = `${objectName(owner.object)} ${verb} ${named}`;
          const edge: GraphEdge = { from, to, relation: 'references', label: site.path, certain, reason };
          if (from !== to) this.addEdge(edge, locationOfName(owner, site.name));
        }
      }
    }
  }

  /**
   * Returns the object as it is written in its file, because names are resolved before a kustomization changes them.
   */
  #sourceOf({ file, object, workspace }: ClusterObject): ObjectInFile | undefined {
    if (workspace.appliedBy === undefined) return { file, object };
    const written = this.#options.workspace.files.get(file.uri);
    const source = written?.manifest.objects.find(({ kindSpan }) => kindSpan.start === object.kindSpan.start);
    return written && source && { file: written, object: source };
  }

  #references(owner: ClusterObject): readonly Reference[] {
    const { scaleTarget, backends = [] } = owner.object;
    const scaled =
      scaleTarget === undefined
        ? []
        : this.#targets(owner, scaleTarget.kind, scaleTarget.name)
            .filter(({ target }) => isStoredAs(target.object, scaleTarget))
            .map(
              (found): Reference => ({ ...found, relation: 'scales', path: 'scaleTargetRef', name: scaleTarget.name }),
            );
    const routed = backends.flatMap(({ path, name, namespace }) =>
      this.#targets(owner, serviceKind, name, namespace)
        .filter(({ target }) => target.object.group === '')
        .map((found): Reference => ({ ...found, relation: 'routes', path, name })),
    );
    return [...scaled, ...routed];
  }

  /**
   * Returns the objects of a kind that a name refers to, in the given namespace or else in the namespace of the owner.
   */
  #targets(owner: ClusterObject, kind: string, name: Written, namespace?: Written) {
    const home = namespace?.text ?? this.#namespaceOf(owner);
    const place = placeOf(owner);
    const isHere = (target: ClusterObject) =>
      target.workspace === owner.workspace &&
      owner.workspace.scopes().relation(place, placeOf(target), target) === 'here';
    const found = this.#named.get(`${kind}/${name.text}`) ?? [];
    const certain = !isUnknown(name.value) && (namespace === undefined || !isUnknown(namespace.value));
    return found
      .filter((target) => this.#namespaceOf(target) === home && isHere(target))
      .map((target) => ({ target, certain }));
  }

  #namespaceOf(where: ClusterObject): string | undefined {
    return effectiveNamespace(where.workspace, this.#options.catalogueOf(where.file.uri), where)?.text;
  }
}

/** Returns a clause such as `Service/web selects the pods of Deployment/web`. */
function selectionText(owner: ObjectInFile, match: Match, certain: boolean): string {
  return `${objectName(owner.object)} ${certain ? 'selects' : localize`may select`} ${matchText(match)}`;
}

/** Returns a clause such as `The pods of Deployment/web are a peer in NetworkPolicy/db`. */
function peerText(owner: ObjectInFile, match: Match, certain: boolean): string {
  const be = match.labeledObject.via === undefined ? 'is' : 'are';
  const text = matchText(match);
  return localize`${text.charAt(0).toUpperCase()}${text.slice(1)} ${certain ? be : localize`may be`} a peer in ${objectName(owner.object)}`;
}

function matchText({ labeledObject, object }: Match): string {
  return `${labeledObject.via === undefined ? '' : localize`the pods of `}${objectName(object)}`;
}

function patchedReferences(
  owner: ClusterObject & Partial<Pick<EffectiveObject, 'transformers'>>,
): readonly ReferenceSite[] {
  const patches = owner.transformers?.flatMap((each) => (each.kind === 'merge' ? [each.object] : [])) ?? [];
  return patches.flatMap(({ references = [] }) => references);
}

/** Returns the targets of a reference, as applied by the kustomization that applies the owner. */
function appliedTargets(
  { workspace }: ClusterObject,
  { file, object, kind, name }: ReferenceTarget,
): readonly ObjectInFile[] {
  if (workspace.appliedBy === undefined) return object === undefined ? [] : [{ file, object }];
  const applied = workspace.files.get(file.uri);
  const objects = applied?.manifest.objects ?? [];
  // Kustomize appends a hash to the name of a generated object.
  const found = objects.filter((each) =>
    object === undefined
      ? each.kind === kind && each.name?.text.includes(name) === true
      : each.kindSpan.start === object.kindSpan.start,
  );
  return applied === undefined ? [] : found.map((each) => ({ file: applied, object: each }));
}

interface Reference {
  readonly target: ClusterObject;
  readonly relation: 'scales' | 'routes';
  readonly path: string;
  readonly name: Written;
  readonly certain: boolean;
}

const serviceKind = 'Service';

/** Returns the names by which references can name an object: its applied name, and the name in its file, which kustomize replaces in references when it renames the object. */
function namesOf({ file, object, workspace }: ClusterObject, written: Workspace): ReadonlySet<string> {
  const before =
    workspace.appliedBy === undefined
      ? undefined
      : written.files.get(file.uri)?.manifest.objects.find(({ kindSpan }) => kindSpan.start === object.kindSpan.start);
  return new Set([object, before].flatMap((each) => (each?.name === undefined ? [] : [each.name.text])));
}

function locationOfName(owner: ObjectInFile, { span, origin }: Written): FileSpan {
  return { file: owner.file, span: origin === undefined ? span : nameSpan(owner.object) };
}

function nodeOf(object: ManifestObject, namespace: string | undefined, id: string): GraphNode {
  return {
    id,
    kind: object.kind,
    family: familyOf(object),
    ...(namespace !== undefined && { namespace }),
    name: nameOf(object),
    labels: knownLabels(object),
  };
}

function familyOf(object: ManifestObject): Family {
  if (object.policySpec !== undefined) return 'policy';
  if (object.servicePorts !== undefined) return 'service';
  if (object.backends !== undefined) return 'route';
  if (object.scaleTarget !== undefined) return 'autoscaler';
  return object.templates.length > 0 || object.ports !== undefined ? 'workload' : 'other';
}

function knownLabels({ labels }: ManifestObject): Readonly<Record<string, string>> {
  const entries = labels?.entries ?? [];
  return Object.fromEntries(
    entries.flatMap(({ key, value }) => (typeof value.value === 'string' ? [[key.text, value.value]] : [])),
  );
}

/** Whether an object is of the group and kind of a reference, whose group may be unknown. */
function isStoredAs(
  object: ManifestObject,
  { group, kind }: { readonly group?: string; readonly kind: string },
): boolean {
  return group === undefined || storedGroup(object) === storedGroup({ group, kind });
}
