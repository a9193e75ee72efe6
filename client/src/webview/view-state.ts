/** The user's choices in the map, and the part of a graph that these choices show. */

import type { Graph } from '../../../server/src/drawing/graph.ts';
import type { Grouping } from '../../../server/src/drawing/groups.ts';
import { evaluate, parseSelector } from '../../../server/src/engine/index.ts';
import type { MapQuestion } from './messages.ts';

export interface Choices extends MapQuestion {
  readonly grouping: Grouping;
  readonly hiddenKinds: readonly string[];
  /** The namespaces whose objects are hidden; the empty string represents objects whose namespace is unknown. */
  readonly hiddenNamespaces: readonly string[];
  /** A selector in the syntax of `kubectl -l`; only objects whose labels it matches are shown. */
  readonly labels: string;
  /** The ids of the groups that the user collapsed. */
  readonly collapsed: readonly string[];
  readonly expanded: readonly string[];
  readonly form: Form;
}

/** How the graph is shown; `automatic` is a drawing or, for the connections of many objects, a table. */
export type Form = 'automatic' | 'drawing' | 'table' | 'list';

export const forms: readonly Form[] = ['automatic', 'drawing', 'table', 'list'];

/** The number of objects from which the lines of connections make a drawing unreadable. */
const leastForTable = 40;

/** Returns the form in which a graph is shown. Only the connections of a graph are in its table. */
export function shownForm({ nodes, edges }: Graph, { form }: Pick<Choices, 'form'>): Exclude<Form, 'automatic'> {
  if (form !== 'automatic') return form;
  const isCrowded = nodes.length >= leastForTable && edges.some(({ relation }) => relation === 'connects');
  return isCrowded ? 'table' : 'drawing';
}

const firstChoices: Choices = {
  around: 'object',
  connections: false,
  references: true,
  grouping: 'automatic',
  hiddenKinds: [],
  hiddenNamespaces: [],
  labels: '',
  collapsed: [],
  expanded: [],
  form: 'automatic',
};

/** Returns the stored choices; a value of an unexpected type is replaced by its default. */
export function storedChoices(stored: unknown): Choices {
  if (typeof stored !== 'object' || stored === null) return firstChoices;
  const given: Readonly<Record<string, unknown>> = { ...stored };
  const list = (key: 'hiddenKinds' | 'hiddenNamespaces' | 'collapsed' | 'expanded') => {
    const value = given[key];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : firstChoices[key];
  };
  return {
    around: given['around'] === 'scope' ? 'scope' : 'object',
    connections: given['connections'] === true,
    references: given['references'] !== false,
    grouping: groupings.find((each) => each === given['grouping']) ?? firstChoices.grouping,
    hiddenKinds: list('hiddenKinds'),
    hiddenNamespaces: list('hiddenNamespaces'),
    labels: typeof given['labels'] === 'string' ? given['labels'] : '',
    collapsed: list('collapsed'),
    expanded: list('expanded'),
    form: forms.find((each) => each === given['form']) ?? firstChoices.form,
  };
}

export const groupings: readonly Grouping[] = ['automatic', 'namespace', 'part-of', 'none'];

/** Whether a string is a valid selector. The empty string is valid and matches everything. */
export function isSelector(text: string): boolean {
  return parseSelector(text).ok;
}

/** Returns the part of a graph that passes the filters. An invalid selector is ignored. */
export function filtered<G extends Graph>(graph: G, choices: Choices): G {
  const selector = parseSelector(choices.labels);
  const nodes = graph.nodes.filter(
    ({ kind, namespace = '', labels }) =>
      !choices.hiddenKinds.includes(kind) &&
      !choices.hiddenNamespaces.includes(namespace) &&
      (!selector.ok || evaluate(selector.value, { labels }) === 'yes'),
  );
  const ids = new Set(nodes.map(({ id }) => id));
  return { ...graph, nodes, edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}
