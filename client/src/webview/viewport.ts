/** The visible part of a drawing: scale and offset, changed by mouse, touch and keys. */

import type { Rectangle } from '../../../server/src/drawing/layout.ts';

const smallest = 0.05;
const largest = 3;
/** The minimum scale at which text is readable: names are then 10 pixels high. */
const readable = 0.8;
const padding = 12;

export class Viewport {
  readonly #view: SVGSVGElement;
  readonly #world: SVGGElement;
  #scale = 1;
  #left = 0;
  #top = 0;

  constructor(view: SVGSVGElement, world: SVGGElement) {
    this.#view = view;
    this.#world = world;
    view.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    view.addEventListener('pointerdown', (event) => this.#drag(event));
  }

  /** Shows the whole drawing. If its text would be unreadable and `focus` is set, fits its width; if that is unreadable too, uses the smallest readable scale. What does not fit is cut around `focus`. */
  fit({ width, height }: { readonly width: number; readonly height: number }, focus: Rectangle | undefined): void {
    const own = this.#size();
    const wide = Math.min((own.width - 2 * padding) / width, 1.2);
    const scale = Math.min(wide, (own.height - 2 * padding) / height);
    if (scale < readable && focus !== undefined) {
      this.#scale = Math.max(wide, readable);
      this.#center(focus);
      this.#left = filled(this.#left, own.width, width * this.#scale);
      this.#top = filled(this.#top, own.height, height * this.#scale);
    } else {
      this.#scale = clamp(scale);
      this.#left = (own.width - width * this.#scale) / 2;
      this.#top = (own.height - height * this.#scale) / 2;
    }
    this.#apply();
  }

  /** Zooms around the center of the view. */
  zoom(factor: number): void {
    const { width, height } = this.#size();
    this.#zoomAt(factor, width / 2, height / 2);
  }

  /** Moves the drawing so that a rectangle in it is visible. */
  reveal(rectangle: Rectangle): void {
    const { width, height } = this.#size();
    const left = rectangle.x * this.#scale + this.#left;
    const top = rectangle.y * this.#scale + this.#top;
    const isVisible =
      left >= 0 &&
      top >= 0 &&
      left + rectangle.width * this.#scale <= width &&
      top + rectangle.height * this.#scale <= height;
    if (isVisible) return;
    this.#center(rectangle);
    this.#apply();
  }

  #center({ x, y, width, height }: Rectangle): void {
    const own = this.#size();
    this.#left = own.width / 2 - (x + width / 2) * this.#scale;
    this.#top = own.height / 2 - (y + height / 2) * this.#scale;
  }

  #zoomAt(factor: number, x: number, y: number): void {
    const scale = clamp(this.#scale * factor);
    const ratio = scale / this.#scale;
    this.#left = x - (x - this.#left) * ratio;
    this.#top = y - (y - this.#top) * ratio;
    this.#scale = scale;
    this.#apply();
  }

  /** Zooms if Ctrl is pressed, which browsers also report for a pinch on a touchpad; otherwise scrolls. */
  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = this.#view.getBoundingClientRect();
      this.#zoomAt(Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top);
      return;
    }
    this.#left -= event.shiftKey ? event.deltaY : event.deltaX;
    this.#top -= event.shiftKey ? 0 : event.deltaY;
    this.#apply();
  }

  #drag(start: PointerEvent): void {
    if (start.button !== 0 || start.target !== this.#view) return;
    const [left, top] = [this.#left, this.#top];
    const move = (event: PointerEvent) => {
      this.#left = left + event.clientX - start.clientX;
      this.#top = top + event.clientY - start.clientY;
      this.#apply();
    };
    this.#view.setPointerCapture(start.pointerId);
    this.#view.addEventListener('pointermove', move);
    this.#view.addEventListener('lostpointercapture', () => this.#view.removeEventListener('pointermove', move), {
      once: true,
    });
  }

  #size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.#view;
    return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
  }

  #apply(): void {
    this.#world.setAttribute('transform', `translate(${this.#left} ${this.#top}) scale(${this.#scale})`);
  }
}

/** Returns an offset that leaves no unnecessary empty space around a drawing; a drawing that fits into the view is centered. */
function filled(offset: number, view: number, drawing: number): number {
  if (drawing + 2 * padding <= view) return (view - drawing) / 2;
  return Math.min(padding, Math.max(view - drawing - padding, offset));
}

function clamp(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale));
}
