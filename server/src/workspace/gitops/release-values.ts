/**
 * Computes the values with which a HelmRelease installs a chart of the repository.
 * Source: helm-controller `docs/spec/v2/helmreleases.md`, source-controller `docs/spec/v1/helmcharts.md`.
 */

import { knownData } from '../../manifests/gitops/argo.ts';
import type { DataMap } from '../../manifests/gitops/argo-source.ts';
import { mayContainVariables } from '../../manifests/gitops/envsubst.ts';
import { knownText, releaseValueFiles } from '../../manifests/gitops/flux.ts';
import { decodedBase64 } from '../../manifests/helm/execution/text-functions.ts';
import { withSetValue } from '../../manifests/helm/set-value.ts';
import { type Data, fieldOf, isMap } from '../../manifests/helm/value.ts';
import { overridden, readData, sharedValues } from '../../manifests/helm/values.ts';
import { isTrue } from '../../manifests/kustomize/kustomization-fields.ts';
import { childOf, itemsOf, type Node, nodeAt } from '../../manifests/yaml/tree.ts';
import { folderOf, resolveUri } from '../uri.ts';
import { dataIn } from './data-files.ts';
import { disablingMark } from './flux-substitution.ts';
import type { ReleaseValues } from './installed-charts.ts';
import type { Definition, RecipeSurroundings } from './recipes.ts';
import { mergedValueFiles, valueFilesIn } from './value-files.ts';

/** Returns the values of a release: the values of the chart (or of `valuesFiles` instead), then `valuesFrom`, then `values`, then the single values of `valuesFrom`. Later values take precedence, so they are certain even if earlier values are unknown. If scopes apply different versions of the HelmRelease, only values that are equal in all versions are known. Returns undefined if any value may be replaced. */
export function releaseValues(
  definition: Definition,
  defaults: Data,
  around: RecipeSurroundings,
): ReleaseValues | undefined {
  const { versions = [] } = definition;
  if (versions.length === 0) return valuesOf(definition, defaults, around);
  return versions.map((spec) => valuesOf({ ...definition, spec }, defaults, around)).reduce(sharedOf);
}

function sharedOf(some: ReleaseValues | undefined, others: ReleaseValues | undefined): ReleaseValues | undefined {
  if (JSON.stringify(some) === JSON.stringify(others)) return some;
  const [one, other] = [some, others].map((each) => each && overridden(each.defaults ?? {}, each.data));
  const data = one === undefined || other === undefined ? undefined : sharedValues(one, other);
  return data === undefined ? undefined : { data, defaults: {}, isOpen: true };
}

function valuesOf(definition: Definition, defaults: Data, around: RecipeSurroundings): ReleaseValues | undefined {
  const { spec } = definition;
  const texts = itemsOf(childOf(spec, 'valuesFrom')).map((item) => ({ item, text: textOf(item, definition, around) }));
  const single = texts.filter(({ item }) => childOf(item, 'targetPath') !== undefined);
  const written = chartValues(definition, defaults, around);
  let isOpen = written === undefined;
  let values: Data | undefined = {};
  for (const { item, text } of texts) {
    if (childOf(item, 'targetPath') !== undefined) continue;
    const content = text === undefined ? generatedValues(item, definition, around) : readData(text);
    const isUnknown = content === undefined || (content !== null && !isMap(content));
    if (isUnknown) isOpen = true;
    if (isUnknown) values = {};
    else if (content !== null) values = overridden(values, content);
  }
  const own = childOf(spec, 'values');
  if (own?.kind === 'map') values = overridden(values, knownData(own));
  for (const { item, text } of single) {
    // The other items of the list are unknown.
    const isInList = isOpen && knownText(childOf(item, 'targetPath'))?.includes('[');
    values = values && !isInList ? withSingle(values, item, text) : undefined;
  }
  return values === undefined ? undefined : { data: values, defaults: isOpen ? {} : (written ?? {}), isOpen };
}

/** Returns the values of the chart itself, which other files may replace. */
function chartValues({ gitops, spec }: Definition, defaults: Data, around: RecipeSurroundings): Data | undefined {
  const [place] = gitops.located;
  const valueFiles = releaseValueFiles(spec);
  if (valueFiles.length === 0 || place === undefined) return defaults;
  const files = valueFilesIn(place, { valueFiles }, around.facts);
  return mergedValueFiles(files, around.data, isTrue(nodeAt(spec, 'chart', 'spec'), 'ignoreMissingValuesFiles'));
}

