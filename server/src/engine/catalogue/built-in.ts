/** Does the API server itself serve a group, or does somebody define it? */

/** The groups below k8s.io that the API server itself serves; others are of custom resources. */
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

/** A group of custom resources has a dot in its name. */
export function isBuiltIn(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}
