/** Renders the objects of a chart for one release, with its name, its namespace and all of its values. */

import { getOrAdd } from '../../engine/memoize.ts';
import { findActions, patternOf, quotedText, textOfQuoted } from '../../manifests/helm/actions.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { dataValue } from '../../manifests/helm/data-value.ts';
import { type Helper, helpersOf } from '../../manifests/helm/helpers.ts';
import { fillingOf } from '../../manifests/helm/included-entries.ts';
import { onlyAction } from '../../manifests/helm/output.ts';
import { Renderer } from '../../manifests/helm/render.ts';
import { readTemplate } from '../../manifests/helm/syntax.ts';
import { type Data, fieldOf, inParentheses, open, type Value } from '../../manifests/helm/value.ts';
import { overridden } from '../../manifests/helm/values.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { MapEntry, MapNode, Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { chartsByFolder, dependenciesOf } from '../charts/charts.ts';
import { listOf, mapOf, scalarOf } from '../kustomize/edit-tree.ts';
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
  /** Returns the values that are certain although others are unknown, of those merged into the default values of the chart; undefined if all values are unknown. */
  certainValues?(defaults: Data): Data | undefined;
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
      if (object.forCluster && !object.inValues) resources.push(...renderer.installed(resourceOf(uri, object)));
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
  /** The current iterations of the loops around an object or an entry, outermost first. */
  #loops: readonly { readonly code: string; readonly key: string }[] = [];
  #iterations = 0;

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
    return this.enter(uri) ? this.#output(text) : '';
  }

  /** Returns a resource once for each iteration of the loops around it, without its conditions (a network policy then certainly exists) if all of them are certainly met; nothing if one of them is certainly not met. */
  installed(resource: Resource): readonly Resource[] {
    const { conditions = [], isOptional: _, ...certain } = resource.source;
    const installed = { ...resource, source: certain };
    return this.#instances(conditions.flatMap(conditionsIn), (isCertain) =>
      this.rendered(isCertain && conditions.length > 0 ? installed : resource),
    );
  }

  /**
   * Returns the result of `render` for each iteration of the loops among some conditions, outermost first. The
   * parameter of `render` is whether all conditions are certainly met.
   */
  #instances<Item>(
    [written, ...inner]: readonly string[],
    render: (isCertain: boolean) => Item,
    isCertain = true,
  ): readonly Item[] {
    if (written === undefined) return [render(isCertain)];
    const [, not, keyword, code = ''] = conditionForm.exec(this.#inLoops(written)) ?? [];
    // A condition that is not an expression is written as a quoted text.
    const isExpression = code !== '' && !code.startsWith('"');
    const output = isExpression ? this.#output(`{{ if ${code} }}${not ? '{{ else }}' : ''}x{{ end }}`) : undefined;
    if (output === '') return [];
    if (not !== undefined || keyword !== 'range') return this.#instances(inner, render, isCertain && output === 'x');
    const keys = this.#keysOf(code);
    if (keys === undefined) return this.#instances(inner, render, false);
    const loops = this.#loops;
    const found = keys.flatMap((key) => {
      this.#loops = [...loops, { code, key }];
      return this.#instances(inner, render, isCertain);
    });
    this.#loops = loops;
    return found;
  }

  /** Returns the keys of a map, or the indexes of a list, in the order of a loop; undefined if they are unknown. */
  #keysOf(code: string): readonly string[] | undefined {
    const output = this.#output(`{{ range $key, $item := ${code} }}{{ $key | quote }}\n{{ end }}`);
    if (output === undefined || output.includes('{{')) return undefined;
    const keys = output.split('\n').slice(0, -1).map(textOfQuoted);
    this.#iterations += keys.length;
    return this.#iterations > maximumIterations ? undefined : keys;
  }

  /** Replaces the items of the current loops by the items of the current iterations. */
  #inLoops(text: string): string {
    return this.#loops.reduce((rest, { code, key }) => {
      const loop = inParentheses(code);
      const index = /^\d+$/.test(key) ? key : quotedText(key);
      const item = /^\w+$/.test(key) && loop === code ? `${loop}.${key}` : `(index ${loop} ${index})`;
      return rest.split(`${loop}[]`).reduce((before, after) => {
        const isKey = before.endsWith('key of ') && !/^[.[]/.test(after);
        return isKey ? `${before.slice(0, -'key of '.length)}${quotedText(key)}${after}` : `${before}${item}${after}`;
      });
    }, text);
  }

  /** Returns the output of a template; undefined if it is malformed. */
  #output(text: string): string | undefined {
    const { nodes, problems } = readTemplate(text);
    return problems.length > 0 ? undefined : this.#renderer.output(nodes, this.#dot);
  }

  rendered(resource: Resource): Resource {
    const tree = this.#node(resource.tree);
    return tree === resource.tree || tree.kind !== 'map' ? resource : { ...remembering(resource), tree };
  }

  #node(node: Node): Node {
    if (node.kind === 'scalar') return this.#json(node) ?? this.#scalar(node);
    if (node.kind === 'list') {
      const items = node.items.map((item) => this.#node(item));
      return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
    }
    return this.#map(node);
  }

  /** Returns the map that `toJson` writes; if it is unknown, the scalar itself. */
  #json(node: ScalarNode): Node | undefined {
    if (!node.text.startsWith('{{ toJson ') || node.style !== 'plain') return undefined;
    const filling = this.#filling(onlyAction(node.text) ?? '', node.span);
    return filling === undefined ? node : mapWith(filling.entries, filling.parts, node.span);
  }

  #map(node: MapNode): Node {
    const { span } = node;
    const entries = node.entries.flatMap((entry) => {
      const { condition, ...others } = entry;
      if (condition === undefined) return [this.#entry(entry)];
      return this.#instances(conditionsIn(condition), (isCertain) =>
        this.#entry(isCertain ? { ...others, conditional: false } : entry),
      );
    });
    const isSame =
      entries.length === node.entries.length && entries.every((each, index) => each === node.entries[index]);
    if (isSame && node.parts === undefined) return node;
    const parts: string[] = [];
    let isNull = entries.length === 0;
    for (const part of node.parts ?? []) {
      const filling = this.#filling(part, span);
      entries.push(...(filling?.entries ?? []));
      parts.push(...(filling?.parts ?? [this.#inLoops(part)]));
      isNull &&= filling?.isNull === true;
    }
    // A key for which a template writes nothing has the value null.
    if (isNull) return { ...scalarOf('', span), type: 'null' };
    return mapWith(entries, node.parts === undefined && node.open ? [''] : parts, span);
  }

  #entry(entry: MapEntry): MapEntry {
    const key = this.#scalar(entry.key);
    const value = this.#node(entry.value);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  }

  /** Returns the entries that a template part adds to a map; undefined if they are unknown. */
  #filling(part: string, span: Span): Filling | undefined {
    const conditions = conditionsIn(part);
    const last = conditions.pop() ?? '';
    const comma = conditionForm.test(last) ? last.lastIndexOf(', ') : -2;
    if (comma === -1) return undefined;
    if (comma !== -2) conditions.push(last.slice(0, comma));
    const all: Filling = { entries: [], parts: [], isNull: true };
    const isKnown = this.#instances(conditions, (isCertain) => {
      const code = this.#inLoops(last.slice(comma + 2));
      const text = isCertain && code !== '' ? this.#output(`{{ ${code} }}`) : undefined;
      const map = text === undefined ? undefined : fillingOf({ written: { code, text }, span }, noFacts);
      all.entries.push(...(map?.entries ?? []));
      all.parts.push(...(map?.parts ?? []));
      all.isNull &&= text?.trim() === '';
      return map !== undefined;
    });
    return isKnown.includes(false) ? undefined : all;
  }

  #scalar(node: ScalarNode): ScalarNode {
    if (node.pattern === undefined || !node.text.includes('{{')) return node;
    const text = this.#text(node.text);
    if (text === node.text || text.includes('\n')) return node;
    const { pattern: _, assumed: __, ...plain } = node;
    return text.includes('{{') ? { ...plain, text, pattern: patternOf(text) } : { ...plain, text };
  }

  #text(written: string): string {
    const text = this.#inLoops(written);
    const before = this.#texts.get(text);
    if (before !== undefined) return before;
    const after = this.#output(text) ?? this.#parts(text);
    this.#texts.set(text, after);
    return after;
  }

  /**
   * Renders a text in which some actions only describe an unknown value; the other actions are evaluated one by one.
   */
  #parts(text: string): string {
    return findActions(text).reduceRight((rest, { span }) => {
      const action = text.slice(span.start, span.end);
      const written = this.#output(action) ?? action;
      return rest.slice(0, span.start) + written + rest.slice(span.end);
    }, text);
  }
}

