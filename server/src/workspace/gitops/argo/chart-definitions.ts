/** Renders the Applications and ApplicationSets in the templates of a chart, as a release of the chart installs them. */

import type { WorkBudget } from '../../../engine/work-budget.ts';
import { definitionFacts, knownData, skippingMark, suspensionOf } from '../../../manifests/gitops/argo.ts';
import type { GitopsFacts } from '../../../manifests/gitops/model.ts';
import { argoGroup } from '../../../manifests/gitops/spec.ts';
import { blank } from '../../../manifests/placeholders/placeholders.ts';
import { splitDocuments } from '../../../manifests/yaml/documents.ts';
import { parseYaml } from '../../../manifests/yaml/parse-yaml.ts';
import { childOf, type Node, nodeAt, textOf } from '../../../manifests/yaml/tree.ts';
import { ChartExecution } from '../chart-release.ts';
import type { ChartFiles, Release } from '../installed-charts.ts';

export interface DefinitionFiles extends ChartFiles {
  readonly templates: ReadonlyMap<string, number>;
  /** Returns the text of a template; undefined if it is not known. */
  text(uri: string): string | undefined;
}

export interface RenderedDefinitions {
  readonly definitions: readonly { readonly uri: string; readonly facts: GitopsFacts }[];
  /** The templates that may define more objects. */
  readonly unclear: readonly string[];
}

/** Returns the definitions that a release of the chart in a folder installs; `by` identifies the object that installs it. */
export function renderedDefinitions(
  folder: string,
  release: Release,
  { by, budget }: { readonly by: string | undefined; readonly budget: WorkBudget },
  files: DefinitionFiles,
): RenderedDefinitions {
  const execution = new ChartExecution(folder, release, files, budget);
  const unclear = new Set<string>();
  const definitions = [...files.templates].flatMap(([uri, count]) => {
    const text = numbered(files.text(uri) ?? '', count);
    const rendered = text === undefined ? undefined : execution.output(uri, text);
    const documents = rendered === undefined ? undefined : documentsIn(rendered);
    if (documents === undefined) unclear.add(uri);
    return (documents ?? []).flatMap((document) => {
      const facts = factsOf(document, release.namespace ?? '', by);
      if (facts === undefined) return [];
      if (facts !== 'unknown') return [{ uri, facts }];
      unclear.add(uri);
      return [];
    });
  });
  return { definitions, unclear: [...unclear] };
}

/** Appends its number to the kind of each definition; undefined if the text defines another number of objects. */
function numbered(text: string, count: number): string | undefined {
  let found = 0;
  const changed = text.replace(
    /^(kind:[ \t]*["']?Application(?:Set)?)(?=["']?[ \t\r]*$)/gm,
    (kind) => `${kind}-${found++}`,
  );
  return found === count ? changed : undefined;
}

/** Returns the documents of a YAML text as trees; undefined if one of them has a syntax error. */
export function documentsIn(text: string): readonly Node[] | undefined {
  const blanked = blank(text);
  const read = splitDocuments(text).map((span) => parseYaml(text, blanked, span));
  return read.some(({ errors }) => errors.length > 0) ? undefined : read.flatMap(({ root }) => root ?? []);
}

/** Returns the facts of a definition; undefined for any other object. */
function factsOf(
  document: Node,
  releaseNamespace: string,
  by: string | undefined,
): GitopsFacts | 'unknown' | undefined {
  const [, kind = '', index] = /^(Application(?:Set)?)-(\d+)$/.exec(textAt(document, 'kind')) ?? [];
  if (index === undefined || !textAt(document, 'apiVersion').startsWith(`${argoGroup}/`)) return undefined;
  const spec = childOf(document, 'spec');
  if (spec === undefined || !isWhole(spec)) return 'unknown';
  const data = knownData(spec);
  // An ApplicationSet would render the remaining actions of the chart with its own parameters.
  if (kind === 'ApplicationSet' && /\.(?:Values|Release|Chart|Capabilities|Files)\b/.test(JSON.stringify(data)))
    return 'unknown';
  const namespace = textAt(document, 'metadata', 'namespace') || releaseNamespace;
  const skipping = nodeAt(document, 'metadata', 'annotations', skippingMark);
  const facts = definitionFacts(kind, data, {
    name: textAt(document, 'metadata', 'name'),
    namespace,
    ...suspensionOf(skipping && knownData(skipping)),
  });
  return facts && { ...facts, rendered: { index: Number(index), spec: data, ...(by !== undefined && { by }) } };
}

/** Returns the text of the scalar at a path of keys; '' if there is none. */
export function textAt(node: Node, ...path: readonly string[]): string {
  return textOf(nodeAt(node, ...path)) ?? '';
}

/** Whether no part of a tree depends on a condition, or is missing. */
function isWhole(node: Node): boolean {
  if (node.kind === 'scalar') return true;
  if (node.open) return false;
  if (node.kind === 'list') return node.items.every(isWhole);
  return node.entries.every(
    ({ key, value, conditional }) => !conditional && key.pattern === undefined && isWhole(value),
  );
}
