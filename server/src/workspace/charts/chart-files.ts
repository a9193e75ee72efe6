/** Classifies files of a chart by name: the files that determine how the templates of the chart are parsed. */

import { memoized } from '../../engine/memoize.ts';
import { fileNameOf } from '../uri.ts';

/** Whether a file in the templates of a chart contains helpers: `_helpers.tpl`, or a partial such as `_helpers.gotmpl` that is no manifest. */
export function isHelperFile(path: string): boolean {
  if (!isInTemplates(path)) return false;
  return path.endsWith('.tpl') || (isPartial(path) && !/\.(?:ya?ml|json)$/.test(path) && isOddName(fileNameOf(path)));
}

/** Whether a file is a template, provided that its folder is in a chart. */
export function isInTemplates(path: string): boolean {
  return path.startsWith('templates/') || path.includes('/templates/');
}

/** Whether a file is a template of a chart, so that its YAML is the output of its actions. */
export function isChartTemplate({
  uri,
  chartKey,
}: {
  readonly uri: string;
  readonly chartKey?: string | undefined;
}): boolean {
  return isInTemplates(uri) && chartKey !== undefined && chartKey !== '';
}

/** Returns the files among those of a chart that Helm renders or installs, or that define helpers: all but its values. Releases of one chart share the list. */
export const installedAmong = memoized((files: ReadonlySet<string>): readonly string[] =>
  [...files].filter((uri) => isInTemplates(uri) || uri.includes('/crds/')),
);

const oddTypes =
  /\.(?:(?:tpl|txt|md|gotmpl|tmpl|sh|conf|ini|toml|properties|ya?ml|json)$|(?:ya?ml|json|tpl|txt)[._~-])/i;

/** Whether Helm renders a file although its name is not that of a manifest: `templates/config.txt`. */
export function isOddTemplate(path: string): boolean {
  const name = fileNameOf(path);
  return isInTemplates(path) && !/^[_.]|\.(?:ya?ml|json)$/.test(name) && isOddName(name);
}

function isOddName(name: string): boolean {
  return !name.includes('.') || name.endsWith('~') || oddTypes.test(name);
}

/** Whether a template is only included by other templates. */
export function isPartial(path: string): boolean {
  return isInTemplates(path) && fileNameOf(path).startsWith('_');
}

/** The name of the files with the schema of the values of a chart. */
export const schemaName = 'values.schema.json';

/** Whether a file is a packaged chart, such as `charts/redis-1.0.0.tgz`. Helm includes it even if `Chart.yaml` does not name it. A packaged chart is never parsed. */
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

/** Whether a file contains the values that Helm loads from every chart; other values files are named on Helm's command line. */
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