/** The maximum number of iterations of all loops in the templates of a release. */
const maximumIterations = 2_000;

const conditionForm = /^(not )?(if|with|range) (.*)$/s;

/** Splits a condition into its parts: `not if .Values.a, if .Values.b`. */
function conditionsIn(condition: string): string[] {
  return condition.split(/, (?=(?:not )?(?:if|with|range) )/);
}

/** What a template part adds to a map. */
interface Filling {
  readonly entries: MapEntry[];
  readonly parts: string[];
  /** Whether the part writes nothing, not even an empty map. */
  isNull: boolean;
}

/** Returns a map that is open if it has template parts. */
function mapWith(entries: readonly MapEntry[], parts: readonly string[], span: Span): MapNode {
  return parts.length === 0 ? mapOf(entries, span) : { ...mapOf(entries, span, true), parts };
}

const noFacts = { assumed: () => undefined, originOf: () => undefined };

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
  /** Whether more values may be set, in all maps. */
  readonly isOpen: boolean;
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
  const defaultsOf = (at: string) => valuesIn(`${at}/values.yaml`) ?? {};
  const all = release.values(defaultsOf(folder));
  const isOpen = all === undefined;
  // An unknown value may replace a default.
  const own = (at: string) => (isOpen ? {} : defaultsOf(at));
  const install = (at: string, names: readonly string[], values: Data | undefined) => {
    const [, chart] = charts.get(at) ?? [];
    const known = installed.get(at);
    if (chart === undefined || (known !== undefined && known !== 'off')) return;
    installed.set(at, { chart, names, values, isOpen });
    for (const { folder: below, name } of dependencies.get(at) ?? []) {
      const { condition = '' } = chart.dependencies.find((each) => (each.alias ?? each.name) === name) ?? {};
      if (values !== undefined && isTurnedOff(condition, overridden({ [name]: own(below) }, values), isOpen)) {
        if (!installed.has(below)) installed.set(below, 'off');
        continue;
      }
      const shared = values === undefined ? undefined : fieldOf(values, 'global');
      const chosen = values && overridden(own(below), fieldOf(values, name));
      install(below, [...names, name], chosen && shared ? overridden(chosen, { global: shared }) : chosen);
    }
  };
  install(folder, [], all ?? release.certainValues?.(defaultsOf(folder)));
  return installed;
}

/** Whether the first path of a condition with a boolean value is certainly false, as in Helm's `processDependencyConditions`. `isOpen` states whether values may be missing. */
function isTurnedOff(condition: string, values: Data, isOpen: boolean): boolean {
  for (const path of condition.split(',')) {
    const value = path
      .trim()
      .split('.')
      .reduce<Data | undefined>((map, key) => (map === undefined ? undefined : fieldOf(map, key)), values);
    if (typeof value === 'boolean') return !value;
    const isUnknown = value === undefined ? isOpen : typeof value === 'string' && value.includes('{{');
    if (isUnknown) return false;
  }
  return false;
}

/** Returns the data that a template is rendered with (the dot). Strings in objects refer to the values of the outermost chart (`.Values.redis.name`), and helpers to the values of their own chart (`.Values.name`). */
function dotOf(installed: InstalledChart | undefined, release: Value): Value {
  const dot = open('.');
  if (installed === undefined) return dot;
  const { chart, names, values, isOpen } = installed;
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
    ['Values', all === undefined ? open('.Values') : dataValue(all, '.Values', { absent: '', areMapsOpen: isOpen })],
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
