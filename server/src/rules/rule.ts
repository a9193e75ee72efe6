/** What is a rule? It finds facts, says them and mends them; one file each. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { Edit } from '../text/edit.ts';
import { firstLineOf } from '../text/lines.ts';
import type { Span } from '../text/span.ts';

/** From the one that stops a rollout to the one that only whispers. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What a rule may look at. */
export interface RuleContext {
  readonly uri: string;
  /** The text that `manifest` was read from. */
  readonly text: string;
  readonly manifest: Manifest;
  readonly catalogue: Catalogue;
}

export interface Fix {
  /** An imperative sentence: `Quote the value`. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** The one that most people want. */
  readonly preferred: boolean;
}

/** What is wrong at one place: of one key or value, never of a block. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** On one line: of a value of several lines the first. */
  readonly span: Span;
  readonly message: string;
  /** Found only when asked for. */
  fixes(): readonly Fix[];
}

/** A manifest that shows a rule, with a sentence on what happens in it. */
export interface Example {
  readonly title: string;
  readonly text: string;
}

export interface Rule {
  /** In kebab-case; the setting, the comment and the page have this name. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence: what is found. */
  readonly summary: string;
  /** Why it matters: what the cluster does with it. */
  readonly why: string;
  /** Each gives exactly one finding. */
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
  find(context: RuleContext): Iterable<Finding>;
}

/** What `check` found: where, and what `say` and `mend` need. */
export interface Fact {
  readonly span: Span;
  /** Where it differs from the rule's own: a custom kind that no API server looks into. */
  readonly severity?: Severity;
}

interface RuleDefinition<F extends Fact> extends Omit<Rule, 'find'> {
  check(context: RuleContext): Iterable<F>;
  say(fact: F): string;
  mend(fact: F, context: RuleContext): readonly Fix[];
}

/** Makes a rule of its three parts. */
export function rule<F extends Fact>(definition: RuleDefinition<F>): Rule {
  const { check, say, mend, ...described } = definition;
  return {
    ...described,
    *find(context) {
      for (const fact of check(context)) {
        yield {
          rule: definition.id,
          severity: fact.severity ?? definition.severity,
          span: firstLineOf(context.text, fact.span),
          message: say(fact),
          fixes: () => mend(fact, context),
        };
      }
    },
  };
}
