/** Parses the dependencies of a chart in `Chart.yaml`, and in `requirements.yaml` in the same folder. */

import type { Span } from '../../text/span.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, itemsOf, type Node } from '../yaml/tree.ts';
import { floatText } from './execution/template-value.ts';

export interface Chart {
  readonly name: string;
  readonly version?: string;
  readonly appVersion?: string;
  /** The versions of Kubernetes for which Helm renders the chart. */
  readonly kubeVersion?: string;
  readonly dependencies: readonly ChartDependency[];
  /** Set for a chart that cannot be installed by itself. */
  readonly isLibrary?: true;
  /** Set for a `requirements.yaml`, in which older charts list their dependencies. */
  readonly onlyNeeds?: true;
}

interface ChartDependency {
  readonly name: string;
  /** The name under which the dependency is installed, if it differs from the chart name. */
  readonly alias?: string;
  /**
   * The folder of the dependency, relative to the folder of the chart, such as `../common`. Undefined if the dependency
   * comes from a repository.
   */
  readonly folder?: string;
  /** The paths of values that turn the dependency on or off, such as `redis.enabled,global.redis.enabled`. */
  readonly condition?: string;
  /** The keys in `tags` of the outermost chart that turn the dependency on or off if no condition does. */
  readonly tags?: readonly string[];
  /** The maps in the values of the dependency that are imported, and the paths at which they are added; `.` is the root. */
  readonly imports?: readonly { readonly child: string; readonly parent: string }[];
}

/** Returns the paths of the dependencies in the text of a chart file, each with the span of the name. A dependency in a `file://` repository has a second entry with the span of the repository. */
export function dependencyPaths(text: string): readonly { readonly path: string; readonly span: Span }[] {
  return dependencyItems(rootOf(text)).flatMap((item) => {
    const [name, repository] = ['name', 'repository'].map((key) => childOf(item, key));
    const [known] = dependencyOf(item);
    if (known === undefined || name === undefined) return [];
    const path = known.folder ?? `charts/${known.name}`;
    const written = known.folder === undefined || repository === undefined ? [name] : [name, repository];
    return written.map(({ span }) => ({ path, span }));
  });
}

/** Parses a file if it has the name of a chart file. Invalid content is treated as a chart without dependencies. */
export function readChart(name: string, text: string): { readonly chart: Chart } | undefined {
  if (name !== 'Chart.yaml' && name !== 'requirements.yaml') return undefined;
  const root = rootOf(text);
  const version = stringAt(root, 'version');
  const appVersion = stringAt(root, 'appVersion');
  const kubeVersion = stringAt(root, 'kubeVersion');
  const chart: Chart = {
    name: textAt(root, 'name') ?? '',
    ...(version !== undefined && { version }),
    ...(appVersion !== undefined && { appVersion }),
    ...(kubeVersion !== undefined && { kubeVersion }),
    dependencies: dependencyItems(root).flatMap(dependencyOf),
    ...(textAt(root, 'type') === 'library' && { isLibrary: true }),
    ...(name === 'requirements.yaml' && { onlyNeeds: true }),
  };
  return { chart };
}

function rootOf(text: string): Node | undefined {
  const blanked = blankManifest(text);
  const first = splitDocuments(blanked.text)[0];
  return first === undefined ? undefined : parseYaml(text, blanked, first).root;
}

function dependencyItems(root: Node | undefined): readonly Node[] {
  const list = childOf(root, 'dependencies');
  return itemsOf(list);
}

function dependencyOf(item: Node): readonly ChartDependency[] {
  const name = textAt(item, 'name');
  if (name === undefined) return [];
  const folder = /^file:\/\/(.*)$/.exec(textAt(item, 'repository') ?? '')?.[1];
  const alias = textAt(item, 'alias');
  const condition = textAt(item, 'condition');
  const tags = itemsOf(childOf(item, 'tags')).flatMap((tag) => (tag.kind === 'scalar' ? [tag.text] : []));
  const imports = itemsOf(childOf(item, 'import-values')).flatMap((each) => {
    if (each.kind === 'scalar') return [{ child: `exports.${each.text}`, parent: '.' }];
    const [child, parent] = [textAt(each, 'child'), textAt(each, 'parent')];
    return child === undefined || parent === undefined ? [] : [{ child, parent }];
  });
  return [
    {
      name,
      ...(alias !== undefined && { alias }),
      ...(folder !== undefined && { folder }),
      ...(condition !== undefined && { condition }),
      ...(tags.length > 0 && { tags }),
      ...(imports.length > 0 && { imports }),
    },
  ];
}

/** Returns a field that Helm decodes as a string: the number `1.10` becomes `1.1`. */
function stringAt(node: Node | undefined, key: string): string | undefined {
  const found = childOf(node, key);
  const isFloat = found?.kind === 'scalar' && found.type === 'number' && /[.e]/i.test(found.text);
  const value = isFloat ? Number(found.text) : Number.NaN;
  return Number.isFinite(value) ? floatText(value) : textAt(node, key);
}

function textAt(node: Node | undefined, key: string): string | undefined {
  const found = childOf(node, key);
  return found?.kind === 'scalar' && found.type !== 'null' ? found.text : undefined;
}
