/** Collects the ports, keys and other parts of objects to which other objects, or the objects themselves, refer by name. */

import { getOrAdd } from '../engine/memoize.ts';
import type { ContainerPorts, DataKeys, ReferenceSite, ServicePort } from '../manifests/model.ts';
import { nodeAt } from '../manifests/sites/catalogue-paths.ts';
import { containerPorts, mayHaveMorePorts, servicePorts } from '../manifests/sites/ports.ts';
import { allReferenceSites, dataKeysOf } from '../manifests/sites/references.ts';
import type { MapNode } from '../manifests/yaml/tree.ts';
import type { Side } from '../workspace/base.ts';
import type { ObjectInFile, Workspace } from '../workspace/model.ts';
import type { ReferenceTarget } from '../workspace/references/model.ts';
import { isSameObject } from '../workspace/same-object.ts';
import { isRendered, type Scope } from '../workspace/scopes/model.ts';
import { type AppliedObject, type Sided, wholeTree } from './update-data.ts';

/** A reference to a part of an object that does not exist. */
export interface BrokenPart {
  /** The path of the reference in the catalogue, without list indexes. */
  readonly path: string;
  /** What the reference names. `pod port`: a port of the selected pods or Services. */
  readonly is: 'key' | 'port' | 'pod port' | 'volume' | 'resource claim' | 'container';
  readonly part: string;
  /** The object that lacks the part. */
  readonly kind: string;
  readonly name: string;
  /** Whether the object had the part before. */
  readonly existed: boolean;
  /** Whether the API server rejects the object for this reason. */
  readonly isRejected?: true;
}

/** An object that exists in both states. */
export interface SidedPair {
  readonly before: Sided;
  readonly after: Sided;
}

/** The parts of an object as it is applied. */
export interface ObjectParts {
  readonly tree: MapNode;
  /** The references to other objects, and to parts of objects. */
  readonly sites: readonly ReferenceSite[];
}

/** Returns the parts of an object; undefined if its content is unknown. */
export function partsOf(sided: Sided): ObjectParts | undefined {
  return getOrAdd(partsIn(sided), sided.applied, () => ({ parts: readParts(sided) })).parts;
}

interface KnownParts {
  readonly parts: ObjectParts | undefined;
}

/** A comparison asks for the parts of an object several times. */
const knownParts = new WeakMap<Workspace, WeakMap<AppliedObject, KnownParts>>();

function partsIn({ side }: Sided): WeakMap<AppliedObject, KnownParts> {
  return getOrAdd(knownParts, side.workspace, () => new WeakMap<AppliedObject, KnownParts>());
}

function readParts(sided: Sided): ObjectParts | undefined {
  const { side, applied } = sided;
  const { group, version, kind } = applied.object;
  const facts = side.catalogueOf(applied.file.uri).kind(group, version, kind);
  const tree = wholeTree(sided);
  return facts && tree && { tree, sites: allReferenceSites(tree, facts) };
}

/** Returns the keys of a ConfigMap or Secret, or of the object that a controller creates; undefined if they are unknown. */
export function keysIn(sided: Sided): DataKeys | undefined {
  const { side, applied } = sided;
  const { group, version, kind } = applied.object;
  const facts = side.catalogueOf(applied.file.uri).kind(group, version, kind);
  const tree = wholeTree(sided);
  if (facts === undefined || tree === undefined || tree.open) return undefined;
  return dataKeysOf(tree, facts) ?? { keys: [], open: false };
}

/** The ports of a Service. */
export interface PortsOfService {
  readonly ports: readonly ServicePort[];
  readonly open: boolean;
}

/** Returns the ports of a Service; undefined if the object is not a Service, or if its content is unknown. */
export function portsOfService(sided: Sided): PortsOfService | undefined {
  if (!isService(sided.applied)) return undefined;
  const tree = wholeTree(sided);
  return tree && { ports: servicePorts(tree), open: mayHaveMorePorts(tree) };
}

export function isService({ object }: ObjectInFile): boolean {
  return object.kind === 'Service' && object.group === '';
}

/** Returns the ports that the pods of a template declare, or a pod itself if `via` is undefined; undefined if they are unknown. */
export function podPortsIn(sided: Sided, via: string | undefined): ContainerPorts | undefined {
  const tree = wholeTree(sided);
  const pod = tree && (via === undefined ? tree : nodeAt(tree, via));
  return pod && containerPorts(pod);
}

/** Returns an object as a scope applies it; empty if it applies it not at all. */
export function appliedVersions(
  { workspace, catalogueOf }: Side,
  scope: Scope | undefined,
  where: ObjectInFile,
): readonly AppliedObject[] {
  if (scope === undefined || !isRendered(scope)) return [where];
  const rendering = workspace.rendering(scope.path, catalogueOf(scope.path));
  if (rendering === undefined) return [];
  return rendering.objects.filter((each) => isSameObject(each, where)).map((each) => ({ ...each, builtBy: scope }));
}

/** Returns the versions of a target of a reference; undefined for a target that is in no file. */
export function targetVersions(
  side: Side,
  scope: Scope | undefined,
  { is, file, object }: ReferenceTarget,
): readonly AppliedObject[] | undefined {
  return is === 'generator' || object === undefined ? undefined : appliedVersions(side, scope, { file, object });
}
