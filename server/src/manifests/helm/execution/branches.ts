/** Undoes and joins the changes of branches of which it is unknown whether they are executed. */

import { getOrAdd } from '../../../engine/memoize.ts';
import { TemplateFailure } from './failure.ts';
import type { TemplateOutput } from './output.ts';
import { codeOf, TemplateMap, type TemplateValue, Unknown } from './template-value.ts';

/** A variable, which a template may assign again. */
export interface Cell {
  value: TemplateValue;
}

/** The values of variables and map entries; undefined for an entry that does not exist. */
type Changes = ReadonlyMap<Cell | TemplateMap, ReadonlyMap<string, TemplateValue | undefined>>;
type Journal = Map<Cell | TemplateMap, Map<string, TemplateValue | undefined>>;

/** The result of a branch. Its output is undefined if Helm fails in it. */
export interface ExecutedBranch {
  readonly output: TemplateOutput | undefined;
  readonly after: Changes;
}

/** A value that another iteration of a loop may have changed. */
class Changed extends Unknown {}

function changesOf(
  branches: readonly ExecutedBranch[],
): ReadonlyMap<Cell | TemplateMap, ReadonlyMap<string, readonly (TemplateValue | undefined)[]>> {
  const all = new Map<Cell | TemplateMap, Map<string, (TemplateValue | undefined)[]>>();
  for (const { after } of branches)
    for (const [of, values] of after) {
      const keys = getOrAdd(all, of, () => new Map<string, (TemplateValue | undefined)[]>());
      for (const [key, value] of values) getOrAdd(keys, key, (): (TemplateValue | undefined)[] => []).push(value);
    }
  return all;
}

export class Branches {
  /** The values before the changes of each branch around the current node. */
  readonly #journals: Journal[] = [];

  /** The number of branches around the current node. */
  get depth(): number {
    return this.#journals.length;
  }

  assign(cell: Cell, value: TemplateValue): void {
    this.#change(cell, '', value);
  }

  /** Sets an entry of a map, or removes it if the value is undefined. */
  put(map: TemplateMap, key: string, value: TemplateValue | undefined): void {
    this.#change(map, key, value);
  }

  #change(of: Cell | TemplateMap, key: string, value: TemplateValue | undefined): void {
    const journal = this.#journals.at(-1);
    if (journal !== undefined) {
      const noted = journal.get(of) ?? new Map<string, TemplateValue | undefined>();
      journal.set(of, noted);
      if (!noted.has(key)) noted.set(key, valueIn(of, key));
    }
    restore(of, key, value);
  }

  execute(branch: () => TemplateOutput): ExecutedBranch {
    const journal: Journal = new Map();
    this.#journals.push(journal);
    let output: TemplateOutput | undefined;
    try {
      output = branch();
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
    } finally {
      this.#journals.pop();
    }
    const after: Journal = new Map();
    for (const [of, before] of journal) {
      const now = new Map<string, TemplateValue | undefined>();
      for (const [key, value] of before) {
        now.set(key, valueIn(of, key));
        restore(of, key, value);
      }
      after.set(of, now);
    }
    return { output, after };
  }

  /** Executes branches in an unknown order, and returns their outputs. What another branch may have changed is unknown. Returns undefined if a branch fails. */
  inAnyOrder(all: readonly (() => TemplateOutput)[], mark: () => string): readonly TemplateOutput[] | undefined {
    const alone = all.map((branch) => this.execute(branch));
    const written = changesOf(alone);
    const results =
      written.size === 0
        ? alone
        : all.map((branch, index) => {
            return this.execute(() => {
              const others = changesOf(alone.filter((_, other) => other !== index));
              for (const [of, keys] of others)
                for (const key of keys.keys())
                  this.#change(of, key, new Changed(`changed ${mark()}`, { mayBeAbsent: true }));
              return branch();
            });
          });
    for (const [of, keys] of changesOf(results))
      for (const [key, values] of keys) {
        const own = values.filter((value) => !(value instanceof Changed));
        const [first, ...rest] = own;
        const isOne =
          first !== undefined && rest.every((value) => value !== undefined && codeOf(value) === codeOf(first));
        this.#change(of, key, isOne ? first : new Changed(`changed ${mark()}`, { mayBeAbsent: true }));
      }
    const outputs = results.flatMap(({ output }) => output ?? []);
    return outputs.length === all.length ? outputs : undefined;
  }

  /** Makes everything unknown that a branch changes. */
  disturb(after: Changes, mark: () => string): void {
    for (const [of, values] of after)
      for (const key of values.keys()) {
        const mayBeAbsent = of instanceof TemplateMap;
        this.#change(of, key, new Unknown(`changed ${mark()}`, { mayBeAbsent }));
      }
  }

  redo(after: Changes): void {
    for (const [of, values] of after) for (const [key, value] of values) this.#change(of, key, value);
  }

  /** Applies the changes of two branches of which one is executed. `mark` returns text that identifies the choice. */
  join(one: Changes, other: Changes, mark: () => string): void {
    for (const of of new Set([...one.keys(), ...other.keys()])) {
      const [first, second] = [one.get(of), other.get(of)];
      for (const key of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
        const before = valueIn(of, key);
        const a = first?.has(key) ? first.get(key) : before;
        const b = second?.has(key) ? second.get(key) : before;
        const isSame = a !== undefined && b !== undefined && codeOf(a) === codeOf(b);
        const mayBeAbsent = [a, b].some((each) => each === undefined || (each instanceof Unknown && each.mayBeAbsent));
        const either = () => new Unknown(`either ${codeOf(a ?? b ?? null)} ${mark()}`, { mayBeAbsent });
        this.#change(of, key, isSame ? a : either());
      }
    }
  }
}

function valueIn(of: Cell | TemplateMap, key: string): TemplateValue | undefined {
  return of instanceof TemplateMap ? of.entries.get(key) : of.value;
}

function restore(of: Cell | TemplateMap, key: string, value: TemplateValue | undefined): void {
  if (of instanceof TemplateMap) of.put(key, value);
  else of.value = value ?? null;
}
