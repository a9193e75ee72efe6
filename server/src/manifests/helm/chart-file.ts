/** What does a `Chart.yaml` say, or a `requirements.yaml` beside it? The charts that a chart needs. */

import { mask } from '../placeholders/placeholders.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { readYaml } from '../yaml/parse-yaml.ts';
import { childOf, type Node } from '../yaml/tree.ts';

export interface Chart {
  readonly name: string;
  readonly version?: string;
  readonly appVersion?: string;
  readonly dependencies: readonly ChartDependency[];
  /** It is a `requirements.yaml`, in which older charts list what they need. */
  readonly onlyNeeds?: true;
}

interface ChartDependency {
  readonly name: string;
  /** The name by which it is installed, where that is another. */
  readonly alias?: string;
  /** The folder of the dependency, from the chart's own: `../common`. Undefined where a repository holds it. */
  readonly folder?: string;
}

/** Reads what a file of this name says of a chart, if one does; text that says nothing is a chart without dependencies. */
export function readChart(name: string, text: string): { readonly chart: Chart } | undefined {
  if (name !== 'Chart.yaml' && name !== 'requirements.yaml') return undefined;
  const masked = mask(text);
  const first = splitDocuments(masked.text)[0];
  const root = first === undefined ? undefined : readYaml(text, masked, first).root;
  const list = childOf(root, 'dependencies');
  const items = list?.kind === 'list' ? list.items : [];
  const version = textAt(root, 'version');
  const appVersion = textAt(root, 'appVersion');
  const chart: Chart = {
    name: textAt(root, 'name') ?? '',
    ...(version !== undefined && { version }),
    ...(appVersion !== undefined && { appVersion }),
    dependencies: items.flatMap(dependencyOf),
    ...(name === 'requirements.yaml' && { onlyNeeds: true }),
  };
  return { chart };
}

function dependencyOf(item: Node): readonly ChartDependency[] {
  const name = textAt(item, 'name');
  if (name === undefined) return [];
  const folder = /^file:\/\/(.*)$/.exec(textAt(item, 'repository') ?? '')?.[1];
  const alias = textAt(item, 'alias');
  return [{ name, ...(alias !== undefined && { alias }), ...(folder !== undefined && { folder }) }];
}

function textAt(node: Node | undefined, key: string): string | undefined {
  const found = childOf(node, key);
  return found?.kind === 'scalar' && found.type !== 'null' ? found.text : undefined;
}
