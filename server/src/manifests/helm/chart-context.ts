/**
 * Provides the context in which the templates of a chart are parsed and rendered: its helpers, its values and its
 * metadata.
 */

import { localize } from '../../text/localize.ts';
import type { BlankedText, Rendering } from '../placeholders/placeholders.ts';
import type { Origin } from '../yaml/tree.ts';
import { type Helper, includedIn } from './helpers.ts';
import { fillingOf } from './included-entries.ts';
import { type NearHelper, nearHelpers } from './near-helpers.ts';
import { Renderer } from './render.ts';
import { readTemplate, type Template } from './syntax.ts';
import { type TemplateError, templateError } from './template-errors.ts';
import { undefinedName } from './undefined-names.ts';
import type { Value } from './value.ts';

/** The facts about a template that are determined together with the facts of its chart. */
export interface TemplateReading {
  /**
   * Notes on parts that cannot be parsed or found; each problem is reported once. A message is a phrase that follows
   * the position of the part.
   */
  readonly notes: readonly Note[];
  readonly rendering: Rendering;
  readonly knownValues: Pick<BlankedText, 'filling' | 'assumed'>;
}

export interface Note {
  readonly at: number;
  readonly message: string;
  /**
   * The kind of error, if a rule also reports the note: Helm certainly cannot parse the template, or cannot parse the
   * file as YAML; `limit` for the part of a chart from which on helpers are not expanded.
   */
  readonly is?: 'template error' | 'yaml error' | 'limit';
  /**
   * Set if an included helper does not exist and its name is similar to the name of an existing helper; used by a rule.
   */
  readonly near?: NearHelper;
}

function missingHelper(name: string): string {
  return localize`includes the helper '${name.slice(0, 100)}', which is not in the workspace`;
}

/** The facts about a chart, combined from all of its files. */
export interface ChartKnowledge {
  readonly helpers: ReadonlyMap<string, Helper>;
  readonly values: Value;
  readonly chart: Value;
  /** Set for a library chart, of which Helm parses only files whose names begin with `_`. */
  readonly isLibrary?: true | undefined;
}

export class ChartParser {
  readonly #knowledge: ChartKnowledge;
  readonly #renderer: Renderer;
  readonly #origins = new Map<string, Origin | undefined>();

  constructor(knowledge: ChartKnowledge) {
    this.#knowledge = knowledge;
    const { values, chart, helpers } = knowledge;
    this.#renderer = new Renderer({ values, chart, definition: (name) => helpers.get(name) });
  }

  /** Returns the facts about the text of a template; undefined if the text contains no actions. */
  reading(uri: string, text: string): TemplateReading | undefined {
    if (!text.includes('{{')) return undefined;
    const assumed = (code: string) => this.#renderer.assumed(code);
    const originOf = (code: string, key: string) => this.#originOf(code, key);
    const template = readTemplate(text);
    const { nodes, problems } = template;
    const isIgnored = this.#knowledge.isLibrary && !/\/_[^/]*$/.test(uri);
    const error = isIgnored ? undefined : (templateError(text, template) ?? undefinedVariable(template));
    const rendering = this.#renderer.render(nodes, uri);
    const { cutAt } = rendering;
    const near = nearHelpers(uri, text, this.#knowledge.helpers);
    const missing = [...rendering.missing].filter(([name]) => !near.some((each) => each.name === name));
    return {
      rendering,
      notes: [
        ...(error === undefined ? [] : [{ ...error, is: 'template error' as const }]),
        ...problems.filter(({ at }) => at !== error?.at),
        ...(cutAt === undefined
          ? []
          : [{ at: cutAt, message: localize`includes helpers that take too many steps`, is: 'limit' as const }]),
        ...missing.map(([name, at]): Note => ({ at, message: missingHelper(name) })),
        ...near.map((each): Note => ({ at: each.span.start, message: missingHelper(each.name), near: each })),
      ],
      knownValues: { assumed, filling: (placeholder) => fillingOf(placeholder, { assumed, originOf }) },
    };
  }

  /**
   * Returns the position of a key in the helper that an action includes. Keys in the lines of the helper itself take
   * precedence over keys in helpers that it includes.
   */
  #originOf(code: string, key: string): Origin | undefined {
    const known = `${code}\n${key}`;
    if (!this.#origins.has(known)) this.#origins.set(known, this.#findOrigin(code, key));
    return this.#origins.get(known);
  }

  #findOrigin(code: string, key: string): Origin | undefined {
    const waiting = [...includedIn(code)];
    const seen = new Set<string>();
    let first: Origin | undefined;
    for (let name = waiting.shift(); name !== undefined && seen.size < maximumHelpers; name = waiting.shift()) {
      const helper = this.#knowledge.helpers.get(name);
      if (helper === undefined || seen.has(name)) continue;
      seen.add(name);
      first ??= { uri: helper.uri, span: helper.span };
      const span = helper.keys.get(key);
      if (span !== undefined) return { uri: helper.uri, span };
      for (const each of helper.includes) waiting.push(each);
    }
    return first;
  }
}

/** Returns the error for a variable that nothing declares. A function that Helm does not have may be one of another program that renders charts. */
function undefinedVariable(template: Template): TemplateError | undefined {
  const { at = 0, variable } = (template.problems.length === 0 && undefinedName(template)) || {};
  return variable === undefined ? undefined : { at, message: localize`uses the undefined variable ${variable}` };
}

const maximumHelpers = 100;
