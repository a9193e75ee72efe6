/** Evaluates the generators of an ApplicationSet whose results files determine: lists, files and folders of git, and combinations. Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators/. */

import { evaluate, fromLabelSelector, type Value } from '../../../engine/index.ts';
import { spend } from '../../../engine/work-budget.ts';
import { ownRevisions, repositoryKey } from '../../../manifests/gitops/repository-url.ts';
import { type Data, isMap, isScalar, textOf } from '../../../manifests/helm/value.ts';
import { readValues } from '../../../manifests/helm/values.ts';
import { pathMatcher, pathspecMatcher } from '../../../text/go-glob.ts';
import { normalized } from './set-functions.ts';
import { type Language, type ParameterSet, type Parameters, unknownPattern } from './set-template.ts';

/** The repository whose files and folders generators list. Paths are relative to its root. */
export interface GeneratorFiles {
  /** The folders that contain files, directly or in subfolders, in lexical order. `files` has the same order. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  isIncluded(folder: string): boolean;
  isHere(url: string): boolean;
  /** Returns the content of a YAML or JSON file: null if the file is empty, undefined if its content is unknown. */
  content(path: string): Data | undefined;
}

/** The options with which the templates of a set are evaluated. */
export interface SetOptions {
  readonly isGo: boolean;
  readonly render: Language;
}

export interface Generated {
  readonly sets: readonly ParameterSet[];
  /** Whether there may be more sets, or some of these sets may not exist. */
  readonly open: boolean;
}

/** The number of characters that are rendered, of paths that are compared with a pattern, and of parameters that are copied, in one step. */
export const charactersOfStep = 10;
const pathsOfStep = 5;
const parametersOfStep = 5;

/** The maximum depth of nested generators; Argo CD allows two levels inside the outermost generator. */
const maximumNesting = 4;

const unknown: Generated = { sets: [], open: true };

/** Evaluates one item of `spec.generators`. */
export function generatedBy(item: Data, files: GeneratorFiles, options: SetOptions): Generated {
  return new Generators(files, options).of(item, undefined, 0);
}

/** The generators whose parameters are in no file. */
export const unknownGenerators: ReadonlySet<string> = new Set([
  'clusters',
  'scmProvider',
  'pullRequest',
  'clusterDecisionResource',
  'plugin',
]);

/** Returns the repositories whose files determine the parameters of a generator, in the revision of the workspace; undefined if something else determines them, too. */
export function repositoriesOf(item: Data, depth = 0): readonly string[] | undefined {
  const [given, ...others] = isMap(item) ? Object.entries(item).filter(([key]) => key !== 'selector') : [];
  const [kind, spec = null] = given ?? [];
  if (others.length > 0 || !isMap(spec) || depth > maximumNesting) return undefined;
  if (kind === 'list') return [];
  if (kind === 'git') {
    const { repoURL, revision = '' } = spec;
    const isKnown = typeof repoURL === 'string' && !repoURL.includes('{{');
    return isKnown && ownRevisions.has(String(revision)) ? [repositoryKey(repoURL)] : undefined;
  }
  if ((kind !== 'matrix' && kind !== 'merge') || !Array.isArray(spec['generators'])) return undefined;
  const all = spec['generators'].map((each) => repositoriesOf(each, depth + 1));
  return all.includes(undefined) ? undefined : all.flatMap((each) => each ?? []);
}

class Generators {
  readonly #files: GeneratorFiles;
  readonly #options: SetOptions;

  constructor(files: GeneratorFiles, options: SetOptions) {
    this.#files = files;
    this.#options = options;
  }

  /**
   * Evaluates a generator. `around` contains the parameters of the first generator of a matrix, with which the second
   * generator is rendered.
   */
  of(item: Data, around: ParameterSet | undefined, depth: number): Generated {
    if (!isMap(item) || depth > maximumNesting) return unknown;
    const kinds = Object.keys(item).filter((key) => key !== 'selector' && item[key] !== null);
    const [kind = '', ...others] = kinds;
    if (others.length > 0) return unknown;
    const written = item[kind] ?? null;
    const spec = around === undefined || depth === 0 ? written : this.#rendered(written, around);
    if (!isMap(spec)) return unknown;
    const { sets, open } = this.#ofKind(kind, spec, around, depth);
    return { sets: item['selector'] === undefined ? sets : selected(sets, item['selector'] ?? null), open };
  }

