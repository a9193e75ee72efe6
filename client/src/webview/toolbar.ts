/** The controls above the map: the drawn part, filters, zoom and export. */

import type { GraphResult } from '../../../server/src/protocol.ts';
import { button, html } from './elements.ts';
import { type ExportFormat, exportFormats } from './messages.ts';
import { type Choices, forms, groupings, isSelector } from './view-state.ts';

export interface ToolbarEvents {
  choose(changes: Partial<Choices>): void;
  zoom(factor: number): void;
  fit(): void;
  /** Chooses the scope with a path. */
  see(path: string): void;
  save(format: ExportFormat): void;
}

const groupingTitles = { automatic: 'Automatic', namespace: 'Namespace', 'part-of': 'Part of', none: 'None' };
const formTitles = { automatic: 'Automatic', drawing: 'Drawing', table: 'Connections', list: 'List' };
const formatTitles = { svg: 'SVG', png: 'PNG', mermaid: 'Mermaid', dot: 'Graphviz' };
/** The maximum number of values that are offered as filters. */
const maximumOptions = 200;

export class Toolbar {
  readonly element: HTMLElement;
  readonly #events: ToolbarEvents;
  readonly #filters: HTMLElement;
  readonly #filterButton: HTMLButtonElement;
  readonly #scopes = html('span', { class: 'scopes', hidden: true });
  #offered = '';
  #offeredScopes = '';

  constructor(choices: Choices, events: ToolbarEvents) {
    this.#events = events;
    this.#filters = html('div', { class: 'filters', id: 'filters', hidden: true });
    this.#filterButton = button('Filter', { 'aria-expanded': 'false', 'aria-controls': 'filters' }, () =>
      this.#toggleFilters(),
    );
    this.element = html(
      'header',
      {},
      html('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Selector Map' }, ...this.#controls(choices)),
      this.#filters,
    );
  }

  /** Offers the scopes of a graph, the drawn one first, and its kinds and namespaces as filters. */
  offer({ nodes, scopes }: Pick<GraphResult, 'nodes' | 'scopes'>, choices: Choices): void {
    this.#offerScopes(scopes);
    const kinds = distinct([...nodes.map(({ kind }) => kind), ...choices.hiddenKinds]);
    const namespaces = distinct([...nodes.map(({ namespace = '' }) => namespace), ...choices.hiddenNamespaces]);
    const offered = JSON.stringify([kinds, namespaces]);
    // Replacing the controls while they are in use would lose the focus.
    if (offered === this.#offered) return;
    this.#offered = offered;
    let { hiddenKinds, hiddenNamespaces } = choices;
    this.#filters.replaceChildren(
      checkboxes('Kinds', kinds, hiddenKinds, (hidden) => {
        hiddenKinds = hidden;
        this.#events.choose({ hiddenKinds });
      }),
      checkboxes('Namespaces', namespaces, hiddenNamespaces, (hidden) => {
        hiddenNamespaces = hidden;
        this.#events.choose({ hiddenNamespaces });
      }),
    );
  }

  #offerScopes(scopes: GraphResult['scopes']): void {
    const offered = JSON.stringify(scopes);
    if (offered === this.#offeredScopes) return;
    this.#offeredScopes = offered;
    this.#scopes.hidden = scopes.length < 2;
    const options = scopes.map(({ path, name }) => [path, name] as const);
    this.#scopes.replaceChildren(select('Overlay', options, scopes[0]?.path ?? '', (path) => this.#events.see(path)));
  }

  #toggleFilters(): void {
    this.#filters.hidden = !this.#filters.hidden;
    this.#filterButton.setAttribute('aria-expanded', String(!this.#filters.hidden));
  }

  #controls(choices: Choices): readonly HTMLElement[] {
    const { choose, zoom, fit, save } = this.#events;
    const around = select(
      'Show',
      [
        ['object', 'Around Cursor'],
        ['scope', 'All Objects'],
      ],
      choices.around,
      (value) => choose({ around: value === 'scope' ? 'scope' : 'object' }),
    );
    const grouping = select(
      'Group by',
      groupings.map((each) => [each, groupingTitles[each]] as const),
      choices.grouping,
      (value) => choose({ grouping: groupings.find((each) => each === value) ?? 'automatic' }),
    );
    const connections = checkbox('Connections', choices.connections, (connections) => choose({ connections }));
    const references = checkbox('References', choices.references, (references) => choose({ references }));
    const form = select(
      'As',
      forms.map((each) => [each, formTitles[each]] as const),
      choices.form,
      (value) => choose({ form: forms.find((each) => each === value) ?? 'automatic' }),
    );
    const saved = select(
      'Export',
      [['', 'Export…'], ...exportFormats.map((each) => [each, formatTitles[each]] as const)],
      '',
      (value, element) => {
        const format = exportFormats.find((each) => each === value);
        element.value = '';
        if (format !== undefined) save(format);
      },
      true,
    );
    return [
      this.#scopes,
      around,
      connections,
      references,
      grouping,
      this.#filterButton,
      labelFilter(choices.labels, (labels) => choose({ labels })),
      form,
      html(
        'span',
        { class: 'buttons' },
        button('−', { 'aria-label': 'Zoom Out', title: 'Zoom Out (-)' }, () => zoom(0.8)),
        button('Fit', { 'aria-label': 'Fit to View', title: 'Fit to View (0)' }, fit),
        button('+', { 'aria-label': 'Zoom In', title: 'Zoom In (+)' }, () => zoom(1.25)),
      ),
      saved,
    ];
  }
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort().slice(0, maximumOptions);
}

function labelFilter(labels: string, changed: (labels: string) => void): HTMLElement {
  const input = html('input', {
    type: 'search',
    value: labels,
    placeholder: 'Labels: app=web,tier',
    'aria-label': 'Filter by labels, with a selector such as app=web',
    spellcheck: 'false',
  });
  input.addEventListener('input', () => {
    const isValid = isSelector(input.value);
    input.setAttribute('aria-invalid', String(!isValid));
    if (isValid) changed(input.value);
  });
  return input;
}

function select(
  label: string,
  options: readonly (readonly [value: string, title: string])[],
  chosen: string,
  changed: (value: string, element: HTMLSelectElement) => void,
  isLabelHidden = false,
): HTMLElement {
  const element = html(
    'select',
    { 'aria-label': label },
    ...options.map(([value, title]) => html('option', { value, selected: value === chosen }, title)),
  );
  element.addEventListener('change', () => changed(element.value, element));
  return isLabelHidden ? element : html('label', {}, `${label} `, element);
}

function checkbox(label: string, checked: boolean, changed: (checked: boolean) => void): HTMLElement {
  const input = html('input', { type: 'checkbox', checked });
  input.addEventListener('change', () => changed(input.checked));
  return html('label', {}, input, ` ${label}`);
}

function checkboxes(
  title: string,
  values: readonly string[],
  hidden: readonly string[],
  changed: (hidden: readonly string[]) => void,
): HTMLElement {
  const off = new Set(hidden);
  const boxes = values.map((value) =>
    checkbox(value === '' ? '(no namespace)' : value, !off.has(value), (isShown) => {
      if (isShown) off.delete(value);
      else off.add(value);
      changed([...off]);
    }),
  );
  return html('fieldset', {}, html('legend', {}, title), ...boxes);
}
