/** Types for rules, their contexts and their findings. A rule finds facts, and creates a message and fixes for each fact. Each rule is defined in a separate file. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Host } from '../../manifests/inline/host-language.ts';
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

/** The file that a rule checks, with everything else on which the rule may depend. */
export interface RuleContext {
  readonly uri: string;
  /** The text from which `manifest` was parsed; it is loaded lazily, because it is not needed for most files. */
  readonly text: string;
  /**
   * Whether the text contains a rare term. The terms of a file are known, so this is faster than searching the text.
   */
  mentions(what: Mention): boolean;
  readonly manifest: Manifest;
  readonly file: WorkspaceFile;
  /**
   * The objects that the API server certainly stores. Patches, which may omit and rename fields, and configurations of
   * tools are not included.
   */
  readonly stored: readonly ManifestObject[];
  readonly catalogue: Catalogue;
  /** All files of the workspace, including the checked file. */
  readonly workspace: Workspace;
  /** The workspace in which charts are executed with their default values; absent if it is not known. */
  readonly executed?: Workspace;
  readonly settings: Settings;
  /** The base with which the workspace is compared, and the current state; absent if there is no base. */
  readonly since?: { readonly base: Base; readonly now: Side } | undefined;
  /** The page that contains the manifests, if `text` is the text of a page with blanks in place of everything else. */
  readonly page?: { readonly text: string; readonly host: Host } | undefined;
  /** Returns the text of a different file; undefined if it is not in memory and cannot be read synchronously. */
  textOf(uri: string): string | undefined;
  /** Whether a file may exist although the workspace does not contain it, because the file is ignored or too large. */
  isUnread(uri: string): boolean;
  /** The names of all rules. */
  readonly ruleIds: readonly string[];
  readonly suppressions: Suppressions;
  /**
   * The number of comparisons that were made for the selectors in the file. When it reaches the limit, the remaining
   * selectors are skipped.
   */
  readonly comparisons: Comparisons;
  /** Returns the objects that a selector in the file matches; `object` contains the selector. */
  selectionOf(object: ManifestObject, site: SelectorSite): Selection;
  /** The results of the rules that have already run. */
  readonly done: Done;
  /** Whether the file contains what some rules need. */
  has(need: Need): boolean;
  /** Returns the context of another file, or of the output of a template. */
  contextOf(file: WorkspaceFile, text: string): RuleContext;
}

/** What a file must contain for a rule to find anything: a kustomization, suppressions, words of commands, any object, an object that the API server stores, or such an object with certain fields. Patches may write selectors, references and policies into objects of other files. Objects in commands count as objects with maps and selectors. */
export const needs = [
  'kustomization',
  'suppressions',
  'words',
  'objects',
  'maps',
  'selectors',
  'stored',
  'references',
  'gitops',
  'policies',
  'definitions',
] as const;

export type Need = (typeof needs)[number];

/** The maximum number of findings that a rule reports in a file. */
export const maximumFindings = 5000;

export interface Done {
  /** Whether a rule has run without failing. */
  ran(rule: string): boolean;
  /** Whether all enabled rules have run. Only then can every unused suppression be reported. */
  readonly everyRule: boolean;
  /** The names of rules in suppressions that have suppressed a finding. */
  readonly used: ReadonlySet<NamedRule>;
  /** For each rule whose findings exceed the limit, the first finding that is not reported. */
  readonly cut: ReadonlyMap<string, Span>;
}

export interface Fix {
  /** The title of the fix: an imperative sentence such as `Quote the value`. */
  readonly title: string;
  /** Edits to the file that contains the finding. */
  readonly edits: readonly Edit[];
  /** Edits to other files, by their URI. */
  readonly elsewhere?: ReadonlyMap<string, readonly Edit[]>;
  /** Whether the fix is the one that most users want, so that editors prefer it to other fixes. */
  readonly preferred: boolean;
  /** Whether the fix cannot change what any selector matches, so that `Fix all` applies it. */
  readonly safe?: boolean;
}

/** A position that helps to explain a finding, with a message. */
export interface Related {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly message: string;
}

/** The maximum number of findings in a file that concern the names in suppressions; the last of them states how many were omitted. */
export const maximumAboutNames = 100;

/** The maximum number of related positions of a finding. */
export const maximumRelated = 10;

/** The tags of a finding. Editors display a `deprecated` range with a strikethrough, and an `unnecessary` range faded. */
export type Tag = 'deprecated' | 'unnecessary';

/** Kinds of problems that other YAML tools also report: syntax errors, duplicate keys and, if these tools have a schema, values of a wrong type or fields that are not in the schema. */
type Common = 'syntax' | 'duplicateKeys' | 'types' | 'fields';

/** A problem at one position in a file. The position is a key or value, never a whole block. */
export interface Finding {
  readonly rule: string;
  readonly common?: Common;
  /** The positions at which other tools report the problem; if absent, they report it at `span`. */
  readonly reportedAt?: readonly Span[];
  readonly severity: Severity;
  /** The span at which the finding is shown, which is within one line; for a multiline value, its first line. */
  readonly span: Span;
  readonly message: string;
  readonly related: readonly Related[];
  readonly tags: readonly Tag[];
  /** The label keys on which the finding depends; absent if it depends on all labels of the objects. */
  readonly keys?: readonly string[];
  /** The kustomizations in which the finding occurs; absent if the finding does not depend on a kustomization. */
  readonly scopes?: readonly Scope[];
  /**
   * Whether the finding depends only on this file, and not on other files in its scope. The answer is computed lazily.
   */
  isLocal?(): boolean;
  /** Whether objects of other scopes may cause the finding. */
  readonly acrossScopes?: true;
  /** Returns the fixes for the finding, which are computed lazily. */
  fixes(): readonly Fix[];
}

