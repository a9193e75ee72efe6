/** Shows the configuration of one file: each value, and the configuration that sets it. */

import { loadedRules } from '../../rules/framework/loaded-rules.ts';
import type { Session } from '../../session.ts';
import { type Severities, severitiesFor } from '../../settings/severities.ts';
import type { World } from '../environment.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

/** The values that a configuration has or inherits; the severities of rules are shown separately. */
const shownKeys = ['level', 'kubernetesVersion', 'repository', 'labels', 'recommendedLabels', 'labelPolicy'] as const;

/** Returns the effective configuration of a file as YAML, with the path of the configuration that sets each value as a comment. */
export function settingsOfFile(
  world: World,
  session: Session,
  uri: string,
  level: string | undefined,
): readonly string[] {
  const chain = session.snapshot().configs().of(uri)?.chainFor(uri) ?? [];
  const files = chain.map(({ config, uri: file }) => ({ config, file: displayPath(world, file) }));
  const set = ({ length }: { readonly length: number }) =>
    length === 0 ? 'no configuration applies' : 'the configuration is';
  const names = files.toReversed().map(({ file }) => tamePath(file));
  const head = `# ${tamePath(displayPath(world, uri))}: ${set(chain)}${names.length === 0 ? '' : ` ${names.join(', which extends ')}`}`;
  const values = shownKeys.flatMap((key) => {
    if (key === 'level' && level !== undefined) return [`level: ${level}  # --level`];
    const found = files.findLast(({ config }) => config.values[key] !== undefined);
    if (found !== undefined) return [`${key}: ${tame(valueText(found.config.values[key]))}  # ${tamePath(found.file)}`];
    return key === 'level' ? ['level: default  # the default'] : [];
  });
  const each = chain.map((config) => severitiesFor([config]));
  const severities = loadedRules().flatMap(({ id }) =>
    severityLine(
      id,
      each,
      files.map(({ file }) => file),
    ),
  );
  return [head, ...values, ...(severities.length === 0 ? [] : ['rules:', ...severities])];
}

/** Returns the line of a rule for which a configuration sets a severity. A later configuration takes precedence. */
function severityLine(rule: string, chain: readonly Severities[], files: readonly string[]): readonly string[] {
  const number = chain.findLastIndex((each) => each.of(rule) !== undefined || each.differs(rule));
  const found = chain[number];
  if (found === undefined) return [];
  const differs = found.differs(rule) ? ', with other severities for some objects' : '';
  return [`  ${rule}: ${found.of(rule) ?? 'default'}  # ${tamePath(files[number] ?? '')}${differs}`];
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[a-z]+$/.test(value) ? value : JSON.stringify(value);
}
