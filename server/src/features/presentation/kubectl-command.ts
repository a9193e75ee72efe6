/** The kubectl command that lists what a selector of a manifest matches in a cluster. */

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
import { namespaceOf, selectsInOwnNamespace } from '../../workspace/selection/namespaces.ts';
import type { FileView } from '../view.ts';

/**
 * The command that lists the matches of a selector. It is meant to be pasted into a shell, so every name in it is one
 * that the API server accepts: such names contain neither characters with a meaning in shells nor control characters.
 * @returns undefined for a selector without requirements, with an unknown value, or with a key or value that is not
 * valid, and if the resource or the namespace is unknown or not valid
 */
export function kubectlCommand(
  view: FileView,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): string | undefined {
  const target = site.fact.targets[0];
  // The selector already is in a command.
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

/** A value that a template fills in is not a valid word for kubectl. */
function isValid({ key, values }: Requirement): boolean {
  return isLabelKey(key) && values.every((value) => !isUnknown(value) && isLabelValue(value));
}

/** A selector over several namespaces can only be listed for all namespaces; undefined for an invalid name. */
function namespaceFlag(view: FileView, owner: ObjectInFile, site: SelectorSite): string | undefined {
  const { reach } = site.fact;
  if (reach === 'cluster' || reach === 'unknown') return '';
  if (!selectsInOwnNamespace(owner.object, site)) return ' -A';
  const namespace = namespaceOf(view.workspace, owner)?.value;
  if (typeof namespace !== 'string') return '';
  return isDnsLabel(namespace) ? ` -n ${namespace}` : undefined;
}

/** Whether a name is valid for namespaces and resources; such a name cannot begin like an option. */
function isDnsLabel(name: string): boolean {
  return validateName('dns1123Label', name).length === 0;
}
