/** Represents `break` and `continue`, also if it is unknown whether they are executed. */

/** Leaves an iteration or a loop; thrown by a node, and caught by the loop or the branch around it. */
export class Jump extends Error {
  readonly isBreak: boolean;

  constructor(isBreak: boolean) {
    super();
    this.isBreak = isBreak;
  }
}

/** Returns the jump that ends a part of a template; undefined if it is executed to its end. */
export function jumpOf(execute: () => void): Jump | undefined {
  try {
    execute();
  } catch (error) {
    if (error instanceof Jump) return error;
    throw error;
  }
  return undefined;
}

/** Counts the jumps in branches of which it is unknown whether they are executed. What follows such a jump is unknown, too. */
export class PossibleJumps {
  /** The number of such jumps in the iterations around the current node. */
  count = 0;
  /** The number of these jumps that end their loop, in the loops around the current node. */
  breaks = 0;

  /** States that a jump may be executed. */
  #add({ isBreak }: Jump): void {
    this.count++;
    if (isBreak) this.breaks++;
  }

  /** States how two branches end, of which one is executed: with a jump, or at their end. */
  either(one: Jump | undefined, other: Jump | undefined): void {
    if (one !== undefined && other !== undefined && one.isBreak === other.isBreak) throw one;
    for (const jump of [one, other]) if (jump !== undefined) this.#add(jump);
    if (one !== undefined && other !== undefined) throw new Jump(false);
  }

  /** Returns the jump that ends an iteration which another jump may have ended before. */
  last(jump: Jump): Jump {
    this.#add(jump);
    return new Jump(false);
  }
}
