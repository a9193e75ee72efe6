/** An error for which Helm stops rendering; it is thrown and caught while a template is executed. */
export class TemplateFailure extends Error {
  /** Whether Helm certainly fails, and not only this evaluation. */
  readonly isCertain: boolean;

  constructor(message: string, isCertain: boolean) {
    super(message);
    this.isCertain = isCertain;
  }
}

/** A certain failure of Helm: the reason, and its position in the template. */
export interface RenderFailure {
  readonly at: number;
  readonly reason: string;
}

export function fail(message: string): never {
  throw new TemplateFailure(message, true);
}

/** Ends the evaluation of an expression that this evaluation does not support. */
export function giveUp(message: string): never {
  throw new TemplateFailure(message, false);
}
