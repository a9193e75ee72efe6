/** Creates elements of the page. Strings become text nodes and attribute values, never markup. */

import type { Shape } from '../../../server/src/drawing/shapes.ts';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an HTML element. An attribute with the value false or undefined is omitted; one with the value true is empty. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  element.append(...children);
  return element;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  return element;
}

export function svgOf({ name, attributes, children, text }: Shape): SVGElement {
  const element = svg(name, attributes);
  if (text !== undefined) element.textContent = text;
  element.append(...children.map(svgOf));
  return element;
}

/** Creates a button that calls `pressed` when it is clicked. */
export function button(label: string, attributes: Attributes, pressed: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', pressed);
  return element;
}
