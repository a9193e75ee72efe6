/** Parses `.selector-lens.yaml`. Reports invalid entries; all other entries still apply. Never throws. */

import { readEntries } from '../engine/catalogue/user-entry.ts';
import { splitDocuments } from '../manifests/yaml/documents.ts';
import { parseYaml } from '../manifests/yaml/parse-yaml.ts';
import { describeProblem, spanOfProblem } from '../manifests/yaml/syntax-errors.ts';
import { childOf, effectiveEntries, entryOf, itemsOf, type Node } from '../manifests/yaml/tree.ts';
import { globMatcher, maximumGlobs, maximumWildcards } from '../text/glob.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';
import { configShape, type configTable } from './config.ts';
import { type ConfigProblem, type MapOf, maximumItems, nearestWord, type Reading, report, spanOf } from './shape.ts';

/** A function that returns whether a path is included. The path is relative to the folder of the configuration. */
type Files = (path: string) => boolean;

export interface DeclaredScope {
  readonly name: string;
  readonly files: Files;
  readonly namespace?: string;
  readonly cluster?: string;
  readonly with: readonly string[];
}

/** One `.selector-lens.yaml`. */
export interface Config {
  readonly values: Omit<MapOf<typeof configTable>, 'scopes' | 'externals' | 'catalogue' | 'generated' | 'placeholders'>;
  readonly scopes: readonly DeclaredScope[];
  readonly externals: { readonly files: Files; readonly objects: readonly Node[] };
  readonly generated: Files;
  readonly reading: ConfigReading;
  /** A string that is equal for configurations with equal scopes. */
  readonly scopeKey: string;
  readonly problems: readonly ConfigProblem[];
  readonly ruleNames: readonly { readonly text: string; readonly span: Span }[];
}

/**
 * The part of a configuration that affects how a file is parsed: plain data, so that it can be sent to another thread.
 */
export interface ConfigReading {
  readonly placeholders: readonly string[];
  /** The entries for `withUserKinds`; undefined if there are none. */
  readonly kinds?: unknown;
  /** A string that is equal for equal contents, used to detect changes. */
  readonly key: string;
}

export const plainReading: ConfigReading = { placeholders: [], key: '' };

/** Returns a configuration that inherits the values of the configuration that it extends. Values about the files below a folder are not inherited (scopes, externals, generated files, expectations), and severities are looked up in each configuration separately (`severitiesFor`). */
export function extended(base: Config, config: Config): Config {
  const { kubernetesVersion, labels, recommendedLabels, labelPolicy, nodes, repository } = base.values;
  const values = {
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(labels !== undefined && { labels }),
    ...(recommendedLabels !== undefined && { recommendedLabels }),
    ...(labelPolicy !== undefined && { labelPolicy }),
    ...(nodes !== undefined && { nodes }),
    ...(repository !== undefined && { repository }),
    ...config.values,
  };
  const lists = [base.reading.kinds, config.reading.kinds].filter((each) => Array.isArray(each));
  const placeholders = [...new Set([...base.reading.placeholders, ...config.reading.placeholders])];
  return { ...config, values, reading: readingOf(placeholders, lists.length === 0 ? undefined : lists.flat()) };
}

function readingOf(placeholders: readonly string[], kinds: unknown): ConfigReading {
  const isPlain = placeholders.length === 0 && kinds === undefined;
  return {
    placeholders,
    ...(kinds !== undefined && { kinds }),
    key: isPlain ? '' : JSON.stringify([placeholders, kinds]),
  };
}

