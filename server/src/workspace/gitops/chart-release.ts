/** Renders the objects of a chart for one release, with its name, its namespace and all of its values. */

import { getOrAdd } from '../../engine/memoize.ts';
import { findActions, patternOf } from '../../manifests/helm/actions.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { dataValue } from '../../manifests/helm/data-value.ts';
import { type Helper, helpersOf } from '../../manifests/helm/helpers.ts';
import { Renderer } from '../../manifests/helm/render.ts';
import { readTemplate } from '../../manifests/helm/syntax.ts';
import { type Data, fieldOf, open, type Value } from '../../manifests/helm/value.ts';
import { overridden } from '../../manifests/helm/values.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { MapNode, Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import { chartsByFolder, dependenciesOf } from '../charts/charts.ts';
import { listOf, mapOf } from '../kustomize/edit-tree.ts';
import { type Resource, remembering, resourceOf, textAt } from '../kustomize/resource.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';

/** The options with which Helm installs a chart. */
export interface Release {
  /** The name of the release; undefined if it is unknown. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** Whether the definitions in `crds/` are not installed. */
  readonly skipsCrds?: boolean;
  /** Whether the tests of the chart are omitted. */
  readonly skipsTests?: boolean;
  /** Whether the chart is rendered as for a first installation, not for an upgrade. */
  readonly isInstall?: true;
  /** Merges all values of the release into the default values of the chart; returns undefined if a value is unknown. */
  values(defaults: Data): Data | undefined;
}

/** The files of a chart. */
export interface ChartFiles {
  /** The facts of all files of the workspace. */
  readonly facts: ReadonlyMap<string, ScopeFacts>;
  /** The files that the chart renders, its values file, and the files that define its helpers. */
  readonly members: ReadonlySet<string> | readonly string[];
  /** The default values in a file, and the text of a file if it defines helpers. */
  values(uri: string): Data | undefined;
  helpers(uri: string): string | undefined;
}

/** Returns the objects of the chart in a folder, as a release installs them. */
export function releasedObjects(
  folder: string,
  release: Release,
  files: ChartFiles,
  objectsIn: (uri: string) => readonly ManifestObject[],
): readonly Resource[] {
  const renderer = new ReleaseRenderer(folder, release, files);
  const resources: Resource[] = [];
  for (const uri of files.members) {
    if ((release.skipsCrds && uri.includes('/crds/')) || !renderer.enter(uri)) continue;
    for (const object of objectsIn(uri))
      if (object.forCluster && !object.inValues && !renderer.leavesOut(object))
        resources.push(renderer.rendered(resourceOf(uri, object)));
  }
  return release.skipsTests ? resources.filter((resource) => !isTest(resource)) : resources;
}

/** Whether an object is a test of its chart: https://helm.sh/docs/topics/chart_tests/. */
function isTest({ tree }: Resource): boolean {
  const hooks = textAt(tree, 'metadata', 'annotations', 'helm.sh/hook').split(',');
  return hooks.some((hook) => ['test', 'test-success', 'test-failure'].includes(hook.trim()));
}

/** Evaluates the templates of a chart, or the actions that remain in its objects. */
export class ReleaseRenderer {
  readonly #renderer: Renderer;
  readonly #charts: ReadonlyMap<string, InstalledChart | 'off'>;
  /** The data that templates are rendered with (the dot), by the folders of their charts. */
  readonly #dots = new Map<string, Value>();
  readonly #release: Value;
  #dot: Value = open('.');
  /** The rendered strings, by the strings with template actions. */
  #texts = new Map<string, string>();

