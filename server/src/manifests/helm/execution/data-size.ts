/** Measures the data that functions of templates walk, in which a shared part counts for each of its uses. */

import { BudgetSpent, spend } from '../../../engine/work-budget.ts';
import { isList, TemplateMap, type TemplateValue } from './template-value.ts';

/** The maximum size of a value: characters of its texts, and `ofNode` for each of its nodes. */
const maximumSize = 10_000_000;
/** The maximum depth of a value, because functions walk it recursively. */
const maximumDepth = 500;
const ofNode = 50;
/** The work of measuring one map or list, without its items. */
const stepsOfPart = 1 / 2;
/** The number of items that are measured in one step. */
const nodesOfStep = 10;

interface Measured {
  /** The number of changes of maps at the time of the measurement. */
  readonly changes: number;
  readonly size: number;
  readonly depth: number;
}

/** Leaves no work for the templates of the release, each of which could build such a value. */
function tooMuch(): never {
  spend(Number.POSITIVE_INFINITY);
  throw new BudgetSpent();
}

const none = { size: 0, depth: 0 };

export class DataSizes {
  readonly #known = new WeakMap<object, Measured>();
  readonly #open = new Set<object>();

  /**
   * Returns the size of a value, as text would have it that contains each part as often as it is used. Throws
   * `BudgetSpent` for a value that is too large or too deep, or that contains itself: walking it would not end in time.
   */
  of(value: TemplateValue): number {
    return this.#measure(value, 0).size;
  }

  #measure(value: TemplateValue, above: number): Pick<Measured, 'size' | 'depth'> {
    if (typeof value === 'string') return { size: value.length, depth: 0 };
    if (!(isList(value) || value instanceof TemplateMap)) return none;
    const known = this.#known.get(value);
    if (known?.changes === TemplateMap.changes && known.depth + above <= maximumDepth) return known;
    if (above > maximumDepth || this.#open.has(value)) return tooMuch();
    this.#open.add(value);
    try {
      spend(stepsOfPart + (isList(value) ? value.length : value.entries.size) / nodesOfStep);
      let [size, depth] = [0, 0];
      for (const item of isList(value) ? value : value.entries.values()) {
        const inner = this.#measure(item, above + 1);
        size += ofNode + inner.size;
        depth = Math.max(depth, inner.depth + 1);
        if (size > maximumSize) return tooMuch();
      }
      const measured = { changes: TemplateMap.changes, size, depth };
      this.#known.set(value, measured);
      return measured;
    } finally {
      this.#open.delete(value);
    }
  }
}
