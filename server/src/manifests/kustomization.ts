/** What does a kustomization put together? The paths that it names, as it names them. */

import type { Span } from '../text/span.ts';
import { splitDocuments } from './documents.ts';
import { mask } from './masks.ts';
import { readYaml } from './read-yaml.ts';
import { childOf, type Node } from './tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** A Component does not build alone. */
  readonly component: boolean;
  /** `resources` and `bases`: files and folders whose objects it takes. */
  readonly resources: readonly PathReference[];
  /** Folders that change what it takes, and may add to it. */
  readonly components: readonly PathReference[];
  /** Files that change objects and are none themselves. */
  readonly patches: readonly PathReference[];
  /** `generators` and `transformers`: they may be programs that make objects which no file shows. */
  readonly plugins: readonly PathReference[];
  /** Charts that it renders. */
  readonly charts: readonly string[];
  /** It may change labels or selectors of what it takes, even if no file of a patch does. */
  readonly relabels: boolean;
  /** It may change what it takes in any way. */
  readonly edits: boolean;
}

const kustomizationNames = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

export function isKustomizationName(name: string): boolean {
  return kustomizationNames.has(name);
}

/** Reads a kustomization; text that is none is one without references. */
export function readKustomization(text: string): Kustomization {
  const masked = mask(text);
  const first = splitDocuments(masked.text)[0];
  const root = first === undefined ? undefined : readYaml(text, masked, first).root;
  const kind = childOf(root, 'kind');
  const items = (...names: readonly string[]) => names.flatMap((name) => itemsOf(childOf(root, name)));
  return {
    component: kind?.kind === 'scalar' && kind.text === 'Component',
    resources: items('resources', 'bases').flatMap(referenceOf),
    components: items('components').flatMap(referenceOf),
    patches: [
      ...items('patchesStrategicMerge', 'configurations', 'crds').flatMap(referenceOf),
      ...items('patches', 'patchesJson6902', 'replacements').flatMap((item) => referenceOf(childOf(item, 'path'))),
    ],
    plugins: items('generators', 'transformers').flatMap(referenceOf),
    charts: items('helmCharts', 'helmChartInflationGenerator').map(chartName),
    edits:
      childOf(root, 'transformers') !== undefined ||
      items('patches', 'patchesJson6902', 'patchesStrategicMerge', 'replacements').length > 0,
    relabels:
      ['commonLabels', 'labels', 'transformers'].some((name) => childOf(root, name) !== undefined) ||
      items('patches', 'patchesJson6902', 'patchesStrategicMerge', 'replacements').some((item) =>
        /labels|selector/i.test(text.slice(item.span.start, item.span.end)),
      ),
  };
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** An inline patch spans lines; a path does not. */
function referenceOf(node: Node | undefined): readonly PathReference[] {
  if (node?.kind !== 'scalar' || node.text === '' || node.text.includes('\n')) return [];
  return [{ path: node.text, span: node.span }];
}

function chartName(node: Node): string {
  const name = childOf(node, 'name') ?? childOf(node, 'chartName');
  return name?.kind === 'scalar' ? name.text : '';
}

/** Whether a reference names a place outside of the files: a URL, or a repository as `github.com/owner/name`. */
export function isRemote(path: string): boolean {
  if (path.startsWith('.') || path.startsWith('/')) return false;
  return /^[a-z][\w+.-]*:\/\/|^git::|^[\w-]+@|[?&](?:ref|version)=|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|net|dev)\//.test(
    path,
  );
}
