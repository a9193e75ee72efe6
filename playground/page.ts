/** The page of the playground: manifests on the left, a selector at the top, matches and findings on the right. */

import { example } from './example.ts';
import type { PlaygroundFinding, PlaygroundGroup, PlaygroundRange, PlaygroundResult } from './model.ts';

/** Milliseconds without a key press before the text is evaluated. */
const pause = 200;

/** Milliseconds after which an evaluation is canceled, and its worker replaced. */
const patience = 10_000;

const manifests = element('manifests', HTMLTextAreaElement);
const selector = element('selector', HTMLInputElement);
const summary = element('summary', HTMLElement);
const results = element('results', HTMLElement);
const problem = element('problem', HTMLElement);

let worker = startWorker();
let latest = 0;
let waiting: number | undefined;
let givingUp: number | undefined;

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}

function startWorker(): Worker {
  const started = new Worker('worker.js');
  started.addEventListener('message', ({ data }: MessageEvent<PlaygroundResult>) => {
    // A result for an older text is ignored: the current text is evaluated next.
    if (data.id !== latest) return;
    clearTimeout(givingUp);
    show(data);
  });
  return started;
}

function evaluateSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(evaluateNow, pause);
}

function evaluateNow(): void {
  latest++;
  document.body.dataset['state'] = 'evaluating';
  worker.postMessage({ id: latest, manifests: manifests.value, selector: selector.value });
  clearTimeout(givingUp);
  givingUp = setTimeout(() => {
    worker.terminate();
    worker = startWorker();
    const problems = ['The evaluation took too long.'];
    show({ id: latest, objects: 0, findings: [], groups: [], description: '', problems });
  }, patience);
  history.replaceState(null, '', `#${stateText()}`);
}

/** Returns the state as the fragment of the URL, which browsers never send to a server. */
function stateText(): string {
  return new URLSearchParams({ selector: selector.value, manifests: manifests.value }).toString();
}

function restoreState(): void {
  const state = new URLSearchParams(location.hash.slice(1));
  manifests.value = state.get('manifests') ?? example.manifests;
  selector.value = state.get('selector') ?? (state.has('manifests') ? '' : example.selector);
}

function show({ objects, findings, groups, description, problems }: PlaygroundResult): void {
  problem.textContent = problems.join(' ');
  selector.setAttribute('aria-invalid', String(problems.length > 0));
  const matches = groups.map(({ title, total }) => `${title}: ${total}`).join(', ');
  const sentences = [
    `${counted(objects, 'object')}, ${counted(findings.length, 'finding')}.`,
    ...(description === '' ? [] : [description.endsWith('.') ? description : `${description}.`]),
    ...(matches === '' ? [] : [`${matches}.`]),
  ];
  summary.replaceChildren(...withCode(sentences.join(' ')));
  results.replaceChildren(
    ...groups.map(groupElement),
    section(`Findings (${findings.length})`, findings.length === 0 ? 'No problems.' : '', findings.map(findingElement)),
  );
  document.body.dataset['state'] = 'done';
}

function groupElement({ title, total, items }: PlaygroundGroup): HTMLElement {
  const rows = items.map((item) => row(item, item.name, item.reason));
  return section(`${title} (${total})`, '', rows);
}

function findingElement(finding: PlaygroundFinding): HTMLElement {
  const { severity, rule, message, url } = finding;
  const made = row(finding, message, undefined);
  made.classList.add(severity);
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  link.textContent = `${severity}: ${rule}`;
  made.append(link);
  return made;
}

function section(title: string, text: string, rows: readonly HTMLElement[]): HTMLElement {
  const made = document.createElement('section');
  const head = document.createElement('h2');
  head.textContent = title;
  const list = document.createElement('ul');
  list.append(...rows);
  made.append(head, text, list);
  return made;
}

/** Creates a row with a button that selects `range` in the manifests. Text is never inserted as HTML. */
function row(range: PlaygroundRange, text: string, reason: string | undefined): HTMLElement {
  const made = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.append(`${range.line}: `, ...withCode(text));
  button.addEventListener('click', () => select(range));
  made.append(button);
  if (reason !== undefined) made.append(...withCode(reason));
  return made;
}

/** Converts the parts of a text between backticks to `<code>` elements. */
function withCode(text: string): readonly (string | HTMLElement)[] {
  return text.split('`').map((part, number) => {
    if (number % 2 === 0) return part;
    const code = document.createElement('code');
    code.textContent = part;
    return code;
  });
}

function select({ start, end, line }: PlaygroundRange): void {
  manifests.focus();
  manifests.setSelectionRange(start, end);
  const height = Number.parseFloat(getComputedStyle(manifests).lineHeight);
  manifests.scrollTop = Math.max(0, (line - 5) * height);
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

async function copyLink(): Promise<void> {
  evaluateNow();
  await navigator.clipboard.writeText(location.href);
  summary.textContent = 'The link is copied. It contains the manifests and the selector.';
}

for (const each of [manifests, selector]) each.addEventListener('input', evaluateSoon);
window.addEventListener('hashchange', () => {
  restoreState();
  evaluateNow();
});
element('copy', HTMLButtonElement).addEventListener('click', () => {
  copyLink().catch(() => {
    summary.textContent = 'The link could not be copied; it is the address of this page.';
  });
});
element('example', HTMLButtonElement).addEventListener('click', () => {
  manifests.value = example.manifests;
  selector.value = example.selector;
  evaluateNow();
});
restoreState();
evaluateNow();
