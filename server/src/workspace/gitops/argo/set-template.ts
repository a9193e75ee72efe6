/** Renders the templates of an ApplicationSet with a set of parameters, in either of its two template languages. */

import { patternOf } from '../../../manifests/helm/actions.ts';
import { dataValue } from '../../../manifests/helm/data-value.ts';
import { applied } from '../../../manifests/helm/functions.ts';
import { Renderer } from '../../../manifests/helm/render.ts';
import { readTemplate } from '../../../manifests/helm/syntax.ts';
import { type Data, isScalar, open, textOf } from '../../../manifests/helm/value.ts';
import { setFunctions } from './set-functions.ts';

export interface ParameterSet {
  /** The parameters by name. In fasttemplate, the names of nested parameters contain dots: `path.basename`. */
  readonly values: Parameters;
  /**
   * Whether there may be more sets, with unknown parameters, such as the parameters of clusters that are registered in
   * Argo CD and in no file.
   */
  readonly open: boolean;
}

export interface Parameters {
  readonly [name: string]: Data;
}

/** Renders a string with a set of parameters. An unknown part remains an action: `{{ .server }}`. */
export type Language = (text: string, parameters: ParameterSet) => string;

/** The default language: `{{name}}` is replaced, and unknown names are left unchanged (https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/). */
export const fasttemplate: Language = (text, { values }) => {
  let written = '';
  let end = 0;
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', end)) {
    const close = text.indexOf('}}', at + 2);
    if (close === -1) break;
    const name = text.slice(at + 2, close).trim();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    written += text.slice(end, at) + (isScalar(value) ? textOf(value) : text.slice(at, close + 2));
    end = close + 2;
  }
  return written + text.slice(end);
};

/** Returns the language for `goTemplate: true`, which is Go's text/template; `failsOnMissing` represents the option `missingkey=error`. */
export function goTemplate(failsOnMissing: boolean): Language {
  const renderer = new Renderer({
    values: open('.Values'),
    chart: open('.Chart'),
    definition: () => undefined,
    applied: (name, parameters) => applied(name, parameters, setFunctions),
  });
  return (text, { values, open: isOpen }) => {
    if (!text.includes('{{')) return text;
    const { nodes, problems } = readTemplate(text);
    if (problems.length > 0) return text;
    return renderer.output(nodes, dataValue(values, '.', { isOpen, ...(!failsOnMissing && { absent: '<no value>' }) }));
  };
}

/** Returns a pattern for a rendered string, in which `*` replaces the unknown parts; undefined if the string is known. */
export function unknownPattern(text: string): string | undefined {
  return text.includes('{{') ? patternOf(text) : undefined;
}
