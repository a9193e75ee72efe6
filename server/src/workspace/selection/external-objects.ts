/** Objects that exist in the cluster without a manifest: objects that a configuration declares, and objects that exist in every cluster. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import { readManifest, readObject } from '../../manifests/parse-manifest.ts';
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  treeSizeOf,
} from '../../manifests/yaml/tree.ts';
import type { Config } from '../../settings/read-config.ts';
import { lineTable } from '../../text/lines.ts';
import type { WorkspaceFile } from '../model.ts';
import { everyCluster, initialNamespaces } from '../scopes/model.ts';

/** Returns the external objects that a configuration declares, at their positions in the configuration. */
export function externalsOf(config: Config, catalogue: Catalogue): Manifest {
  const objects = config.externals.objects.flatMap((node) => readObject(asManifest(node), catalogue));
  return { objects, documents: 1, syntaxErrors: 0 };
}

/** Converts `{ kind: Pod, name: a, labels: {} }` to the form of a manifest; every node keeps its position. */
function asManifest(node: Node): Node {
  if (node.kind !== 'map') return node;
  const kept = node.entries.filter(({ key }) => !['group', 'namespace', 'name', 'labels'].includes(key.text));
  const metadata = entryOf(node, 'metadata');
  const short = ['namespace', 'name', 'labels'].flatMap((key) => entryOf(node, key) ?? []);
  const described = metadata?.value.kind === 'map' ? metadata.value.entries : [];
  const entries = kept.filter((entry) => entry !== metadata);
  const key = metadata?.key ?? scalarLike(node, 'metadata');
  entries.push({ key, value: mapLike(node, [...described, ...short]), merged: false, conditional: false });
  if (entryOf(node, 'apiVersion') === undefined) {
    const group = entryOf(node, 'group')?.value;
    const version = group?.kind === 'scalar' && group.text !== '' ? `${group.text}/v1` : 'v1';
    const value = scalarLike(group ?? node, version);
    entries.unshift({ key: scalarLike(node, 'apiVersion'), value, merged: false, conditional: false });
  }
  return mapLike(node, entries);
}

function mapLike(node: Node, entries: readonly MapEntry[]): MapNode {
  return { kind: 'map', span: node.span, flow: true, entries, open: false, treeSize: treeSizeOf(node) };
}

function scalarLike({ span }: Node, text: string): ScalarNode {
  return { kind: 'scalar', span: { start: span.start, end: span.start }, text, style: 'plain', type: 'string' };
}

const inEveryCluster = [
  ...initialNamespaces.map((name) => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n  labels: {}\n`),
  `apiVersion: v1
kind: Pod
metadata:
  generateName: coredns-
  namespace: kube-system
  labels:
    k8s-app: kube-dns
`,
].join('---\n');

/** Returns a file, which does not exist on disk, with the objects that exist in every cluster: its initial namespaces, and the pods of its DNS service. */
export function everyClusterFile(catalogue: Catalogue): WorkspaceFile {
  const { objects, documents, syntaxErrors } = readManifest(inEveryCluster, catalogue);
  return {
    uri: everyCluster,
    lines: lineTable(inEveryCluster),
    manifest: { objects: objects.map(withMoreLabels), documents, syntaxErrors },
    scope: { identities: [], objects: 0, templates: [], openBecause: [] },
    objects: 0,
  };
}

/** Returns an object to which a cluster may add further labels. */
function withMoreLabels(object: ManifestObject): ManifestObject {
  const labelSites = object.labelSites.map((site) => ({ ...site, open: true, parts: [''] }));
  return { ...object, labelSites, ...(labelSites[0] && { labels: labelSites[0] }) };
}
