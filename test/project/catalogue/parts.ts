/** What is inside the types of Kubernetes that occur in many kinds: a pod template, an affinity, a network peer? */

import { emptyRecord, type PartRecord, type SelectorRow } from './records.ts';

const pod = { group: '', kind: 'Pod' };
const volume = { group: '', kind: 'PersistentVolume' };
const claim = { group: '', kind: 'PersistentVolumeClaim' };
const node = { group: '', kind: 'Node' };
const namespace = { group: '', kind: 'Namespace' };

const plain = { mustMatchTemplate: false, immutable: false, plain: true };

/** A selector of nodes; absent, every node will do. */
function nodes(path: string, form: SelectorRow['form'], absent: SelectorRow['absent'], empty: SelectorRow['empty']) {
  return { ...plain, path, form, targets: [node], reach: 'cluster', absent, null: absent, empty } as const;
}

/** A selector of pods that matches none when it is not there. */
function pods(path: string, reach: SelectorRow['reach']): SelectorRow {
  return {
    ...plain,
    path,
    form: 'labelSelector',
    targets: [pod],
    reach,
    absent: 'nothing',
    null: 'nothing',
    empty: 'all',
  };
}

/** The claim's selector: any, even an empty one, stops dynamic provisioning, but it still matches every volume. */
function claimSelector(path: string): SelectorRow {
  const means = { absent: 'all', null: 'all', empty: 'all' } as const;
  return { ...plain, ...means, path, form: 'labelSelector', targets: [volume], reach: 'cluster' };
}

const affinityTerm = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerm = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The parts, by the names that the facts use. A part that others mount comes first. */
export const PARTS: Readonly<Record<string, PartRecord>> = {
  PodAffinityTerm: {
    ...emptyRecord(),
    selectors: [
      pods('labelSelector', ['^namespaceSelector', '^namespaces']),
      {
        ...plain,
        path: 'namespaceSelector',
        form: 'labelSelector',
        targets: [namespace],
        reach: 'cluster',
        absent: 'ownNamespace',
        null: 'ownNamespace',
        empty: 'all',
      },
    ],
    labelKeys: [
      { path: 'topologyKey', of: node },
      { path: 'matchLabelKeys[]', of: pod },
      { path: 'mismatchLabelKeys[]', of: pod },
    ],
  },
  Affinity: {
    ...emptyRecord(),
    selectors: [
      nodes(`nodeAffinity.${affinityTerm}`, 'nodeSelector', 'all', 'invalid'),
      nodes(`nodeAffinity.${preferredTerm}[].preference`, 'nodeSelectorTerm', 'invalid', 'notFiltered'),
    ],
    mounts: ['podAffinity', 'podAntiAffinity'].flatMap((side) => [
      { path: `${side}.${affinityTerm}[]`, part: 'PodAffinityTerm' },
      { path: `${side}.${preferredTerm}[].podAffinityTerm`, part: 'PodAffinityTerm' },
    ]),
  },
  TopologySpreadConstraint: {
    ...emptyRecord(),
    selectors: [pods('labelSelector', 'own')],
    labelKeys: [
      { path: 'topologyKey', of: node },
      { path: 'matchLabelKeys[]', of: pod },
    ],
  },
  PersistentVolumeClaimSpec: { ...emptyRecord(), selectors: [claimSelector('selector')] },
  PersistentVolumeClaimTemplate: {
    ...emptyRecord(),
    labels: [{ path: 'metadata', holds: 'both', of: claim }],
    templates: [{ path: '', makes: claim, open: true }],
    mounts: [{ path: 'spec', part: 'PersistentVolumeClaimSpec' }],
  },
  Volume: {
    ...emptyRecord(),
    selectors: [
      {
        ...plain,
        path: 'projected.sources[].clusterTrustBundle.labelSelector',
        form: 'labelSelector',
        targets: [{ group: 'certificates.k8s.io', kind: 'ClusterTrustBundle' }],
        reach: 'cluster',
        absent: 'nothing',
        null: 'nothing',
        empty: 'all',
      },
    ],
    templates: [{ path: 'ephemeral.volumeClaimTemplate', makes: claim, open: false }],
    mounts: [{ path: 'ephemeral.volumeClaimTemplate', part: 'PersistentVolumeClaimTemplate' }],
  },
  PodSpec: {
    ...emptyRecord(),
    selectors: [nodes('nodeSelector', 'nodeSelectorMap', 'all', 'all')],
    mounts: [
      { path: 'affinity', part: 'Affinity' },
      { path: 'topologySpreadConstraints[]', part: 'TopologySpreadConstraint' },
      { path: 'volumes[]', part: 'Volume' },
    ],
  },
  PodTemplateSpec: {
    ...emptyRecord(),
    // Spread among its own kind: the selector should match the template's labels.
    selectors: [
      { ...pods('spec.topologySpreadConstraints[].labelSelector', 'own'), templateLabelsAt: 'metadata.labels' },
    ],
    labels: [{ path: 'metadata', holds: 'both', of: pod }],
    // Whoever embeds a pod template may add labels of its own.
    templates: [{ path: '', makes: pod, open: true }],
    mounts: [{ path: 'spec', part: 'PodSpec' }],
  },
  JobSpec: {
    ...emptyRecord(),
    selectors: [
      {
        ...pods('selector', 'own'),
        absent: 'unknown',
        null: 'unknown',
        empty: 'unknown',
        // Whoever makes the Job: the API server makes its selector, and refuses another one.
        ignored: '^manualSelector!=true',
        refused: true,
        filledFrom: 'generated',
        templateLabelsAt: 'template.metadata.labels',
        mustMatchTemplate: true,
        immutable: true,
      },
    ],
    mounts: [{ path: 'template', part: 'PodTemplateSpec' }],
  },
  NetworkPolicyPeer: {
    ...emptyRecord(),
    selectors: [
      { ...pods('podSelector', ['^namespaceSelector']), absent: 'all', null: 'all' },
      {
        ...plain,
        path: 'namespaceSelector',
        form: 'labelSelector',
        targets: [namespace],
        reach: 'cluster',
        absent: 'ownNamespace',
        null: 'ownNamespace',
        empty: 'all',
      },
    ],
  },
};