  constructor(folder: string, release: Release, files: ChartFiles) {
    this.#charts = installedCharts(folder, release, files);
    this.#release = releaseValue(release);
    let helpers: ReadonlyMap<string, Helper> | undefined;
    this.#renderer = new Renderer({
      values: open('.Values'),
      chart: open('.Chart'),
      definition: (name) => {
        helpers ??= helpersIn(files);
        return helpers.get(name);
      },
    });
  }

  /** Prepares for the objects of a file; returns false if the file belongs to a chart that the values turn off. */
  enter(uri: string): boolean {
    let folder = folderOf(uri);
    while (folder.includes('/') && !this.#charts.has(folder)) folder = folderOf(folder);
    const chart = this.#charts.get(folder);
    if (chart === 'off') return false;
    const dot = getOrAdd(this.#dots, folder, () => dotOf(chart, this.#release));
    if (dot !== this.#dot) this.#texts = new Map();
    this.#dot = dot;
    return true;
  }

  /** Returns the output of the template in a file, in which unknown parts remain actions; undefined if it is malformed. */
  output(uri: string, text: string): string | undefined {
    if (!this.enter(uri)) return '';
    const { nodes, problems } = readTemplate(text);
    return problems.length > 0 ? undefined : this.#renderer.output(nodes, this.#dot);
  }

  /** Whether an object is certainly not rendered, because a condition around it is not met. */
  leavesOut({ conditions = [] }: ManifestObject): boolean {
    for (const condition of conditions) {
      if (this.#isUnmet(condition)) return true;
      // Inside a `range`, the dot has a different value.
      if (condition.startsWith('range ')) return false;
    }
    return false;
  }

  /** Whether one of the parts of a condition is certainly not met: `not if .Values.a, if .Values.b`. */
  #isUnmet(condition: string): boolean {
    return condition.split(/, (?=(?:not )?(?:if|with|range) )/).some((part) => {
      const [, not, code = ''] = /^(not )?(?:if|with|range) (.*)$/s.exec(part) ?? [];
      if (code === '') return false;
      const { nodes, problems } = readTemplate(`{{ if ${code} }}${not ? '{{ else }}' : ''}x{{ end }}`);
      return problems.length === 0 && this.#renderer.output(nodes, this.#dot) === '';
    });
  }

  rendered(resource: Resource): Resource {
    const tree = this.#node(resource.tree);
    return tree === resource.tree || tree.kind !== 'map' ? resource : { ...remembering(resource), tree };
  }

  #node(node: Node): Node {
    if (node.kind === 'scalar') return this.#scalar(node);
    if (node.kind === 'list') {
      const items = node.items.map((item) => this.#node(item));
      return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
    }
    return this.#map(node);
  }

  #map(node: MapNode): MapNode {
    const entries = node.entries.map((entry) => {
      const key = this.#scalar(entry.key);
      const value = this.#node(entry.value);
      return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
    });
    const isSame = entries.every((entry, index) => entry === node.entries[index]);
    return isSame ? node : { ...mapOf(entries, node.span, node.open), ...(node.parts && { parts: node.parts }) };
  }

  #scalar(node: ScalarNode): ScalarNode {
    if (node.pattern === undefined || !node.text.includes('{{')) return node;
    const text = this.#text(node.text);
    if (text === node.text || text.includes('\n')) return node;
    const { pattern: _, assumed: __, ...plain } = node;
    return text.includes('{{') ? { ...plain, text, pattern: patternOf(text) } : { ...plain, text };
  }

  #text(text: string): string {
    const before = this.#texts.get(text);
    if (before !== undefined) return before;
    const { nodes, problems } = readTemplate(text);
    const after = problems.length > 0 ? this.#parts(text) : this.#renderer.output(nodes, this.#dot);
    this.#texts.set(text, after);
    return after;
  }

  /**
   * Renders a text in which some actions only describe an unknown value; the other actions are evaluated one by one.
   */
  #parts(text: string): string {
    return findActions(text).reduceRight((rest, { span }) => {
      const { nodes, problems } = readTemplate(text.slice(span.start, span.end));
      const written = problems.length > 0 ? text.slice(span.start, span.end) : this.#renderer.output(nodes, this.#dot);
      return rest.slice(0, span.start) + written + rest.slice(span.end);
    }, text);
  }
}

/** A chart that a release installs: the outermost chart, or one of its dependencies. */
interface InstalledChart {
  readonly chart: Chart;
  /**
   * The names of the chart and of the charts that contain it, without the outermost chart. The values of the outermost
   * chart with these names are the values of the chart.
   */
  readonly names: readonly string[];
  /** The values of the chart; undefined if they are unknown. */
  readonly values: Data | undefined;
}