/** Parses a configuration. Only the first YAML document of the file applies. */
export function readConfig(source: string): Config {
  const left = { items: maximumItems, patterns: maximumGlobs, wildcards: maximumWildcards };
  const reading: Reading = { problems: [], ruleNames: [], left };
  const root = readRoot(source, reading);
  const values = (root && configShape.read(root, '', reading)) ?? {};
  const kinds = values.catalogue && dataOf(values.catalogue);
  if (values.catalogue !== undefined) checkKinds(values.catalogue, kinds, reading);
  const placeholders = values.placeholders ?? [];
  const externals = values.externals ?? [];
  const externalFiles = externals.flatMap((each) => each.files);
  const { scopes: declared = [], externals: _, catalogue: __, generated = [], placeholders: ___, ...rest } = values;
  checkWith(root, declared, reading);
  return {
    values: rest,
    scopes: declared.map((each) => ({ ...each, files: globMatcher(each.paths), with: each.with ?? [] })),
    externals: {
      files: globMatcher(externalFiles),
      objects: externals.flatMap((each) => (each.object === undefined ? [] : [each.object])),
    },
    generated: globMatcher(generated),
    reading: readingOf(placeholders, kinds),
    scopeKey: JSON.stringify([declared, externalFiles, generated, values.published]),
    problems: reading.problems.toSorted((a, b) => a.span.start - b.span.start),
    ruleNames: reading.ruleNames.map(({ text, span }) => ({ text, span })),
  };
}

/** Parses the syntax tree of a configuration. Placeholders are not replaced, because they are literal in this file. */
function readRoot(source: string, reading: Reading): Node | undefined {
  const first = splitDocuments(source)[0];
  if (first === undefined) return undefined;
  const { root, errors } = parseYaml(source, { text: source, blanks: [], placeholders: [], conditionals: [] }, first);
  const [error] = errors;
  if (error !== undefined)
    report(
      reading,
      'syntax',
      spanOfProblem(source, error),
      describeProblem(error, localize`the part that can be parsed is used`),
    );
  return root;
}

/** Returns a node as plain data: booleans remain booleans, and every other unquoted scalar becomes a string. */
function dataOf(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(dataOf);
  if (node.kind === 'map')
    return Object.fromEntries(effectiveEntries(node).map((entry) => [entry.key.text, dataOf(entry.value)]));
  if (node.type === 'null') return null;
  return node.type === 'boolean' ? node.text.toLowerCase() === 'true' : node.text;
}

function checkKinds(root: Node, kinds: unknown, reading: Reading): void {
  for (const { path, code, message } of readEntries(kinds).problems) {
    const known = code === 'missing' ? 'missing-key' : code === 'unknown-key' ? 'unknown-key' : 'wrong-type';
    const owner = known === 'wrong-type' ? path : path.slice(0, -1);
    const place = owner.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const span = code === 'unknown-key' ? keyAt(nodeAtPath(root, owner), path.at(-1)) : undefined;
    report(reading, known, span ?? spanOf(nodeAtPath(root, path)), `\`catalogue${place}\`: ${message}.`);
  }
}

function keyAt(node: Node, key: string | number | undefined): Span | undefined {
  return entryOf(node, String(key))?.key.span;
}

function nodeAtPath(root: Node, path: readonly (string | number)[]): Node {
  let node = root;
  for (const step of path) {
    const next = typeof step === 'number' ? (node.kind === 'list' ? node.items[step] : undefined) : childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

/** The number of scope names above which no similar name is suggested for a misspelled name. */
const manyNames = 200;

function checkWith(
  root: Node | undefined,
  scopes: readonly { readonly name: string; readonly with?: readonly string[] }[],
  reading: Reading,
): void {
  const names = scopes.map((each) => each.name);
  const items = childOf(root, 'scopes');
  for (const item of itemsOf(items)) {
    const others = childOf(item, 'with');
    for (const other of itemsOf(others)) {
      if (other.kind !== 'scalar' || names.includes(other.text)) continue;
      const near = names.length > manyNames ? undefined : nearestWord(other.text, names);
      const advice = near === undefined ? '' : localize` Did you mean '${near}'?`;
      report(
        reading,
        'unknown-scope',
        other.span,
        localize`No scope of this file is called '${other.text}'.${advice}`,
        near,
      );
    }
  }
}
