/** Parses `Chart.yaml`, and `requirements.yaml` next to it: the dependencies of a chart. */

import { blank } from '../placeholders/placeholders.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, type Node } from '../yaml/tree.ts';

export interface Chart {
  readonly name: string;
  readonly version?: string;
  readonly appVersion?: string;
  readonly dependencies: readonly ChartDependency[];
  /** It is a `requirements.yaml`, in which older charts list their dependencies. */
  readonly onlyNeeds?: true;
}

interface ChartDependency {
  readonly name: string;
  /** The name under which it is installed, if that differs. */
  readonly alias?: string;
  /**
   * The folder of the dependency, relative to that of the chart: `../common`. Undefined if it comes from a repository.
   */
  readonly folder?: string;
}

/** Parses a file if its name is one of a chart file. Invalid text is a chart without dependencies. */
export function readChart(name: string, text: string): { readonly chart: Chart } | undefined {
  if (name !== 'Chart.yaml' && name !== 'requirements.yaml') return undefined;
  const blanked = blank(text);
  const first = splitDocuments(blanked.text)[0];
  const root = first === undefined ? undefined : parseYaml(text, blanked, first).root;
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
