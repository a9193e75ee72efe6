/** An error for which Helm stops rendering; it is thrown and caught while a template is executed. */
export class TemplateFailure extends Error {}

export function fail(message: string): never {
  throw new TemplateFailure(message);
}
