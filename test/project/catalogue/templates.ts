/**
 * Who makes what, and which labels does the maker set itself? Built-in controllers set a few and nothing else; of an
 * operator we list what it is known to set, and leave the rest open.
 */

import type { GroupKind } from '../../../server/src/engine/catalogue/types.ts';
import type { Mount, TemplateRow } from './records.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };
const claim: GroupKind = { group: '', kind: 'PersistentVolumeClaim' };
const job: GroupKind = { group: 'batch', kind: 'Job' };

const jobLabels = [
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'job-name',
];
/** The Job's own pods: the name of the Job is in the file. */
const namedJobLabels = jobLabels.map((key) => (key.endsWith('job-name') ? `${key}=@` : key));
const setLabels = ['controller-revision-hash', 'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'];
const daemonLabels = ['controller-revision-hash', 'pod-template-generation'];

/** A workload that adds these labels and no others. */
function closed(path: string, sets: readonly string[] = [], makes = pod): TemplateRow {
  return { path, makes, open: false, ...(sets.length > 0 ? { sets } : {}) };
}

/** A maker that adds these labels and perhaps others. `labelsAt` where the file can ask for labels, '' if it cannot. */
function open(path: string, sets: readonly string[] = [], labelsAt?: string, makes = pod): TemplateRow {
  return {
    path,
    makes,
    open: true,
    ...(sets.length > 0 ? { sets } : {}),
    ...(labelsAt === undefined ? {} : { labelsAt }),
  };
}

/** By `group/Kind`. They replace what the facts say of the same place. */
export const TEMPLATES: Readonly<Record<string, readonly TemplateRow[]>> = {
  // Kubernetes.
  '/ReplicationController': [closed('spec.template')],
  '/PodTemplate': [open('template')],
  'apps/Deployment': [closed('spec.template', ['pod-template-hash'])],
  'apps/ReplicaSet': [closed('spec.template')],
  'apps/DaemonSet': [closed('spec.template', daemonLabels)],
  // Each claim also gets the selector's labels.
  'apps/StatefulSet': [closed('spec.template', setLabels), open('spec.volumeClaimTemplates[]', [], undefined, claim)],
  'extensions/Deployment': [closed('spec.template', ['pod-template-hash'])],
  'extensions/ReplicaSet': [closed('spec.template')],
  'extensions/DaemonSet': [closed('spec.template', daemonLabels)],
  'batch/Job': [closed('spec.template', namedJobLabels)],
  'batch/CronJob': [closed('spec.jobTemplate', [], job), closed('spec.jobTemplate.spec.template', jobLabels)],
};

const template = (path: string): Mount => ({ path, part: 'PodTemplateSpec' });
const peers: readonly Mount[] = ['spec.ingress[].from[]', 'spec.egress[].to[]'].map((path) => ({
  path,
  part: 'NetworkPolicyPeer',
}));

/** Where the types that occur in many kinds sit in kinds that the list of embedded types leaves out. */
export const MOUNTS: Readonly<Record<string, readonly Mount[]>> = {
  '/Pod': [{ path: 'spec', part: 'PodSpec' }],
  '/PodTemplate': [template('template')],
  '/ReplicationController': [template('spec.template')],
  '/PersistentVolumeClaim': [{ path: 'spec', part: 'PersistentVolumeClaimSpec' }],
  'apps/Deployment': [template('spec.template')],
  'apps/ReplicaSet': [template('spec.template')],
  'apps/DaemonSet': [template('spec.template')],
  'apps/StatefulSet': [
    template('spec.template'),
    { path: 'spec.volumeClaimTemplates[]', part: 'PersistentVolumeClaimTemplate' },
  ],
  'extensions/Deployment': [template('spec.template')],
  'extensions/ReplicaSet': [template('spec.template')],
  'extensions/DaemonSet': [template('spec.template')],
  'batch/Job': [template('spec.template')],
  'batch/CronJob': [template('spec.jobTemplate.spec.template')],
  'networking.k8s.io/NetworkPolicy': peers,
  'extensions/NetworkPolicy': peers,
};