/** Returns the string of a key of a ConfigMap or Secret; undefined if the object is in no file, or certainly in another cluster, or the string is encrypted or contains variables. */
function textOf(item: Node, { object }: Definition, around: RecipeSurroundings): string | undefined {
  const [kind, name] = [knownText(childOf(item, 'kind')), knownText(childOf(item, 'name'))];
  if (!(kind === 'ConfigMap' || kind === 'Secret') || name === undefined) return undefined;
  const namespaces = new Set([object.namespace?.text ?? '', '']);
  const files = [...namespaces].flatMap((each) => around.filesWith(`\n${kind}\n${each}\n${name}`));
  const file = around.nearest(around.readable(files));
  const content = dataIn(file) ?? null;
  const metadata = isMap(content) ? content['metadata'] : undefined;
  if (!isMap(content) || !isMap(metadata) || metadata['name'] !== name || content['sops'] !== undefined)
    return undefined;
  const text = stringOf(content, kind, knownText(childOf(item, 'valuesKey')) ?? 'values.yaml');
  if (file === undefined || text === undefined) return undefined;
  return mayContainVariables(text) && !isExcluded(metadata) ? around.substituted(file.uri, text) : text;
}

/** Returns the string of a key in the content of a ConfigMap or Secret. */
function stringOf(content: Data, kind: string, key: string): string | undefined {
  const at = (field: string) => {
    const value = fieldOf(fieldOf(content, field) ?? null, key);
    return typeof value === 'string' ? value : undefined;
  };
  const own = at('data');
  if (kind === 'ConfigMap') return own;
  return at('stringData') ?? (own === undefined ? undefined : decodedBase64(own.replace(/\s/g, '')));
}

/** Returns the content of a file from which a ConfigMap is generated, as the value of a key; undefined if it is unknown, for example because it may contain variables. */
function generatedValues(item: Node, { object }: Definition, around: RecipeSurroundings): Data | undefined {
  const [kind, name] = [knownText(childOf(item, 'kind')), knownText(childOf(item, 'name'))];
  const generated = kind === 'ConfigMap' && name !== undefined ? around.generatedBeside(name) : undefined;
  const kustomization = generated?.file.kustomization;
  const entry = kustomization?.generators.find((each) => each.span.start === generated?.object.kindSpan.start);
  if (generated === undefined || kustomization === undefined || entry?.behavior !== 'create') return undefined;
  if (generated.object.namespace?.text !== object.namespace?.text) return undefined;
  if (generated.transformers.some((each) => each.kind !== 'labels')) return undefined;
  const folder = folderOf(generated.file.uri);
  const isNamed = entry.plainName
    ? generated.object.name?.text === name
    : kustomization.configurations.some(({ path }) => around.trees(resolveUri(folder, path)).some(changesValuesFrom));
  // The keys of literals are before the keys of files.
  const { keys, reads = [] } = entry;
  const wanted = knownText(childOf(item, 'valuesKey')) ?? 'values.yaml';
  const path = reads[keys.keys.findIndex(({ text }) => text === wanted) - (keys.keys.length - reads.length)];
  const content = !isNamed || keys.open || path === undefined ? undefined : around.data(resolveUri(folder, path));
  const text = JSON.stringify(content) ?? '';
  return mayContainVariables(text) || text.includes('ENC[AES256_GCM,') ? undefined : content;
}

/** Whether a transformer configuration makes kustomize change the names of generated ConfigMaps in `valuesFrom`. */
function changesValuesFrom(tree: Node): boolean {
  return itemsOf(childOf(tree, 'nameReference')).some((item) => {
    const fields = itemsOf(childOf(item, 'fieldSpecs')).filter((field) => {
      const kind = knownText(childOf(field, 'kind')) ?? 'HelmRelease';
      return kind === 'HelmRelease' && knownText(childOf(field, 'path')) === 'spec/valuesFrom/name';
    });
    return knownText(childOf(item, 'kind')) === 'ConfigMap' && fields.length > 0;
  });
}

/** Whether Flux replaces no variables in an object, because of a label or annotation. */
function isExcluded({ labels, annotations }: DataMap): boolean {
  return [labels, annotations].some((marks) => isMap(marks) && marks[disablingMark] === 'disabled');
}

/** Returns the values with a string set at a path. The value is unknown if the string is unknown, or if Helm may parse several values from the string. */
function withSingle(values: Data, item: Node, text: string | undefined): Data | undefined {
  const path = knownText(childOf(item, 'targetPath'));
  const isLiteral = isTrue(item, 'literal');
  const isUnknown = text === undefined || (!isLiteral && /[,\\"'{]/.test(text));
  return path === undefined
    ? undefined
    : withSetValue(values, path, isUnknown ? '{{ valuesFrom }}' : text, isUnknown || isLiteral);
}
