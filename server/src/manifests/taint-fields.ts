/** Names the fields that contain taints. */

/** The fields for taints: of Nodes and most pools, of Karpenter, of pools of GKE, of flavors of Kueue, and of kubelets. */
export const taintFields: ReadonlySet<string> = new Set([
  'taints',
  'startupTaints',
  'taint',
  'nodeTaints',
  'registerWithTaints',
]);
