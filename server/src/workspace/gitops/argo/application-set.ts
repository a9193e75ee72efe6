/** Computes the Applications that an ApplicationSet creates, as far as files determine them. */

import { spend, WorkBudget } from '../../../engine/work-budget.ts';
import { textIn } from '../../../manifests/gitops/argo-source.ts';
import { type Data, isMap } from '../../../manifests/helm/value.ts';
import { readValues } from '../../../manifests/helm/values.ts';
import { charactersOfStep, type GeneratorFiles, generatedBy, renderedData, type SetOptions } from './generators.ts';
import { fasttemplate, goTemplate, type ParameterSet } from './set-template.ts';

/** One Application of a set. */
export interface SetResult {
  /** The `metadata` and `spec` of the Application; strings contain `{{ … }}` in place of unknown parts. */
  readonly application: Data;
  readonly parameters: ParameterSet;
  readonly generator: number;
}

export interface SetResults {
  readonly results: readonly SetResult[];
  /** Whether the set may create more Applications, or some of these Applications several times. */
  readonly open: boolean;
}

/** Returns the options with which an ApplicationSet renders its templates. */
export function optionsOf(spec: Data): SetOptions {
  if (!isMap(spec) || spec['goTemplate'] !== true) return { isGo: false, render: fasttemplate };
  const options = spec['goTemplateOptions'];
  const failsOnMissing = Array.isArray(options) && options.includes('missingkey=error');
  return { isGo: true, render: goTemplate(failsOnMissing) };
}

/** The work for the scope of an Application. */
const stepsOfApplication = 800;

/** Returns the Applications of a set; `spec` is the spec of the ApplicationSet. */
export function applicationsOf(spec: Data, files: GeneratorFiles): SetResults {
  if (!isMap(spec) || !Array.isArray(spec['generators'])) return { results: [], open: true };
  const options = optionsOf(spec);
  const results: SetResult[] = [];
  let open = false;
  for (const [generator, item] of spec['generators'].entries()) {
    const generated = generatedBy(item, files, options);
    open ||= generated.open;
    for (const parameters of generated.sets) {
      const application = applicationOf(spec, generator, parameters);
      spend(stepsOfApplication);
      if (application === undefined) open = true;
      else results.push({ application, parameters, generator });
    }
  }
  return { results, open };
}

const noFiles: GeneratorFiles = {
  folders: [],
  files: [],
  isIncluded: () => false,
  isHere: () => false,
  content: () => undefined,
};

/** The work for the names of the Applications of one set; the names of a larger set are not known. */
const stepsOfNames = 500_000;

/** Returns the names of the Applications that a set certainly creates, without those that depend on other files. */
export function listedNames(spec: Data): readonly string[] {
  const found = new WorkBudget(stepsOfNames).run(() => applicationsOf(spec, noFiles).results);
  return (found ?? []).flatMap(({ application, parameters }) => {
    const metadata = isMap(application) ? application['metadata'] : undefined;
    const name = isMap(metadata) ? textIn(metadata, 'name') : undefined;
    return name === undefined || parameters.open || name.includes('{{') ? [] : [name];
  });
}

/** Returns the Application for one set of parameters of one generator; undefined if its patch is not known. `spec` is the spec of the ApplicationSet. */
export function applicationOf(spec: Data, generator: number, parameters: ParameterSet): Data | undefined {
  if (!isMap(spec)) return undefined;
  const { render } = optionsOf(spec);
  const own = Array.isArray(spec['generators']) ? ownTemplate(spec['generators'][generator] ?? null) : {};
  const text = (written: string) => {
    const rendered = render(written, parameters);
    spend(1 + (written.length + rendered.length) / charactersOfStep);
    return rendered;
  };
  const rendered = renderedData(filledFrom(spec['template'] ?? {}, own), text);
  const patch = patchOf(spec['templatePatch'], text);
  return patch && patched(rendered, patch);
}

function ownTemplate(generator: Data): Data {
  if (!isMap(generator)) return {};
  const spec = Object.entries(generator).find(([key]) => key !== 'selector')?.[1] ?? null;
  return isMap(spec) ? (spec['template'] ?? {}) : {};
}

/** Returns a template with the values that a generator's own template sets; empty strings and maps set no value. */
function filledFrom(template: Data, own: Data): Data {
  if (isMap(own) && isMap(template)) {
    const merged = new Map(Object.entries(template));
    for (const [key, value] of Object.entries(own)) merged.set(key, filledFrom(merged.get(key) ?? null, value));
    return Object.fromEntries(merged);
  }
  const isEmpty = own === null || own === '' || (Array.isArray(own) && own.length === 0);
  return isEmpty ? template : own;
}

/** Returns the patch that `templatePatch` renders to; undefined if it is unknown. */
function patchOf(text: Data | undefined, render: (text: string) => string): Data | undefined {
  if (typeof text !== 'string') return {};
  const rendered = render(text);
  spend(rendered.length / 4);
  return rendered.includes('{{') ? undefined : readValues(rendered);
}

/** Merges a patch into data: null removes a key, and a list replaces the whole list. */
export function patched(data: Data, patch: Data): Data {
  if (!isMap(patch)) return patch;
  const merged = new Map(isMap(data) ? Object.entries(data) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, patched(merged.get(key) ?? null, value));
  }
  return Object.fromEntries(merged);
}