  #ofKind(kind: string, spec: Parameters, around: ParameterSet | undefined, depth: number): Generated {
    if (kind === 'list') return this.#list(spec);
    if (kind === 'git') return this.#git(spec);
    if (kind === 'matrix') return this.#matrix(spec, around, depth);
    if (kind === 'merge') return this.#merge(spec, around, depth);
    if (unknownGenerators.has(kind))
      return { sets: [this.#withValues({ values: {}, open: true }, spec['values'])], open: true };
    return unknown;
  }

  #list({ elements = [], elementsYaml }: Parameters): Generated {
    const listed = Array.isArray(elements) ? elements : [];
    if (!this.#options.isGo && !listed.every(hasOnlyTexts)) return unknown;
    const text = typeof elementsYaml === 'string' ? elementsYaml : '';
    if (text.includes('{{')) return { ...this.#sets(listed), open: true };
    const more = text === '' ? [] : listOf(text);
    return more === undefined ? unknown : this.#sets([...listed, ...more]);
  }

  #sets(elements: readonly Data[]): Generated {
    const sets = elements.flatMap((element): readonly ParameterSet[] => {
      if (!isMap(element)) return [];
      return [{ values: this.#options.isGo ? element : flattened(element), open: false }];
    });
    return { sets, open: sets.length < elements.length };
  }

  #git(spec: Parameters): Generated {
    const { repoURL, directories, files, values, pathParamPrefix } = spec;
    if (typeof repoURL !== 'string' || !this.#files.isHere(repoURL)) return unknown;
    const prefix = typeof pathParamPrefix === 'string' ? pathParamPrefix : '';
    const found = Array.isArray(directories)
      ? this.#folders(directories)
      : Array.isArray(files)
        ? this.#contents(files)
        : undefined;
    if (found === undefined) return unknown;
    const sets = found.sets.map(({ path, file, values: own }): ParameterSet => {
      const about = this.#options.isGo ? goPath(path, file, prefix) : flatPath(path, file, prefix);
      return this.#withValues({ values: { ...own, ...about }, open: false }, values);
    });
    return { sets, open: found.open };
  }

  #folders(entries: readonly Data[]): Found | undefined {
    const given = entriesOf(entries, pathMatcher);
    if (given === undefined) return undefined;
    spend((this.#files.folders.length * given.length) / pathsOfStep);
    const folders = this.#files.folders.filter((folder) => {
      return folder !== '' && !folder.split('/').some((name) => name.startsWith('.')) && isChosen(folder, given);
    });
    return { sets: folders.map((path) => ({ path, values: {} })), open: false };
  }

  #contents(entries: readonly Data[]): Found | undefined {
    const given = entriesOf(entries, pathspecMatcher);
    if (given === undefined) return undefined;
    spend((this.#files.files.length * given.length) / pathsOfStep);
    let open = false;
    const sets = this.#files.files
      .filter((path) => isChosen(path, given))
      .flatMap((path) => {
        // An empty file yields one set without parameters.
        const read = this.#files.content(path);
        const content = read === null ? {} : read;
        const all = content === undefined ? [] : Array.isArray(content) ? content : [content];
        open ||= content === undefined || all.some((each) => !isMap(each));
        const slash = path.lastIndexOf('/');
        const place = { path: slash === -1 ? '.' : path.slice(0, slash), file: path.slice(slash + 1) };
        return all.flatMap((each) => {
          return isMap(each) ? [{ ...place, values: this.#options.isGo ? each : flattened(each) }] : [];
        });
      });
    return { sets, open };
  }

  /** Returns the product of two generators; the second generator is rendered with each set of the first. */
  #matrix({ generators }: Parameters, around: ParameterSet | undefined, depth: number): Generated {
    const [first, second, ...others] = Array.isArray(generators) ? generators : [];
    if (first === undefined || second === undefined || others.length > 0) return unknown;
    const outer = this.of(first, around, depth + 1);
    let { open } = outer;
    const sets: ParameterSet[] = [];
    for (const set of outer.sets) {
      const inner = this.of(second, set, depth + 1);
      open ||= inner.open;
      for (const each of inner.sets) {
        spend(1 + Object.keys(each.values).length / parametersOfStep);
        if (!this.#options.isGo && areConflicting(set.values, each.values)) return unknown;
        const values = this.#options.isGo ? deepMerged(each.values, set.values) : { ...set.values, ...each.values };
        sets.push({ values, open: set.open || each.open });
      }
    }
    return { sets, open };
  }

  /**
   * Merges generators: each later generator overrides the sets of the first generator that have equal values at the
   * merge keys.
   */
  #merge({ generators, mergeKeys }: Parameters, around: ParameterSet | undefined, depth: number): Generated {
    const keys = Array.isArray(mergeKeys) ? mergeKeys.map(String) : [];
    const [first, ...others] = Array.isArray(generators) ? generators : [];
    if (first === undefined || others.length === 0 || keys.length === 0) return unknown;
    const base = this.of(first, around, depth + 1);
    if (hasRepeated(base.sets, keys)) return unknown;
    let { sets, open } = base;
    for (const other of others) {
      const overriding = this.of(other, around, depth + 1);
      if (hasRepeated(overriding.sets, keys)) return unknown;
      open ||= overriding.open;
      sets = sets.flatMap((set) => this.#overridden(set, overriding.sets, keys));
    }
    return { sets, open };
  }

  /**
   * Returns a set, overridden by the set that has equal values at the merge keys. If it is uncertain which of several
   * sets has equal values, the result contains one variant for each of them, and the unchanged set.
   */
  #overridden(set: ParameterSet, others: readonly ParameterSet[], keys: readonly string[]): readonly ParameterSet[] {
    const result: ParameterSet[] = [];
    for (const other of others) {
      spend(1);
      const equal = keys.map((key) => isEqual(valueAt(set, key), valueAt(other, key)));
      if (equal.includes(false)) continue;
      const values = this.#options.isGo ? deepMerged(set.values, other.values) : { ...set.values, ...other.values };
      const both = { values, open: set.open || other.open };
      if (!equal.includes(undefined)) return [both];
      result.push(both);
    }
    return [...result, set];
  }

  #withValues(set: ParameterSet, values: Data | undefined): ParameterSet {
    if (!isMap(values)) return set;
    const rendered = this.#rendered(values, set);
    if (!isMap(rendered)) return set;
    const { isGo } = this.#options;
    return { ...set, values: { ...set.values, ...(isGo ? { values: rendered } : flattened({ values: rendered })) } };
  }

  #rendered(data: Data, set: ParameterSet): Data {
    return renderedData(data, (text) => {
      const rendered = this.#options.render(text, set);
      spend(1 + rendered.length / charactersOfStep);
      return rendered;
    });
  }
}

interface Found {
  readonly sets: readonly { readonly path: string; readonly file?: string; readonly values: Parameters }[];
  readonly open: boolean;
}

interface Entry {
  readonly isExcluding: boolean;
  matches(path: string): boolean;
}

/** Returns the entries of `directories` or `files`; undefined if one of them depends on a template. */
function entriesOf(
  entries: readonly Data[],
  matcher: (pattern: string) => ((path: string) => boolean) | undefined,
): readonly Entry[] | undefined {
  const found: Entry[] = [];
  for (const entry of entries) {
    const path = isMap(entry) ? entry['path'] : undefined;
    if (!isMap(entry) || typeof path !== 'string' || path.includes('{{')) return undefined;
    // A malformed pattern matches nothing.
    found.push({ isExcluding: entry['exclude'] === true, matches: matcher(path) ?? (() => false) });
  }
  return found;
}

function isChosen(path: string, entries: readonly Entry[]): boolean {
  const of = (excluding: boolean) => entries.some((each) => each.isExcluding === excluding && each.matches(path));
  return of(false) && !of(true);
}

/** Returns data with every string and key rendered. */
export function renderedData(data: Data, render: (text: string) => string): Data {
  if (typeof data === 'string') return render(data);
  if (Array.isArray(data)) return data.map((item) => renderedData(item, render));
  if (!isMap(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [render(key), renderedData(value, render)]));
}

/** Returns the items of a YAML list; undefined if the text is not a list. */
function listOf(text: string): readonly Data[] | undefined {
  const indented = text.split('\n').map((line) => `  ${line}`);
  const wrapped = readValues(['items:', ...indented].join('\n'));
  const items = isMap(wrapped) ? wrapped['items'] : undefined;
  return Array.isArray(items) ? items : undefined;
}

/** Returns the parameters that describe a folder or file in Go templates: `.path.basename`. */
function goPath(path: string, file: string | undefined, prefix: string): Parameters {
  const about = { path, ...namesOf(path, file), segments: path.split('/') };
  return prefix === '' ? { path: about } : { [prefix]: { path: about } };
}

/** Returns the parameters that describe a folder or file in fasttemplate: `path`, `path.basename`, `path[0]`. */
function flatPath(path: string, file: string | undefined, prefix: string): Parameters {
  const start = prefix === '' ? 'path' : `${prefix}.path`;
  const names = Object.entries(namesOf(path, file)).map(([name, value]) => [`${start}.${name}`, value]);
  const segments = path.split('/').map((segment, index) => [`${start}[${index}]`, segment]);
  return { [start]: path, ...Object.fromEntries([...names, ...segments]) };
}

function namesOf(path: string, file: string | undefined): Parameters {
  const basename = path.split('/').at(-1) ?? path;
  const folder = { basename, basenameNormalized: normalized(basename) };
  return file === undefined ? folder : { ...folder, filename: file, filenameNormalized: normalized(file) };
}

/** Returns nested parameters as a flat map from names with dots to strings. */
function flattened(values: Parameters): Parameters {
  const flat: Record<string, Data> = {};
  const add = (name: string, data: Data) => {
    spend(1);
    if (isMap(data)) for (const [key, value] of Object.entries(data)) add(`${name}.${key}`, value);
    else if (Array.isArray(data)) for (const [index, item] of data.entries()) add(`${name}.${index}`, item);
    else if (isScalar(data)) flat[name] = textOf(data);
  };
  for (const [name, data] of Object.entries(values)) add(name, data);
  return flat;
}

/** Whether an element of a list is valid for fasttemplate: its own values, and the values in its map `values`, must be strings. */
function hasOnlyTexts(element: Data): boolean {
  if (!isMap(element)) return false;
  return Object.entries(element).every(([key, value]) => {
    const isNested = key === 'values' && isMap(value);
    return typeof value === 'string' || (isNested && Object.values(value).every((each) => typeof each === 'string'));
  });
}

/** Whether two sets of parameters have a common key with different values, which Argo CD rejects for fasttemplate. */
function areConflicting(a: Parameters, b: Parameters): boolean {
  return Object.entries(b).some(([key, value]) => {
    const other = Object.hasOwn(a, key) ? a[key] : undefined;
    const isKnown = [value, other].every((each) => typeof each === 'string' && !each.includes('{{'));
    return isKnown && value !== other;
  });
}

/** Whether two sets certainly have equal values at the merge keys, which Argo CD rejects. */
function hasRepeated(sets: readonly ParameterSet[], keys: readonly string[]): boolean {
  const seen = new Set<string>();
  return sets.some((set) => {
    const values = keys.map((key) => valueAt(set, key));
    if (values.includes(undefined)) return false;
    const text = JSON.stringify(values);
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated;
  });
}

/** Merges two maps recursively; the values of `over` take precedence. */
function deepMerged(under: Parameters, over: Parameters): Parameters {
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const known = merged.get(key);
    merged.set(key, isMap(known) && isMap(value) ? deepMerged(known, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Returns the value of a parameter; undefined if it is unknown, null if the set certainly lacks it. */
function valueAt({ values, open }: ParameterSet, key: string): Data | undefined {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (typeof value === 'string' && value.includes('{{')) return undefined;
  return value ?? (open ? undefined : null);
}

function isEqual(a: Data | undefined, b: Data | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the sets that the selector of a generator may match. */
function selected(sets: readonly ParameterSet[], selector: Data): readonly ParameterSet[] {
  const parsed = fromLabelSelector(selector);
  const wanted = parsed.ok ? parsed.value : parsed.partial;
  return sets.filter(({ values, open }) => {
    const labels = Object.entries(flattened(values)).map(([key, value]) => [key, labelValue(value)] as const);
    return wanted === undefined || evaluate(wanted, { labels: Object.fromEntries(labels), open }) !== 'no';
  });
}

function labelValue(data: Data): Value {
  const text = isScalar(data) ? textOf(data) : '';
  const pattern = unknownPattern(text);
  return pattern === undefined ? text : { unknown: text, pattern };
}
