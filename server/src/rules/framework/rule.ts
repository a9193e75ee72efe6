/** What is a rule? It finds facts, says them and mends them; one file each. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Mention } from '../../manifests/mentions.ts';
import type { Manifest, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { RuleSeverity, Settings } from '../../settings/settings.ts';
import type { Edit } from '../../text/edit.ts';
import { firstLineOf } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { Base, Side } from '../../workspace/base.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import type { NamedRule, Suppressions } from './suppressions.ts';

/** From the one that stops a rollout to the one that only whispers. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What a rule may look at. */
export interface RuleContext {
  readonly uri: string;
  /** The text that `manifest` was read from. It may have to be read for it: most files need not be. */
  readonly text: string;
  /** Whether the text mentions something that few do; quicker than to look into it. */
  mentions(what: Mention): boolean;
  readonly manifest: Manifest;
  readonly file: WorkspaceFile;
  /**
   * The objects that the API server will see for certain: none of a patch, which may leave out and rename what it likes,
   * and none of a tool's configuration.
   */
  readonly stored: readonly ManifestObject[];
  readonly catalogue: Catalogue;
  /** All files, this one among them. */
  readonly workspace: Workspace;
  readonly settings: Settings;
  /** The state to which the workspace is compared, with the workspace as the state of now; absent if there is none. */
  readonly since?: { readonly base: Base; readonly now: Side } | undefined;
  /** Whether a file may be there although the workspace does not know it: it is ignored, or too large. */
  isUnread(uri: string): boolean;
  /** The names of all rules there are. */
  readonly ruleIds: readonly string[];
  readonly suppressions: Suppressions;
  /** Counts what the selectors of the file are compared with; once that is too much, the others are left out. */
  readonly comparisons: Comparisons;
  /** What a selector of an object of the file matches. */
  selectionOf(object: ManifestObject, site: SelectorSite): Selection;
  /** What the rules before this one came to. */
  readonly done: Done;
}

/** Maximum number of findings of one rule that are reported in one file. */
export const maximumFindings = 5000;

export interface Done {
  /** Whether a rule had its turn. */
  ran(rule: string): boolean;
  /** No rule that is on is still to come: a suppression of every rule has had its chance. */
  readonly everyRule: boolean;
  /** What silenced something. */
  readonly used: ReadonlySet<NamedRule>;
  /** By rule, the first finding beyond the limit, which is not reported. */
  readonly cut: ReadonlyMap<string, Span>;
}

export interface Fix {
  /** An imperative sentence: `Quote the value`. */
  readonly title: string;
  /** In the file of the finding. */
  readonly edits: readonly Edit[];
  /** In other files, by URI. */
  readonly elsewhere?: ReadonlyMap<string, readonly Edit[]>;
  /** The one that most people want. */
  readonly preferred: boolean;
  /** It cannot change what anything selects: `Fix all` applies it. */
  readonly safe?: boolean;
}

/** The other end of the story: what stands somewhere else and has to do with it. */
export interface Related {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly message: string;
}

/** Maximum number of findings in one file about the names in suppressions: the last one counts those that are left. */
export const maximumAboutNames = 100;

/** A finding names at most so many other places: a reader follows a few. */
export const maximumRelated = 10;

/** `deprecated` is shown struck out, `unnecessary` faded. */
export type Tag = 'deprecated' | 'unnecessary';

/**
 * What other tools for YAML report too: syntax errors, a repeated key, or with a schema a value of the wrong type or a
 * field that the schema does not have.
 */
type Common = 'syntax' | 'duplicateKeys' | 'types' | 'fields';

