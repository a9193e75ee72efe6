/**
 * Computes the values of a chart and its dependencies, as Helm 3.17 and later versions do. As in Helm, maps are changed
 * in place, because maps of global values that are nested in other maps are shared among charts.
 * Source: `pkg/chartutil/coalesce.go`, `dependencies.go` and `values.go` of Helm.
 */

import { spend } from '../../engine/work-budget.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { nullOrAbsent } from '../../manifests/helm/execution/template-value.ts';
import { type Data, isMap } from '../../manifests/helm/value.ts';

type Scalar = string | number | boolean | null;
export type Item = Scalar | readonly Data[] | Table;
/** A map of values. The content of lists is never changed. */
export type Table = Map<string, Item>;

/** What versions of Helm do differently about null. */
export interface NullRules {
  /** Whether a null that overrides a map is also removed if the map itself contains null: since Helm 3.19. */
  readonly spreadsNulls: boolean;
  /** Whether a null remains that overrides null: since Helm 3.21. */
  readonly keepsEqualNulls: boolean;
}

/** The rules of Helm 3.17, 3.19 and 3.21. */
export const versions: readonly NullRules[] = [
  { spreadsNulls: true, keepsEqualNulls: false },
  { spreadsNulls: false, keepsEqualNulls: false },
  { spreadsNulls: true, keepsEqualNulls: true },
];

/** A chart with the charts on which it depends. */
export interface ChartNode {
  readonly chart: Chart;
  /** The name under which the chart is installed. */
  readonly name: string;
  /** The default values, with the imported ones. */
  values: Table;
  /** The charts on which the chart depends. */
  children: readonly ChartNode[];
  /** The names of the dependencies that values turn off. */
  off: ReadonlySet<string>;
  /** Returns the charts on which the chart depends under the names that its file states. */
  installed(): readonly ChartNode[];
}

/** Whether a value is text with unknown parts. */
function isUnknown(value: Item | undefined, isOpen = false): boolean {
  return value === undefined ? isOpen : typeof value === 'string' && value.includes('{{');
}

export function tableOf(data: Data): Table {
  const entries = isMap(data) ? Object.entries(data) : [];
  spend(1 + entries.length / entriesOfStep);
  return new Map(entries.map(([key, value]) => [key, isMap(value) ? tableOf(value) : value]));
}

export function dataOfTable(table: Table): Data {
  spend(1 + table.size / entriesOfStep);
  return Object.fromEntries([...table].map(([key, value]) => [key, value instanceof Map ? dataOfTable(value) : value]));
}

/** The number of entries of a map that are copied in one step. */
const entriesOfStep = 2;

function copied(table: Table): Table {
  spend(1 + table.size / entriesOfStep);
  return new Map([...table].map(([key, value]) => [key, value instanceof Map ? copied(value) : value]));
}

/** Whether a map or a map in it contains null. */
export function hasNull(table: Table): boolean {
  return [...table.values()].some((value) => value === null || (value instanceof Map && hasNull(value)));
}

export class Coalescing {
  readonly #rules: NullRules;
  /** Whether further values are unknown, in any map. */
  readonly #isOpen: boolean;

  constructor(rules: NullRules, isOpen: boolean) {
    this.#rules = rules;
    this.#isOpen = isOpen;
  }

  /** Removes dependencies that are turned off, imports values, and returns the values of the outermost chart. Its values contain those of its dependencies. */
  valuesOf(root: ChartNode, chosen: Table): Table {
    this.#enable(root, chosen, '');
    this.#addImports(root);
    return this.#coalesced(root, copied(chosen), false);
  }

