/** Distinguishes API groups that the API server itself serves from those of custom resources. */

/** The groups below k8s.io that the API server itself serves; all other groups below k8s.io are of custom resources. */
const builtInGroups: ReadonlySet<string> = new Set(
  [
    'admissionregistration',
    'apiextensions',
    'apiregistration',
    'authentication',
    'authorization',
    'certificates',
    'coordination',
    'discovery',
    'events',
    'flowcontrol.apiserver',
    'internal.apiserver',
    'networking',
    'node',
    'rbac.authorization',
    'resource',
    'scheduling',
    'storage',
    'storagemigration',
  ].map((name) => `${name}.k8s.io`),
);

/** Whether the API server itself serves a group. Groups of custom resources have a dot in their names. */
export function isBuiltIn(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}
