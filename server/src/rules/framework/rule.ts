/**
 * The types of a rule, its context and its findings. A rule finds facts, and makes a message and fixes of each; every
 * rule is in its own file.
 */

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
  /** The text that `manifest` was parsed from. Lazy, since most files need not be loaded for it. */
  readonly text: string;
  /** Whether the text mentions a rare term. Faster than a search in the text. */
  mentions(what: Mention): boolean;
  readonly manifest: Manifest;
  readonly file: WorkspaceFile;
  /**
   * The objects that the API server certainly stores: none of a patch, which may omit and rename fields, and none of a
   * tool's configuration.
   */
  readonly stored: readonly ManifestObject[];
  readonly catalogue: Catalogue;
  /** All files, including this one. */
  readonly workspace: Workspace;
  readonly settings: Settings;
  /** The base that the workspace is compared to, and the current state. Absent if there is no base. */
  readonly since?: { readonly base: Base; readonly now: Side } | undefined;
  /** Whether a file may exist although the workspace does not contain it: it is ignored, or too large. */
  isUnread(uri: string): boolean;
  /** The names of all rules. */
  readonly ruleIds: readonly string[];
  readonly suppressions: Suppressions;
  /** Counts the comparisons of the selectors of the file. Beyond the limit, the remaining ones are left out. */
  readonly comparisons: Comparisons;
  /** The objects that a selector of an object of the file matches. */
  selectionOf(object: ManifestObject, site: SelectorSite): Selection;
  /** The results of the rules before this one. */
  readonly done: Done;
}

/** Maximum number of findings of one rule that are reported in one file. */
export const maximumFindings = 5000;

export interface Done {
  /** Whether a rule has run. */
  ran(rule: string): boolean;
  /** Whether all enabled rules have run, so that an unused suppression of every rule can be reported. */
  readonly everyRule: boolean;
  /** The rules in suppressions that suppressed a finding. */
  readonly used: ReadonlySet<NamedRule>;
  /** By rule, the first finding beyond the limit, which is not reported. */
  readonly cut: ReadonlyMap<string, Span>;
}

export interface Fix {
  /** An imperative sentence: `Quote the value`. */
  readonly title: string;
  /** Edits of the file with the finding. */
  readonly edits: readonly Edit[];
  /** Edits of other files, by URI. */
  readonly elsewhere?: ReadonlyMap<string, readonly Edit[]>;
  /** The fix that most users want. */
  readonly preferred: boolean;
  /** Whether the fix cannot change what any selector matches, so that `Fix all` applies it. */
  readonly safe?: boolean;
}

/** A related position elsewhere that helps to explain a finding. */
export interface Related {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly message: string;
}

/** Maximum number of findings in one file about the names in suppressions: the last one counts the omitted ones. */
export const maximumAboutNames = 100;

/** Maximum number of related positions of a finding. */
export const maximumRelated = 10;

/** An editor shows `deprecated` struck out and `unnecessary` faded. */
export type Tag = 'deprecated' | 'unnecessary';

/**
 * Problems that other tools for YAML report too: syntax errors, a duplicate key, or with a schema a value of the wrong
 * type or a field that the schema does not have.
 */
type Common = 'syntax' | 'duplicateKeys' | 'types' | 'fields';

/** A problem at one position: of one key or value, never of a block. */
export interface Finding {
  readonly rule: string;
  readonly common?: Common;
  /** The positions at which other tools report it. If absent: at `span`. */
  readonly reportedAt?: readonly Span[];
  readonly severity: Severity;
  /** The span of the finding, on one line: of a multiline value, its first line. */
  readonly span: Span;
  readonly message: string;
  readonly related: readonly Related[];
  readonly tags: readonly Tag[];
  /** The label keys that the finding depends on, if it does not depend on all labels of the objects. */
  readonly keys?: readonly string[];
  /** The kustomizations to which the finding applies; absent if it does not depend on a kustomization. */
  readonly scopes?: readonly Scope[];
  /** Whether the finding depends on this file only, not on other files of its scope. Lazy. */
  isLocal?(): boolean;
  /** The fixes of the finding. Lazy. */
  fixes(): readonly Fix[];
}

/** An example manifest of a rule, with a sentence that describes it. */
export interface Example {
  readonly title: string;
  readonly text: string;
  /** The name of the file, if it matters. */
  readonly file?: string;
  /** The text on the documentation page, if the whole text is too long. */
  readonly shown?: string;
  /** Other files in the same folder, by name. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Settings of the editor, for rules that need to be configured. */
  readonly settings?: Partial<Settings>;
}

export interface Rule {
  /** The name in kebab-case, for the setting, suppressions and the documentation page. */
  readonly id: string;
  /** The default severity. `off` for an opinionated rule, which must be enabled. */
  readonly severity: RuleSeverity;
  /** Whether a rule that is off by default is enabled, as a warning, because it is configured. */
  isEnabledBy?(context: Pick<RuleContext, 'uri' | 'workspace' | 'settings'>): boolean;
  /** True if the rule depends on other files. It runs after the workspace is loaded and the user stops typing. */
  readonly acrossFiles?: boolean;
  /** True for a rule across files that also runs if rendering is skipped because it would take too long. */
  readonly needsNoRendering?: boolean;
  /**
   * True for a rule about objects as they are applied: it runs once for each kustomization that builds them. If there
   * is one, it waits like a rule across files.
   */
  readonly asApplied?: boolean;
  /** True for a rule about the results of other rules: it runs after them, and `all` does not suppress it. */
  readonly afterOthers?: boolean;
  /** One sentence that describes the findings. */
  readonly summary: string;
  /** Why it matters: the effect in the cluster. */
  readonly why: string;
  /** Why the rule has no quick fix, if it has none: the decision that only the author can make. */
  readonly withoutFix?: string;
  /** Each has exactly one finding. */
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
  /** Finds the findings of a file. `severity` is the configured one, if any. */
  find(context: RuleContext, severity?: Severity): readonly Finding[];
}

/** A result of `check`: its position, and the data for `say` and `fix`. */
export interface Fact {
  readonly span: Span;
  /** The severity, if it differs from that of the rule: for a custom kind that no API server validates. */
  readonly severity?: Severity;
  readonly related?: readonly Related[];
  readonly tags?: readonly Tag[];
  readonly common?: Common;
  /** The label keys that the finding depends on, if it does not depend on all labels of the objects. */
  readonly keys?: readonly string[];
  readonly reportedAt?: readonly Span[];
}

interface RuleDefinition<F extends Fact> extends Omit<Rule, 'find'> {
  check(context: RuleContext): Iterable<F>;
  message(fact: F): string;
  fixes(fact: F, context: RuleContext): readonly Fix[];
}

/** Creates a rule from its three parts. */
export function rule<F extends Fact>(definition: RuleDefinition<F>): Rule {
  const { check, message, fixes, ...described } = definition;
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
          message: message(fact),
          related: fact.related ?? [],
          tags: fact.tags ?? [],
          ...(fact.common && { common: fact.common }),
          ...(fact.keys && { keys: fact.keys }),
          ...(fact.reportedAt && { reportedAt: fact.reportedAt }),
          fixes: () => fixes(fact, context),
        });
      }
      return found;
    },
  };
}
