/** The types of a rule, its context and its findings. A rule finds facts, and creates a message and fixes for each fact. Each rule is in a separate file. */

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

/** Severities, from the highest to the lowest. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** The input of a rule. */
export interface RuleContext {
  readonly uri: string;
  /** The text from which `manifest` was parsed. Lazy, since the text of most files is not needed. */
  readonly text: string;
  /** Whether the text contains a rare term. This is faster than searching the text. */
  mentions(what: Mention): boolean;
  readonly manifest: Manifest;
  readonly file: WorkspaceFile;
  /**
   * The objects that the API server certainly stores. Objects of patches, which may omit and rename fields, and of
   * configurations of tools are not included.
   */
  readonly stored: readonly ManifestObject[];
  readonly catalogue: Catalogue;
  /** All files, including this one. */
  readonly workspace: Workspace;
  readonly settings: Settings;
  /** The base with which the workspace is compared, and the current state; absent if there is no base. */
  readonly since?: { readonly base: Base; readonly now: Side } | undefined;
  /** Whether a file may exist although the workspace does not contain it, because it is ignored or too large. */
  isUnread(uri: string): boolean;
  /** The names of all rules. */
  readonly ruleIds: readonly string[];
  readonly suppressions: Suppressions;
  /**
   * Counts the comparisons of the selectors of the file. When the limit is reached, the remaining selectors are
   * skipped.
   */
  readonly comparisons: Comparisons;
  /** Returns the objects that a selector in the file matches; the selector belongs to `object`. */
  selectionOf(object: ManifestObject, site: SelectorSite): Selection;
  /** The results of the rules before this one. */
  readonly done: Done;
}

/** Maximum number of findings of one rule that are reported in one file. */
export const maximumFindings = 5000;

export interface Done {
  /** Whether a rule has run. */
  ran(rule: string): boolean;
  /** Whether all enabled rules have run, so that every unused suppression can be reported. */
  readonly everyRule: boolean;
  /** The rule names in suppressions that suppressed a finding. */
  readonly used: ReadonlySet<NamedRule>;
  /** The first finding of each rule that exceeds the limit and is not reported, by rule. */
  readonly cut: ReadonlyMap<string, Span>;
}

export interface Fix {
  /** An imperative sentence: `Quote the value`. */
  readonly title: string;
  /** Edits to the file that contains the finding. */
  readonly edits: readonly Edit[];
  /** Edits to other files, by URI. */
  readonly elsewhere?: ReadonlyMap<string, readonly Edit[]>;
  /** Whether this is the fix that most users want. */
  readonly preferred: boolean;
  /** Whether the fix cannot change what any selector matches, so that `Fix all` applies it. */
  readonly safe?: boolean;
}

/** A related position that helps to explain a finding. */
export interface Related {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly message: string;
}

/** Maximum number of findings in one file about the names in suppressions; the last one states how many were omitted. */
export const maximumAboutNames = 100;

/** Maximum number of related positions of a finding. */
export const maximumRelated = 10;

/** Editors show `deprecated` with a strikethrough, and `unnecessary` faded. */
export type Tag = 'deprecated' | 'unnecessary';

/** Problems that other YAML tools also report: syntax errors, duplicate keys and, if they have a schema, values of a wrong type or fields that are not in the schema. */
type Common = 'syntax' | 'duplicateKeys' | 'types' | 'fields';

/** A problem at one position, which is that of a key or value, never of a block. */
export interface Finding {
  readonly rule: string;
  readonly common?: Common;
  /** The positions at which other tools report the problem; if absent, `span`. */
  readonly reportedAt?: readonly Span[];
  readonly severity: Severity;
  /** The span of the finding, which is on one line; for a multiline value, its first line. */
  readonly span: Span;
  readonly message: string;
  readonly related: readonly Related[];
  readonly tags: readonly Tag[];
  /** The label keys on which the finding depends; absent if it depends on all labels of the objects. */
  readonly keys?: readonly string[];
  /** The kustomizations in which the finding occurs; absent if it does not depend on a kustomization. */
  readonly scopes?: readonly Scope[];
  /** Whether the finding depends only on this file, not on other files of its scope. Lazy. */
  isLocal?(): boolean;
  /** Returns the fixes for the finding. Lazy. */
  fixes(): readonly Fix[];
}

