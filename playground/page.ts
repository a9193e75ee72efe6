/** The page of the playground: files in an editor, their findings, and the matches, the map or the review beside them. */

import type { LSPClient } from '@codemirror/lsp-client';
import { once } from '../server/src/engine/memoize.ts';
import {
  type BaseParams,
  baseNotification,
  type ChosenPerspective,
  changesNotification,
  choosePerspectiveNotification,
  type PerspectiveResult,
  type Preview,
  type PreviewParams,
  perspectiveRequest,
  previewRequest,
  type ReviewParams,
  readyNotification,
  reviewRequest,
  type ToolResult,
} from '../server/src/protocol.ts';
import { Editor } from './editor.ts';
import { byId, make } from './elements.ts';
import { examples } from './examples.ts';
import { exampleNamed, linkTo, stateIn } from './link.ts';
import { SelectorMap } from './map.ts';
import { type Panel, type Place, type PlaygroundState, panels, pathOf, uriOf } from './model.ts';
import { findingList, matchList, severityOf } from './panels.ts';
import { Tabs } from './tabs.ts';

/** Milliseconds without a change after which the panel and the link are updated. */
const pause = 250;

const selector = byId('selector', HTMLInputElement);
const overlay = byId('overlay', HTMLSelectElement);
const example = byId('example', HTMLSelectElement);
const status = byId('status', HTMLElement);
const problems = byId('problems', HTMLElement);
const panelOf = Object.fromEntries(panels.map((name) => [name, byId(name, HTMLElement)]));

let panel: Panel = 'matches';
let chosen: ChosenPerspective = { scopes: [], values: [] };
let waiting: ReturnType<typeof setTimeout> | undefined;
/** Whether the state of the page is the state of the current link. */
let isRestoring = false;

const editor = new Editor(byId('editor', HTMLElement).attachShadow({ mode: 'open' }), {
  changed() {
    showTabs();
    updateSoon();
  },
  moved: updateSoon,
  found() {
    showFindings();
    workOffline();
  },
  notified(method) {
    if (method === readyNotification || method === changesNotification) updateSoon();
  },
});
const { client, workspace } = editor;
const map = new SelectorMap({
  client,
  element: byId('map', HTMLElement),
  position: () => editor.position(),
  reveal,
  choose: (path) => choose({ ...chosen, scopes: [path] }),
});
const tabs = new Tabs({
  open: (path) => void editor.open(uriOf(path)),
  close(path) {
    if (workspace.files.length > 1) editor.remove(uriOf(path));
  },
  add(path) {
    if (workspace.getFile(uriOf(path)) === null) editor.add({ path, text: '' });
    editor.open(uriOf(path));
  },
  rename(from, to) {
    const file = workspace.contents().find(({ path }) => path === from);
    if (file === undefined || workspace.getFile(uriOf(to)) !== null) return;
    editor.add({ ...file, path: to });
    editor.open(uriOf(to));
    editor.remove(uriOf(from));
  },
});

function reveal(place: Place): void {
  editor.reveal(place);
}

function showTabs(): void {
  const worst = new Map<string, string>();
  for (const finding of editor.findings.all().toReversed()) worst.set(pathOf(finding.uri), severityOf(finding));
  const open = editor.shown === undefined ? undefined : pathOf(editor.shown);
  tabs.show(
    workspace.files.map(({ uri }) => pathOf(uri)),
    open,
    worst,
  );
}

function showFindings(): void {
  const found = editor.findings.all();
  const hadFocus = problems.contains(document.activeElement);
  problems.replaceChildren(...findingList(found, reveal));
  if (hadFocus) problems.querySelector('button')?.focus();
  byId('count', HTMLElement).textContent = String(found.length);
  showTabs();
}

/** Stores all files of the playground after the first findings, so that this does not delay them. */
const workOffline = once(() => {
  if ('serviceWorker' in navigator) void navigator.serviceWorker.register('offline.js').catch(() => undefined);
});

function updateSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    update().catch((error: unknown) => {
      status.textContent = error instanceof Error ? error.message : 'The server does not answer.';
    });
  }, pause);
}

async function update(): Promise<void> {
  if (isRestoring) return;
  client.sync();
  await Promise.all([showPanel(), showOverlays(), remember()]);
}

async function remember(): Promise<void> {
  history.replaceState(null, '', `#${await linkTo(state())}`);
}

function state(): PlaygroundState {
  const { shown } = editor;
  return {
    files: workspace.contents(),
    ...(shown !== undefined && { open: pathOf(shown) }),
    ...(selector.value !== '' && { selector: selector.value }),
    panel,
  };
}

async function showPanel(): Promise<void> {
  if (panel === 'map') return map.show();
  const element = panelOf[panel];
  if (element === undefined) return;
  const shown = panel === 'matches' ? await matches(client) : await review(client);
  element.replaceChildren(...shown);
}

