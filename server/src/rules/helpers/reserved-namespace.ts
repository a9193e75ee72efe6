/** The prefix of namespaces that is reserved for Kubernetes. */

import { localize } from '../../text/localize.ts';

const reserved = 'kube-';
const builtIn: ReadonlySet<string> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** Whether the name of a namespace is reserved for namespaces of the system, and is none of them. */
export function isReserved(name: string): boolean {
  return name.startsWith(reserved) && !builtIn.has(name);
}

export function reservedMessage(): string {
  return localize`Namespace names that begin with '${reserved}' are reserved for Kubernetes; use another name.`;
}