/** An example manifest of a rule, with a sentence that describes it. */
export interface Example {
  readonly title: string;
  readonly text: string;
  /** The name of the file, if it matters. */
  readonly file?: string;
  /** The text on the documentation page, if the complete text is too long. */
  readonly shown?: string;
  /** Other files in the same folder, by name. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Settings of the editor, for rules that need to be configured. */
  readonly settings?: Partial<Settings>;
}

export interface Rule {
  /** The name of the rule in kebab-case, which is used in settings, in suppressions and for the documentation page. */
  readonly id: string;
  /** The default severity. `off` for an opinionated rule, which must be enabled. */
  readonly severity: RuleSeverity;
  /** Whether a rule that is off by default is enabled, as a warning, because it has a configuration. */
  isEnabledBy?(context: Pick<RuleContext, 'uri' | 'workspace' | 'settings'>): boolean;
  /**
   * True if the rule depends on other files. Such a rule runs after the workspace is loaded and while the user is not
   * typing.
   */
  readonly acrossFiles?: boolean;
  /** True if a rule that depends on other files also runs when rendering is skipped because it would take too long. */
  readonly needsNoRendering?: boolean;
  /**
   * True if the rule checks objects as they are applied. For a file that kustomizations include, the rule runs once for
   * each of them, and only when rules that depend on other files run.
   */
  readonly asApplied?: boolean;
  /** True if the rule checks the results of other rules. It runs after them, and `all` does not suppress it. */
  readonly afterOthers?: boolean;
  /** One sentence that describes the findings. */
  readonly summary: string;
  /** The reason why the findings matter, which is their effect in the cluster. */
  readonly why: string;
  /** The reason why the rule has no quick fix, if it has none: the decision that only the author can make. */
  readonly withoutFix?: string;
  /** Examples with exactly one finding each. */
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
  /** Returns the findings in a file. `severity` is the configured severity, if there is one. */
  find(context: RuleContext, severity?: Severity): readonly Finding[];
}

/** A result of `check`: its position, and the data for `say` and `fix`. */
export interface Fact {
  readonly span: Span;
  /**
   * The severity, if it differs from that of the rule, for example for a custom kind that the API server does not
   * validate.
   */
  readonly severity?: Severity;
  readonly related?: readonly Related[];
  readonly tags?: readonly Tag[];
  readonly common?: Common;
  /** The label keys on which the finding depends; absent if it depends on all labels of the objects. */
  readonly keys?: readonly string[];
  readonly reportedAt?: readonly Span[];
}

interface RuleDefinition<F extends Fact> extends Omit<Rule, 'find'> {
  check(context: RuleContext): Iterable<F>;
  message(fact: F): string;
  fixes(fact: F, context: RuleContext): readonly Fix[];
}

/** Shared: most rules find nothing in most files. */
const nothing: readonly Finding[] = [];

/** Creates a rule from its three parts. */
export function rule<F extends Fact>(definition: RuleDefinition<F>): Rule {
  const { check, message, fixes, ...described } = definition;
  const usual = definition.severity === 'off' ? 'information' : definition.severity;
  return {
    ...described,
    find(context, chosen) {
      let found: Finding[] | undefined;
      for (const fact of check(context)) {
        found ??= [];
        found.push({
          rule: definition.id,
          severity: chosen ?? fact.severity ?? usual,
          span: firstLineOf(context.text, fact.span),
          message: message(fact),
          related: fact.related ?? [],
          tags: fact.tags ?? [],
          ...(fact.common && { common: fact.common }),
          ...(fact.keys && { keys: fact.keys }),
          ...(fact.reportedAt && { reportedAt: fact.reportedAt }),
          fixes: () => fixes(fact, context),
        });
      }
      return found ?? nothing;
    },
  };
}