function installedCharts(
  folder: string,
  release: Release,
  { facts, values: valuesIn }: ChartFiles,
): ReadonlyMap<string, InstalledChart | 'off'> {
  const written = [...facts].flatMap(([uri, { chart }]) => (chart === undefined ? [] : [[uri, chart] as const]));
  const charts = chartsByFolder(written);
  const dependencies = dependenciesOf(charts);
  const installed = new Map<string, InstalledChart | 'off'>();
  const own = (at: string) => valuesIn(`${at}/values.yaml`) ?? {};
  const install = (at: string, names: readonly string[], values: Data | undefined) => {
    const [, chart] = charts.get(at) ?? [];
    const known = installed.get(at);
    if (chart === undefined || (known !== undefined && known !== 'off')) return;
    installed.set(at, { chart, names, values });
    for (const { folder: below, name } of dependencies.get(at) ?? []) {
      const { condition = '' } = chart.dependencies.find((each) => (each.alias ?? each.name) === name) ?? {};
      if (values !== undefined && isTurnedOff(condition, overridden({ [name]: own(below) }, values))) {
        if (!installed.has(below)) installed.set(below, 'off');
        continue;
      }
      const shared = values === undefined ? undefined : fieldOf(values, 'global');
      const chosen = values && overridden(own(below), fieldOf(values, name));
      install(below, [...names, name], chosen && shared ? overridden(chosen, { global: shared }) : chosen);
    }
  };
  install(folder, [], release.values(own(folder)));
  return installed;
}

/** Whether the first path of a condition with a boolean value is false, as in Helm's `processDependencyConditions`. */
function isTurnedOff(condition: string, values: Data): boolean {
  for (const path of condition.split(',')) {
    const value = path
      .trim()
      .split('.')
      .reduce<Data | undefined>((map, key) => (map === undefined ? undefined : fieldOf(map, key)), values);
    if (typeof value === 'boolean') return !value;
  }
  return false;
}

/** Returns the data that a template is rendered with (the dot). Strings in objects refer to the values of the outermost chart (`.Values.redis.name`), and helpers to the values of their own chart (`.Values.name`). */
function dotOf(installed: InstalledChart | undefined, release: Value): Value {
  const dot = open('.');
  if (installed === undefined) return dot;
  const { chart, names, values } = installed;
  const about: Data = {
    Name: names.at(-1) ?? chart.name,
    ...(chart.version !== undefined && { Version: chart.version }),
    ...(chart.appVersion !== undefined && { AppVersion: chart.appVersion }),
  };
  const nested = names.reduceRight<Data>((below, name) => ({ [name]: below }), values ?? {});
  const all = values === undefined ? undefined : overridden(values, nested);
  const subcharts = names.reduceRight<Data>(
    (below, name, index) => ({ [name]: index === names.length - 1 ? below : { Subcharts: below } }),
    { Chart: about },
  );
  const entries = new Map<string, Value>([
    ['Values', all === undefined ? open('.Values') : dataValue(all, '.Values', { absent: '' })],
    ['Chart', dataValue(about, '.Chart', { isOpen: true })],
    ['Subcharts', dataValue(names.length === 0 ? {} : subcharts, '.Subcharts', { isOpen: true })],
    ['Release', release],
  ]);
  return { ...dot, field: (name) => entries.get(name) ?? dot.field(name) };
}

function helpersIn({ members, helpers: helpersAt }: ChartFiles): ReadonlyMap<string, Helper> {
  const helpers = new Map<string, Helper>();
  const texts = [...members].flatMap((uri) => {
    const text = helpersAt(uri);
    return text === undefined ? [] : [[uri, text] as const];
  });
  // Helm prefers the template with the shortest path and, among paths of equal length, the first by name.
  const depth = (uri: string) => uri.split('/').length;
  for (const [uri, text] of texts.toSorted(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
    const own = new Map(helpersOf(uri, text).map((helper) => [helper.name, helper]));
    for (const [name, helper] of own) if (!helpers.has(name)) helpers.set(name, helper);
  }
  return helpers;
}

function releaseValue({ name, namespace, isInstall }: Release): Value {
  const release = open('.Release');
  const fields = new Map<string, Data | undefined>([
    ['Name', name],
    ['Namespace', namespace],
    ['Service', 'Helm'],
    ...(isInstall
      ? ([
          ['IsInstall', true],
          ['IsUpgrade', false],
        ] as const)
      : []),
  ]);
  return {
    ...release,
    field: (field) => {
      const data = fields.get(field);
      if (data === undefined)
        return field.startsWith('Is') ? release.field(field) : { ...release.field(field), filled: true };
      return dataValue(data, `.Release.${field}`, {});
    },
  };
}
