/** Creates and finds elements of the page. Strings become text, never markup. */

export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}

type Attributes = Readonly<Record<string, string | boolean | undefined>>;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  made.append(...children);
  return made;
}

export function button(text: string, pressed: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', pressed);
  return made;
}

/** Converts the parts of a text between backticks to `<code>` elements. */
export function withCode(text: string): readonly (string | HTMLElement)[] {
  return text.split('`').map((part, number) => (number % 2 === 0 ? part : make('code', {}, part)));
}

/** The elements and attributes that texts of the server may contain. */
const allowed = new Set(
  'A B BLOCKQUOTE BR CODE DETAILS DIV EM H1 H2 H3 H4 HR I LI OL P PRE SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TH THEAD TR UL'.split(
    ' ',
  ),
);

/** Returns markup with only harmless elements, without attributes except the targets of links. */
export function sanitized(markup: string): string {
  const page = new DOMParser().parseFromString(markup, 'text/html');
  for (const element of [...page.body.querySelectorAll('*')]) {
    if (!allowed.has(element.tagName)) element.replaceWith(element.textContent ?? '');
    for (const { name, value } of [...element.attributes]) {
      const isLink = element.tagName === 'A' && name === 'href' && /^(?:https:\/\/|\/[\w.])/.test(value);
      if (!isLink && name !== 'class') element.removeAttribute(name);
    }
  }
  return page.body.innerHTML;
}
