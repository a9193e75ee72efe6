/** Computes the Applications that an ApplicationSet creates, as far as files decide them. */

import { type Data, isMap } from '../../../manifests/helm/value.ts';
import { readValues } from '../../../manifests/helm/values.ts';
import { type GeneratorFiles, generatedBy, maximumSets, renderedData, type SetOptions } from './generators.ts';
import { fasttemplate, goTemplate, type ParameterSet } from './set-template.ts';

/** One Application of a set. */
interface SetResult {
  /** Its `metadata` and `spec`; texts contain `{{ … }}` in place of what is unknown. */
  readonly application: Data;
  readonly parameters: ParameterSet;
}

export interface SetResults {
  readonly results: readonly SetResult[];
  /** The set may create more Applications, or some of them several times. */
  readonly open: boolean;
}

/** Returns how an ApplicationSet renders its templates. */
function optionsOf(spec: Data): SetOptions {
  if (!isMap(spec) || spec['goTemplate'] !== true) return { isGo: false, render: fasttemplate };
  const options = spec['goTemplateOptions'];
  const failsOnMissing = Array.isArray(options) && options.includes('missingkey=error');
  return { isGo: true, render: goTemplate(failsOnMissing) };
}

/** Returns the Applications of a set; `spec` is that of the ApplicationSet. */
export function applicationsOf(spec: Data, files: GeneratorFiles): SetResults {
  if (!isMap(spec) || !Array.isArray(spec['generators'])) return { results: [], open: true };
  const options = optionsOf(spec);
  const results: SetResult[] = [];
  let open = false;
  for (const generator of spec['generators']) {
    const generated = generatedBy(generator, files, options);
    open ||= generated.open;
    const template = filledFrom(spec['template'] ?? {}, generated.template ?? {});
    for (const parameters of generated.sets) {
      const render = (text: string) => options.render(text, parameters);
      const rendered = renderedData(template, render);
      const patch = patchOf(spec['templatePatch'], render);
      if (patch === undefined || results.length >= maximumSets) open = true;
      else results.push({ application: patched(rendered, patch), parameters });
    }
  }
  return { results, open };
}

/** A template with the values that a generator's own template sets; empty texts and maps set none. */
function filledFrom(template: Data, own: Data): Data {
  if (isMap(own) && isMap(template)) {
    const merged = new Map(Object.entries(template));
    for (const [key, value] of Object.entries(own)) merged.set(key, filledFrom(merged.get(key) ?? null, value));
    return Object.fromEntries(merged);
  }
  const isEmpty = own === null || own === '' || (Array.isArray(own) && own.length === 0);
  return isEmpty ? template : own;
}

/** The patch that `templatePatch` renders to; undefined if it is unknown. */
function patchOf(text: Data | undefined, render: (text: string) => string): Data | undefined {
  if (typeof text !== 'string') return {};
  const rendered = render(text);
  return rendered.includes('{{') ? undefined : readValues(rendered);
}

/** Merges a patch: null removes a key, and a list replaces the list. */
function patched(data: Data, patch: Data): Data {
  if (!isMap(patch)) return patch;
  const merged = new Map(isMap(data) ? Object.entries(data) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, patched(merged.get(key) ?? null, value));
  }
  return Object.fromEntries(merged);
}
