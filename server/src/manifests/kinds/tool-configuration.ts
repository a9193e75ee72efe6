/** Distinguishes objects in the cluster from configuration files of tools, which can also have `apiVersion` and `kind`. */

import { childOf, type Node } from '../yaml/tree.ts';

/** API groups whose documents configure a tool and are never stored by the API server. */
const toolGroups = new Set([
  'kustomize.config.k8s.io',
  'kubeadm.k8s.io',
  'kubelet.config.k8s.io',
  'kubeproxy.config.k8s.io',
  'kubescheduler.config.k8s.io',
  'kubecontrolplane.config.k8s.io',
  'apiserver.config.k8s.io',
  'apiserver.k8s.io',
  'audit.k8s.io',
  'client.authentication.k8s.io',
  'controller-runtime.sigs.k8s.io',
  'admission.k8s.io',
  'kind.x-k8s.io',
  'k3d.io',
  'kops.k8s.io',
  'skaffold',
  'eksctl.io',
  'ctlptl.dev',
  'cli.kyverno.io',
  'chainsaw.kyverno.io',
  'kuttl.dev',
  'backstage.io',
  'scaffolder.backstage.io',
  'kpt.dev',
  'meta.pkg.crossplane.io',
  'krew.googlecontainertools.github.com',
  'garden.io',
  'gator.gatekeeper.sh',
  'test.gatekeeper.sh',
]);

interface Type {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Whether a document is an object in the cluster. `root` distinguishes a kubeconfig from other kinds that are named `Config`. */
export function isForCluster({ group, version, kind }: Type, root: Node): boolean {
  // The transformers and generators of kustomize have the API version `builtin`.
  if (group === '' && version === 'builtin') return false;
  // Other kinds of clusterctl are stored in the cluster.
  if (toolGroups.has(group) || (group === 'clusterctl.cluster.x-k8s.io' && kind === 'Metadata')) return false;
  if (group === '' && kind === 'Config') return childOf(root, 'clusters') === undefined;
  return kind !== 'Kustomization' || group !== '';
}
