/** Which command lists in a cluster what a selector of a manifest takes? */

import { format, isUnknown, type Selector } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { looksAtHome, namespaceOf } from '../workspace/namespaces.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import type { FileView } from './view.ts';

/** The command that lists what a selector takes; undefined for one that asks for nothing, and where no kind is known. */
export function kubectlCommand(
  view: FileView,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): string | undefined {
  const target = site.fact.targets[0];
  if (selector.kind !== 'all' || selector.requirements.length === 0) return undefined;
  // Of a command there is nothing to copy: it is one.
  if (target === undefined || target.kind === '*' || owner.object.inline) return undefined;
  // What a template fills in is no word for kubectl.
  if (selector.requirements.some(({ values }) => values.some(isUnknown))) return undefined;
  const fact = view.catalogue.kind(target.group, '', target.kind);
  const resource = fact?.plural ?? target.kind.toLowerCase();
  return `kubectl get ${resource}${namespaceFlag(view, owner, site)} -l ${format(selector, 'kubectl')}`;
}

/** Where it looks into more than its own namespace, kubectl can only look into all. */
function namespaceFlag(view: FileView, owner: ObjectInFile, site: SelectorSite): string {
  const { reach } = site.fact;
  if (reach === 'cluster' || reach === 'unknown') return '';
  if (!looksAtHome(owner.object, site)) return ' -A';
  const namespace = namespaceOf(view.workspace, owner)?.value;
  return typeof namespace === 'string' && /^[\w.-]+$/.test(namespace) ? ` -n ${namespace}` : '';
}
