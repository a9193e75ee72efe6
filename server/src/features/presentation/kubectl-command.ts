/** Builds the kubectl command that lists the objects that a selector of a manifest matches in a cluster. */

import {
  format,
  isLabelKey,
  isLabelValue,
  isUnknown,
  type Requirement,
  type Selector,
  validateName,
} from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { namespaceOf } from '../../workspace/selection/namespaces.ts';
import { namedNamespaceOf, selectsInOwnNamespace } from '../../workspace/selection/own-namespace.ts';
import type { FileView } from '../view.ts';

/** Returns the kubectl command that lists the matches of a selector. Users paste it into a shell, so it contains only names that are valid in Kubernetes: these contain neither control characters nor characters with a meaning in shells. Undefined if the selector has no requirements or selects any kind, or if a name in the command would be unknown or invalid. */
export function kubectlCommand(
  view: FileView,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): string | undefined {
  const target = site.fact.targets[0];
  // A selector of a command is already part of a command line.
  if (target === undefined || target.kind === '*' || owner.object.inline) return undefined;
  const query = labelQuery(selector);
  const namespace = namespaceFlag(view, owner, site);
  const fact = view.catalogue.kind(target.group, '', target.kind);
  const resource = fact?.plural ?? target.kind.toLowerCase();
  if (query === undefined || namespace === undefined || !isDnsLabel(resource)) return undefined;
  return `kubectl get ${resource}${namespace} ${query}`;
}

/**
 * Returns `-l` and a label selector as a shell word; undefined if kubectl would not accept it, or if there are no
 * requirements.
 */
export function labelQuery(selector: Selector): string | undefined {
  if (selector.kind !== 'all' || selector.requirements.length === 0) return undefined;
  return selector.requirements.every(isValid) ? `-l ${format(selector, 'kubectl')}` : undefined;
}

/** Whether kubectl accepts a requirement; it rejects values that a template fills in. */
function isValid({ key, values }: Requirement): boolean {
  return isLabelKey(key) && values.every((value) => !isUnknown(value) && isLabelValue(value));
}

/** Returns the namespace option, which is `-A` for a selector that covers several namespaces; undefined if the name of the namespace is invalid. */
function namespaceFlag(view: FileView, owner: ObjectInFile, site: SelectorSite): string | undefined {
  const { reach } = site.fact;
  if (reach === 'cluster' || reach === 'unknown') return '';
  const isOwn = selectsInOwnNamespace(owner.object, site);
  const namespace = isOwn ? namespaceOf(view.workspace, owner)?.value : namedNamespaceOf(owner.object, site);
  if (typeof namespace !== 'string') return isOwn ? '' : ' -A';
  return isDnsLabel(namespace) ? ` -n ${namespace}` : undefined;
}

/** Whether a name is valid for namespaces and resources; a valid name cannot be mistaken for an option. */
function isDnsLabel(name: string): boolean {
  return validateName('dns1123Label', name).length === 0;
}