  #coalesced(node: ChartNode, values: Table, isMerge: boolean): Table {
    this.#addDefaults(node, values, isMerge);
    for (const child of node.children) {
      if (!values.has(child.name)) values.set(child.name, new Map());
      const own = values.get(child.name);
      if (!(own instanceof Map)) continue;
      this.#addGlobals(own, values);
      this.#coalesced(child, own, isMerge);
    }
    return values;
  }

  #addDefaults(node: ChartNode, values: Table, isMerge: boolean): void {
    for (const [key, usual] of copied(node.values)) {
      const value = values.get(key);
      if (value === undefined) values.set(key, usual);
      else if (value === null && !isMerge) values.delete(key);
      else if (value instanceof Map && usual instanceof Map)
        this.#mergeInto(value, usual, isMerge || node.children.some(({ name }) => name === key));
    }
  }

  /** Adds the entries of a second map that a map does not have. */
  #mergeInto(target: Table, source: Table, isMerge: boolean): void {
    spend(1 + source.size / entriesOfStep);
    const replaced = new Set([...source].flatMap(([key, value]) => (value === null ? [] : [key])));
    if (this.#rules.spreadsNulls) for (const [key, value] of target) if (value === null) source.set(key, null);
    for (const [key, value] of source) {
      const own = target.get(key);
      const isRemoved = own === null && !isMerge && (replaced.has(key) || !this.#rules.keepsEqualNulls);
      if (own === undefined) target.set(key, value);
      else if (isRemoved) target.delete(key);
      else if (own instanceof Map && value instanceof Map) this.#mergeInto(own, value, isMerge);
    }
  }

  /** Adds the global values of a chart to the values of its dependency. */
  #addGlobals(target: Table, source: Table): void {
    const own = target.get('global') ?? (target.has('global') ? null : new Map());
    const shared = source.get('global') ?? (source.has('global') ? null : new Map());
    if (isUnknown(shared)) target.set('global', shared);
    if (!(own instanceof Map && shared instanceof Map)) return;
    for (const [key, value] of shared) {
      const known = own.get(key);
      if (value instanceof Map) {
        const copy: Table = new Map(value);
        if (known instanceof Map) this.#mergeInto(copy, known, true);
        if (known === undefined || known instanceof Map) own.set(key, copy);
      } else if (!(known instanceof Map) || isUnknown(value)) own.set(key, value);
    }
    target.set('global', own);
  }

  /** Finds the dependencies that are turned off. Helm evaluates the conditions of a dependency with the values of all charts above, to which it adds the defaults of the chart itself. */
  #enable(node: ChartNode, chosen: Table, path: string): void {
    const { dependencies } = node.chart;
    if (dependencies.length === 0) return;
    node.children = node.installed();
    const values = this.#coalesced(node, copied(chosen), false);
    const off = dependencies.filter(({ tags = [], condition = '' }) => {
      const found = this.#condition(condition, values, path);
      return found === undefined ? this.#areTagsOff(tags, values) : !found;
    });
    node.off = new Set(off.map(({ alias, name }) => alias ?? name));
    node.children = node.children.filter(({ name }) => !node.off.has(name));
    for (const child of node.children) this.#enable(child, values, `${path}${child.name}.`);
  }

  /** Returns the first boolean value of the paths of a condition; true if it is unknown, and undefined if there is none. */
  #condition(condition: string, values: Table, above: string): boolean | undefined {
    // Helm removes spaces only around the whole condition.
    for (const path of condition.trim().split(',')) {
      if (path === '') continue;
      const value = this.#valueAt(values, above + path);
      if (typeof value === 'boolean') return value;
      if (isUnknown(value, this.#isOpen)) return true;
    }
    return undefined;
  }

  #valueAt(values: Table, path: string): Item | undefined {
    let value: Item | undefined = values;
    for (const key of path.split('.')) {
      if (!(value instanceof Map)) return isUnknown(value) ? value : undefined;
      value = value.get(key);
    }
    return value;
  }

  /** Whether at least one tag is certainly false and none may be true. */
  #areTagsOff(tags: readonly string[], values: Table): boolean {
    const chosen = values.get('tags');
    const found = tags.map((tag) => (chosen instanceof Map ? chosen.get(tag) : chosen));
    return found.includes(false) && !found.some((value) => value === true || isUnknown(value, this.#isOpen));
  }

  /** Adds to the defaults of each chart the values that it imports from its dependencies, and all values that it sets for them. */
  #addImports(node: ChartNode): void {
    for (const child of node.children) this.#addImports(child);
    const needed = node.chart.dependencies.filter(({ alias, name }) => !node.off.has(alias ?? name));
    if (needed.length === 0) return;
    const values = this.#coalesced(node, new Map(), true);
    const imported: Table = new Map();
    for (const { alias, name, imports = [] } of needed)
      for (const { child, parent } of imports) {
        const found = this.#valueAt(values, `${alias ?? name}.${child}`);
        if (!(found instanceof Map)) continue;
        const steps = parent === '.' ? [] : parent.split('.');
        // Helm copies only an empty map, so that later imports change the others in place.
        const own = found.size === 0 ? new Map() : found;
        const placed = steps.reduceRight<Table>((inner, key) => new Map([[key, inner]]), own);
        this.#mergeInto(imported, placed, true);
      }
    node.values = copied(values);
    this.#mergeInto(node.values, imported, true);
  }
}

/** Returns values in which everything is unknown in which the values of two versions of Helm differ; `code` is the expression of the values. */
export function agreed(some: Data | undefined, others: Data | undefined, code: string): Data {
  if (isMap(some) && isMap(others)) {
    spend(1 + Object.keys(some).length / entriesOfStep);
    const keys = [...Object.keys(some), ...Object.keys(others).filter((key) => !Object.hasOwn(some, key))];
    const own = (data: { readonly [key: string]: Data }, key: string) =>
      Object.hasOwn(data, key) ? data[key] : undefined;
    return Object.fromEntries(keys.map((key) => [key, agreed(own(some, key), own(others, key), `${code}.${key}`)]));
  }
  if (some !== undefined && others !== undefined && JSON.stringify(some) === JSON.stringify(others)) return some;
  const isNull = [some, others].every((each) => each === undefined || each === null || each === nullOrAbsent);
  return isNull ? nullOrAbsent : `{{ ${code} }}`;
}