/** An example manifest of a rule, with a sentence that describes it. */
export interface Example {
  readonly title: string;
  readonly text: string;
  /** The name of the file that contains the example, if the rule depends on it. */
  readonly file?: string;
  /** The part of the example that the documentation page shows, if the complete text is too long. */
  readonly shown?: string;
  /** Other files in the same folder, keyed by their names. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Editor settings that the example requires, for rules that must be configured. */
  readonly settings?: Partial<Settings>;
}

export interface Rule {
  /**
   * The name of the rule in kebab-case. It is used in settings, in suppressions, and in the URL of the documentation
   * page.
   */
  readonly id: string;
  /** The default severity. It is `off` for an opinionated rule, which must be enabled explicitly. */
  readonly severity: RuleSeverity;
  /** The rule is not evaluated for files without this. */
  readonly needs?: Need;
  /**
   * Whether a configuration for the rule exists, which enables the rule (as a warning) even if it is off by default.
   */
  isEnabledBy?(context: Pick<RuleContext, 'uri' | 'workspace' | 'settings'>): boolean;
  /**
   * True if the rule depends on other files. Such a rule runs only after the workspace is loaded, and while the user is
   * not typing.
   */
  readonly acrossFiles?: boolean;
  /** True if objects of other scopes may cause findings: those that selectors match, or the same objects. */
  readonly acrossScopes?: true;
  /** Whether a rule without `acrossFiles` depends on other files in the folder of a file, because of its configuration. */
  dependsOnOthers?(context: Pick<RuleContext, 'uri' | 'workspace'>): boolean;
  /**
   * True if the rule also runs when rendering is skipped because it would take too long. Only used for rules that
   * depend on other files.
   */
  readonly needsNoRendering?: boolean;
  /** True if the rule validates single fields as the API server does, so that it also validates the output of templates. */
  readonly validatesFields?: true;
  /**
   * True if the rule checks objects in their applied form. If kustomizations include the file, the rule runs once for
   * each of them, but only when rules that depend on other files also run.
   */
  readonly asApplied?: boolean;
  /**
   * True if the rule checks the results of other rules. It runs after all other rules, and the suppression `all` does
   * not apply to it.
   */
  readonly afterOthers?: boolean;
  /** One sentence that describes what the rule reports. */
  readonly summary: string;
  /** The reason why a finding matters: its effect in the cluster. */
  readonly why: string;
  /** For a rule without quick fixes, the reason: the decision that only the author of the file can make. */
  readonly withoutFix?: string;
  /** Examples, each of which has exactly one finding. */
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
  /** Returns the findings in a file, with their severities if none is configured. */
  find(context: RuleContext): readonly Finding[];
}

/** A fact that the `check` function of a rule finds: its position, and the data from which `message` and `fixes` create the message and the fixes. */
export interface Fact {
  readonly span: Span;
  /**
   * The severity, if it differs from the severity of the rule; for example, for a custom kind that the API server does
   * not validate.
   */
  readonly severity?: Severity;
  readonly related?: readonly Related[];
  readonly tags?: readonly Tag[];
  readonly common?: Common;
  /** The label keys on which the finding depends; absent if it depends on all labels of the objects. */
  readonly keys?: readonly string[];
  readonly reportedAt?: readonly Span[];
}

/** An example that differs from the first bad example of its rule in one text. */
interface ChangedExample {
  readonly title: string;
  readonly change: readonly [from: string, to: string];
}

interface RuleDefinition<F extends Fact> extends Omit<Rule, 'find' | 'bad' | 'good'> {
  readonly bad: readonly [Example, ...(Example | ChangedExample)[]];
  readonly good: readonly (Example | ChangedExample)[];
  check(context: RuleContext): Iterable<F>;
  message(fact: F): string;
  fixes(fact: F, context: RuleContext): readonly Fix[];
}

/** A shared empty list, because most rules find nothing in most files. */
const nothing: readonly Finding[] = [];

/** Creates a rule from a definition with the functions `check`, `message` and `fixes`. */
export function rule<F extends Fact>(definition: RuleDefinition<F>): Rule {
  const { check, message, fixes, ...described } = definition;
  const { needs } = described;
  const usual = definition.severity === 'off' ? 'information' : definition.severity;
  const [first] = definition.bad;
  const complete = (each: Example | ChangedExample) =>
    'text' in each ? each : { ...first, title: each.title, text: first.text.replace(...each.change) };
  return {
    ...described,
    bad: definition.bad.map(complete),
    good: definition.good.map(complete),
    find(context) {
      if (needs !== undefined && !context.has(needs)) return nothing;
      let found: Finding[] | undefined;
      for (const fact of check(context)) {
        found ??= [];
        found.push({
          rule: definition.id,
          severity: fact.severity ?? usual,
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
