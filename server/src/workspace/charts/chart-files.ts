/** Which files of a chart say how its templates are read? Told by their names alone. */

import { nameOf } from '../uri.ts';

/** A file of helpers in the templates of a chart: `_helpers.tpl`. */
export function isHelperFile(path: string): boolean {
  return path.endsWith('.tpl') && isInTemplates(path);
}

/** A template of a chart, if there is a chart. */
export function isInTemplates(path: string): boolean {
  return path.startsWith('templates/') || path.includes('/templates/');
}

/** A template that only others include. */
export function isPartial(path: string): boolean {
  return isInTemplates(path) && nameOf(path).startsWith('_');
}

/** A chart that Helm takes along, whether `Chart.yaml` names it or not: `charts/redis-1.0.0.tgz`. Nothing reads it. */
export function isPackedChart(path: string): boolean {
  return /(?:^|\/)charts\/[^/]+\.tgz$/.test(path);
}

/** May it set values of the chart in whose folder it is: `values.yaml`, `values-prod.yaml`, `values/prod.yaml`, `ci/ha-values.yaml`? */
export function isValuesFile(uri: string): boolean {
  return /\/(?:values[-._]?[^/]*|values\/[^/]+|ci\/[^/]+-values)\.ya?ml$/.test(uri);
}

/** The values that Helm reads from every chart; other files of values are named on its command line. */
export function isChartValues(uri: string): boolean {
  return nameOf(uri) === 'values.yaml' && !isInTemplates(uri);
}

/** What other files of the chart are read with; a template may define helpers too, and is read in its turn. */
export function isReadFirst(uri: string): boolean {
  const name = nameOf(uri);
  return ['Chart.yaml', 'requirements.yaml', 'values.yaml'].includes(name) || isHelperFile(uri);
}
