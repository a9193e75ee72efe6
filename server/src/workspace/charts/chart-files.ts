/** Classifies the files of a chart that decide how its templates are parsed, by their names. */

import { fileNameOf } from '../uri.ts';

/** A file of helpers in the templates of a chart: `_helpers.tpl`. */
export function isHelperFile(path: string): boolean {
  return path.endsWith('.tpl') && isInTemplates(path);
}

/** Whether a file is a template, if its folder is in a chart. */
export function isInTemplates(path: string): boolean {
  return path.startsWith('templates/') || path.includes('/templates/');
}

/** A template that is only included by others. */
export function isPartial(path: string): boolean {
  return isInTemplates(path) && fileNameOf(path).startsWith('_');
}

/**
 * A packaged chart, which Helm includes whether `Chart.yaml` names it or not: `charts/redis-1.0.0.tgz`. It is never
 * parsed.
 */
export function isPackagedChart(path: string): boolean {
  return /(?:^|\/)charts\/[^/]+\.tgz$/.test(path);
}

/**
 * Whether a file may set values of the chart in whose folder it is: `values.yaml`, `values-prod.yaml`,
 * `values/prod.yaml`, `ci/ha-values.yaml`.
 */
export function isValuesFile(uri: string): boolean {
  return /\/(?:values[-._]?[^/]*|values\/[^/]+|ci\/[^/]+-values)\.ya?ml$/.test(uri);
}

/** The values that Helm loads from every chart; other files of values are named on its command line. */
export function isChartValues(uri: string): boolean {
  return fileNameOf(uri) === 'values.yaml' && !isInTemplates(uri);
}

/**
 * Whether a file is parsed before the other files of its chart, which depend on it. A template may define helpers too,
 * and is parsed with the other files.
 */
export function isReadFirst(uri: string): boolean {
  const name = fileNameOf(uri);
  return ['Chart.yaml', 'requirements.yaml', 'values.yaml'].includes(name) || isHelperFile(uri);
}