/** Returns the matches of the typed selector, or of what is at the cursor. */
async function matches(client: LSPClient): Promise<readonly HTMLElement[]> {
  const at = editor.position();
  const params: PreviewParams | undefined = selector.value.trim() === '' ? at : { selector: selector.value };
  if (params === undefined) return [];
  const preview = await client.request<PreviewParams, Preview | null>(previewRequest, params);
  selector.setAttribute('aria-invalid', String('selector' in params && (preview?.problems.length ?? 0) > 0));
  return matchList(preview, reveal);
}

async function review(client: LSPClient): Promise<readonly HTMLElement[]> {
  const files = workspace.files.flatMap(({ uri, before }) => (before === undefined ? [] : [{ uri, text: before }]));
  if (files.length === 0)
    return [make('p', { class: 'quiet' }, 'The example “A pull request’s review” contains a change to review.')];
  const { text } = await client.request<ReviewParams, ToolResult>(reviewRequest, { base: 'main' });
  const shown = make('div', { class: 'comment' });
  shown.innerHTML = editor.rendered(text);
  for (const link of shown.querySelectorAll('a')) link.addEventListener('click', (event) => follow(event, link));
  return [shown];
}

/** Follows a link of a review, such as `/deployment.yaml#L8`. */
function follow(event: Event, link: HTMLAnchorElement): void {
  const [path, line] = (link.getAttribute('href') ?? '').split('#L');
  if (!path?.startsWith('/')) return;
  event.preventDefault();
  const at = { line: Number(line ?? 1) - 1, character: 0 };
  reveal({ uri: uriOf(decodeURIComponent(path.slice(1))), range: { start: at, end: at } });
}

/** Offers the overlays, or the values files, through which the open file can be seen. */
async function showOverlays(): Promise<void> {
  const at = editor.position();
  if (at === undefined) return;
  const found = await client.request<typeof at, PerspectiveResult | null>(perspectiveRequest, at);
  const scopes = (found?.scopes ?? []).map(({ name, path }, index) =>
    make('option', { value: `scope ${path}`, selected: index === 0 }, name),
  );
  const values = found?.values;
  const all = make('option', { value: 'values', selected: values?.chosen === undefined }, 'all values');
  const files = (values?.files ?? []).map(({ name, uri }) =>
    make('option', { value: `values ${uri}`, selected: uri === values?.chosen }, name),
  );
  const options = values === undefined ? scopes : [all, ...files];
  overlay.replaceChildren(...options);
  byId('seen', HTMLElement).hidden = options.length === 0;
}

function choose(next: ChosenPerspective): void {
  chosen = next;
  client.notification(choosePerspectiveNotification, next);
  updateSoon();
}

function choosePanel(name: Panel): void {
  panel = name;
  for (const each of panels) {
    byId(each, HTMLElement).hidden = each !== name;
    byId(`show-${each}`, HTMLElement).setAttribute('aria-selected', String(each === name));
  }
  byId('try', HTMLElement).hidden = name !== 'matches';
  updateSoon();
}

function restore({ files, open, selector: tried, panel: shown = 'matches' }: PlaygroundState): void {
  isRestoring = true;
  editor.clear();
  for (const file of files) editor.add(file);
  selector.value = tried ?? '';
  const changed = files.flatMap(({ path, before }) =>
    before === undefined ? [] : [{ uri: uriOf(path), text: before }],
  );
  const base: BaseParams =
    changed.length === 0 ? { name: null } : { name: 'main', version: String(performance.now()), files: changed };
  client.notification(baseNotification, base);
  choose({ scopes: [], values: [] });
  editor.open(uriOf(open ?? files[0]?.path ?? ''));
  choosePanel(shown);
  showFindings();
  isRestoring = false;
}

async function start(): Promise<void> {
  editor.connect();
  restore((await stateIn(location.hash.slice(1))) ?? examples[0].state);
  await client.initializing;
}

for (const { name, title } of examples) example.append(make('option', { value: name }, title));
example.addEventListener('change', () => {
  const found = exampleNamed(example.value);
  if (found !== undefined) restore(found.state);
  example.value = '';
});
overlay.addEventListener('change', () => {
  const [kind, path = ''] = overlay.value.split(' ');
  const one = path === '' ? [] : [path];
  choose(kind === 'scope' ? { ...chosen, scopes: one } : { ...chosen, values: one });
});
selector.addEventListener('input', updateSoon);
for (const each of panels) byId(`show-${each}`, HTMLElement).addEventListener('click', () => choosePanel(each));
byId('copy', HTMLButtonElement).addEventListener('click', () => {
  const said = (text: string) => {
    status.textContent = text;
  };
  remember()
    .then(() => navigator.clipboard.writeText(location.href))
    .then(
      () => said('The link is copied. It contains the files.'),
      () => said('The link could not be copied; it is the address of this page.'),
    );
});
window.addEventListener('hashchange', () => {
  void stateIn(location.hash.slice(1)).then((found) => {
    if (found !== undefined) restore(found);
  });
});
start().catch((error: unknown) => {
  status.textContent = `The language server did not start: ${error}`;
});
