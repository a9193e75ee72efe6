/** The tabs of the files, and the dialog that adds and renames files. */

import { button, byId, make } from './elements.ts';
import { normalizedPath } from './model.ts';

export interface TabEvents {
  open(path: string): void;
  close(path: string): void;
  add(path: string): void;
  rename(from: string, to: string): void;
}

export class Tabs {
  readonly #list = byId('tabs', HTMLElement);
  readonly #dialog = byId('naming', HTMLDialogElement);
  readonly #field = byId('path', HTMLInputElement);
  readonly #events: TabEvents;
  #named: string | undefined;

  constructor(events: TabEvents) {
    this.#events = events;
    byId('add', HTMLButtonElement).addEventListener('click', () => this.#ask(undefined));
    this.#dialog.addEventListener('close', () => {
      const path = this.#dialog.returnValue === 'named' ? normalizedPath(this.#field.value) : undefined;
      if (path === undefined || path === this.#named) return;
      if (this.#named === undefined) events.add(path);
      else events.rename(this.#named, path);
    });
    this.#list.addEventListener('keydown', (event) => this.#move(event));
  }

  show(paths: readonly string[], open: string | undefined, faulty: ReadonlyMap<string, string>): void {
    const hadFocus = this.#list.contains(document.activeElement);
    this.#list.replaceChildren(...paths.map((path) => this.#tab(path, path === open, faulty.get(path))));
    if (hadFocus) this.#list.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }

  #tab(path: string, isOpen: boolean, severity: string | undefined): HTMLElement {
    const tab = button(path, () => this.#events.open(path), {
      role: 'tab',
      'aria-selected': String(isOpen),
      'aria-controls': 'editor',
      tabindex: isOpen ? '0' : '-1',
      title: `${path} (double-click to rename, Delete to remove)`,
      class: severity,
    });
    tab.addEventListener('dblclick', () => this.#ask(path));
    const close = button('×', () => this.#events.close(path), {
      class: 'close',
      tabindex: '-1',
      'aria-hidden': 'true',
    });
    return make('span', { class: isOpen ? 'tab open' : 'tab', role: 'presentation' }, tab, close);
  }

  #move(event: KeyboardEvent): void {
    const tabs = [...this.#list.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.indexOf(event.target instanceof HTMLElement ? event.target : (tabs[0] ?? this.#list));
    const path = tabs[at]?.textContent ?? '';
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target !== undefined) this.#events.open(tabs.at(target % tabs.length)?.textContent ?? path);
    else if (event.key === 'Delete') this.#events.close(path);
    else if (event.key === 'F2') this.#ask(path);
    else return;
    event.preventDefault();
  }

  #ask(path: string | undefined): void {
    this.#named = path;
    this.#field.value = path ?? '';
    byId('naming-title', HTMLElement).textContent = path === undefined ? 'Add a file' : 'Rename the file';
    this.#dialog.returnValue = '';
    this.#dialog.showModal();
    this.#field.select();
  }
}