/** What is wrong at one place: of one key or value, never of a block. */
export interface Finding {
  readonly rule: string;
  readonly common?: Common;
  /** Where other tools report it; absent: at `span`. */
  readonly reportedAt?: readonly Span[];
  readonly severity: Severity;
  /** On one line: of a value of several lines the first. */
  readonly span: Span;
  readonly message: string;
  readonly related: readonly Related[];
  readonly tags: readonly Tag[];
  /** The label keys that decide it, where not all labels of the objects do. */
  readonly keys?: readonly string[];
  /** The kustomizations in which the finding holds; absent if it does not depend on a kustomization. */
  readonly scopes?: readonly Scope[];
  /** Whether the file has the finding by itself: no other file of its scope decides it. Computed only when asked for. */
  isLocal?(): boolean;
  /** Found only when asked for. */
  fixes(): readonly Fix[];
}

/** A manifest that shows a rule, with a sentence on what happens in it. */
export interface Example {
  readonly title: string;
  readonly text: string;
  /** The name of the file, where that matters. */
  readonly file?: string;
  /** What the page prints instead of a text that is too long to read. */
  readonly shown?: string;
  /** Files beside it, by their names. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Chosen in the editor, for rules that need to be told what to look for. */
  readonly settings?: Partial<Settings>;
}

export interface Rule {
  /** In kebab-case; the setting, the comment and the page have this name. */
  readonly id: string;
  /** `off` for an opinion, which is silent until it is asked for. */
  readonly severity: RuleSeverity;
  /** An opinion that needs no asking once it was told what to look for: it is a warning then. */
  wakes?(context: Pick<RuleContext, 'uri' | 'workspace' | 'settings'>): boolean;
  /** True where other files decide: such a rule waits until the workspace is read and the typist rests. */
  readonly acrossFiles?: boolean;
  /** True for a rule across files that also looks at what is not rendered, because that would take too long. */
  readonly needsNoRendering?: boolean;
  /**
   * True for a rule about objects as they are applied: it looks at them once for each kustomization that builds them. Where
   * there is one, it waits as a rule across files does.
   */
  readonly asApplied?: boolean;
  /** True for a rule about what the others found: it runs after them, and `all` does not silence it. */
  readonly afterOthers?: boolean;
  /** One sentence: what is found. */
  readonly summary: string;
  /** Why it matters: what the cluster does with it. */
  readonly why: string;
  /** Why it has no quick fix, where it has none: what only a person can decide. */
  readonly withoutFix?: string;
  /** Each gives exactly one finding. */
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
  /** `severity` is the one that the user chose, where there is one. */
  find(context: RuleContext, severity?: Severity): readonly Finding[];
}

/** What `check` found: where, and what `say` and `mend` need. */
export interface Fact {
  readonly span: Span;
  /** Where it differs from the rule's own: a custom kind that no API server looks into. */
  readonly severity?: Severity;
  readonly related?: readonly Related[];
  readonly tags?: readonly Tag[];
  readonly common?: Common;
  /** The label keys that decide it, where not all labels of the objects do. */
  readonly keys?: readonly string[];
  readonly reportedAt?: readonly Span[];
}

interface RuleDefinition<F extends Fact> extends Omit<Rule, 'find'> {
  check(context: RuleContext): Iterable<F>;
  say(fact: F): string;
  mend(fact: F, context: RuleContext): readonly Fix[];
}

/** Makes a rule of its three parts. */
export function rule<F extends Fact>(definition: RuleDefinition<F>): Rule {
  const { check, say, mend, ...described } = definition;
  const usual = definition.severity === 'off' ? 'information' : definition.severity;
  return {
    ...described,
    find(context, chosen) {
      const found: Finding[] = [];
      for (const fact of check(context)) {
        found.push({
          rule: definition.id,
          severity: chosen ?? fact.severity ?? usual,
          span: firstLineOf(context.text, fact.span),
          message: say(fact),
          related: fact.related ?? [],
          tags: fact.tags ?? [],
          ...(fact.common && { common: fact.common }),
          ...(fact.keys && { keys: fact.keys }),
          ...(fact.reportedAt && { reportedAt: fact.reportedAt }),
          fixes: () => mend(fact, context),
        });
      }
      return found;
    },
  };
}
