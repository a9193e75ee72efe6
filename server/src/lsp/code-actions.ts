/** Provides code actions for findings: fixes and actions that suppress a finding, or a single action that applies all safe fixes. */

import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { getOrAdd } from '../engine/memoize.ts';
import { separateFixes } from '../features/refactor/fix-all.ts';
import {
  type ConfigText,
  disableByConfig,
  hasComments,
  type SuppressionFix,
  suppressionsIn,
} from '../features/refactor/suppress.ts';
import type { Log } from '../log.ts';
import { isConfigFault } from '../rules/framework/check.ts';
import { changesOnlyEdited } from '../rules/framework/edited-data.ts';
import type { Finding } from '../rules/framework/rule.ts';
import type { Session } from '../session.ts';
import { configName } from '../settings/config.ts';
import type { Edit } from '../text/edit.ts';
import { lineTable } from '../text/lines.ts';
import { meets, type Span } from '../text/span.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri, folderOf, isWithin, relativePath } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import {
  type ActionContext,
  fixAllKind,
  fixAllToCodeAction,
  fixToCodeAction,
  pageToCodeAction,
  rangeToSpan,
} from './convert.ts';
import type { OpenFindings } from './findings.ts';
import { fixRuleActions, resolveFixRule } from './fix-rule.ts';
import type { OtherReporters } from './other-tools.ts';
import { guard } from './request-guard.ts';
import { shownText } from './shown-text.ts';

/** The code actions that are not for findings. */
export interface OtherActions {
  /** Returns the actions at a range; `isRequested` determines whether the editor requests a kind of action. */
  at(
    document: TextDocument,
    params: Pick<CodeActionParams, 'range'>,
    isRequested: (kind: string) => boolean,
  ): readonly CodeAction[];
  resolve(action: CodeAction): CodeAction;
}

interface ActionParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  readonly source: FileSource;
  readonly findings: OpenFindings;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly others: OtherReporters;
  folders(): readonly string[];
}

/** Handles `textDocument/codeAction` and `codeAction/resolve`. Returns a function that adds the actions that are not for findings. */
export function provideCodeActions(parts: ActionParts): (actions: OtherActions) => void {
  let otherActions: OtherActions | undefined;
  const add = (actions: OtherActions) => {
    otherActions = actions;
  };
  const { connection, documents, session, log, abilities } = parts;
  if (!abilities.actions) return add;
  connection.onCodeAction((params, token) =>
    guard(log, 'textDocument/codeAction', [], token, () => {
      const document = documents.get(params.textDocument.uri);
      if (document === undefined) return [];
      const context: ActionContext = {
        document,
        abilities,
        diagnostics: params.context.diagnostics,
        linesOf: (uri) => session.snapshot().files.get(uri)?.lines,
      };
      const { only } = params.context;
      const fixAllOf = only?.find((kind) => holds(kind, fixAllKind) || kind.startsWith(`${fixAllKind}.`));
      const isQuick = only?.some((kind) => holds(kind, CodeActionKind.QuickFix)) ?? true;
      const isRequested = (kind: string) => only?.some((each) => holds(each, kind)) ?? true;
      const shown = (actions: Actions) => actions.map(shownAction);
      const others = () => otherActions?.at(document, params, isRequested) ?? [];
      if (fixAllOf === undefined && !isQuick) return shown([...others()]);
      return parts.findings.answer(document, token, (findings) => {
        const fixAll = fixAllOf === undefined ? [] : safeFixes(context, findings, fixAllOf);
        const all = [...fixAll, ...others()];
        const found = isQuick ? quickFixes(parts, context, { params, findings, others: all }) : all;
        return found instanceof Promise ? found.then(shown) : shown(found);
      });
    }),
  );
  if (!abilities.resolveActions) return add;
  connection.onCodeActionResolve((action, token) =>
    guard(
      log,
      'codeAction/resolve',
      action,
      token,
      () => resolveFixRule(parts, action) ?? otherActions?.resolve(action) ?? action,
    ),
  );
  return add;
}

/** Returns an action whose title an editor can show unchanged, although it may contain names of the workspace. */
export function shownAction(action: CodeAction): CodeAction {
  const { title, command } = action;
  return {
    ...action,
    title: shownText(title),
    ...(command && { command: { ...command, title: shownText(command.title) } }),
  };
}

/** The maximum number of findings in a range for which quick fixes are provided; a larger menu would not be readable. */
const maximumInRange = 100;

/** Whether the requested kind `asked` includes the kind `kind`. A kind includes its subkinds, and the empty kind includes all kinds. */
function holds(asked: string, kind: string): boolean {
  return asked === '' || asked === kind || kind.startsWith(`${asked}.`);
}

type Actions = CodeAction[];

interface Asked {
  readonly params: CodeActionParams;
  /** All findings of the document. */
  readonly findings: readonly Finding[];
  /** The actions that are not quick fixes. */
  readonly others: Actions;
}

function quickFixes(
  parts: ActionParts,
  context: ActionContext,
  { params, findings: all, others }: Asked,
): Actions | Promise<Actions> {
  const { session, log, others: reporters } = parts;
  const { document } = context;
  const uri = canonicalUri(document.uri);
  const span = rangeToSpan(document, params.range);
  const alsoReported = reporters.alsoReported(all, document);
  const findings = all
    .filter((finding) => spansOf(finding, alsoReported.has(finding)).some((place) => meets(place, span)))
    .slice(0, maximumInRange);
  // Comments that disable a rule have no effect on findings of other extensions, or on errors in the configuration.
  const shown = findings.filter((finding) => !alsoReported.has(finding) && !isConfigFault(uri, finding));
  const offered = findings.flatMap((finding) => finding.fixes().map((fix) => ({ finding, fix })));
  const unread = [...new Set(offered.flatMap(({ fix }) => [...(fix.elsewhere?.keys() ?? [])]))].filter(
    (each) => session.workspace.textOf(each) === undefined,
  );
  const disabling = (fixes: typeof offered, ways: (finding: Finding) => readonly SuppressionFix[]) => [
    ...fixes.map(({ finding, fix }) => fixToCodeAction(context, finding, fix)),
    ...fixRuleActions(parts, context, findings, all),
    ...shown.flatMap((finding) => ways(finding).map((fix) => fixToCodeAction(context, finding, fix))),
    ...openPages(parts, context, findings),
    ...others,
  ];
  if (findings.length === 0) return others;
  const withFixes = (fixes: typeof offered): Actions | Promise<Actions> => {
    if (hasComments(uri)) return disabling(fixes, suppressionsIn(document.getText()));
    return configOf(parts, uri)
      .catch((error: unknown) => log.bug('reading the .selector-lens.yaml', error))
      .then((config) => {
        const ofRule = new Map<string, readonly SuppressionFix[]>();
        return disabling(fixes, (finding) => {
          return getOrAdd(ofRule, finding.rule, () => (config ? disableByConfig(finding, config) : []));
        });
      });
  };
  if (unread.length === 0) return withFixes(offered);
  return textsOf(parts, unread).then((texts) => {
    const isVerified = ([each, edits]: readonly [string, readonly Edit[]]) => {
      const text = session.workspace.textOf(each) ?? texts.get(each);
      if (text === undefined) return false;
      // The offsets of the edits refer to the text that was read last.
      const isCurrent = lineTable(text).join() === context.linesOf(each)?.join();
      return isCurrent && changesOnlyEdited(text, edits);
    };
    return withFixes(offered.filter(({ fix }) => [...(fix.elsewhere ?? [])].every(isVerified)));
  });
}

/** Returns the texts of closed files, without those that cannot be read. */
async function textsOf(
  { session, source }: ActionParts,
  uris: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const read = await source.read(uris, session.workspace.settings.maximumFileSize).catch(() => []);
  return new Map(
    uris.flatMap((uri, index): readonly [string, string][] => {
      const each = read[index];
      return each !== undefined && 'text' in each ? [[uri, each.text]] : [];
    }),
  );
}

/** Returns the ranges of a finding; another extension may report the same problem at different ranges. */
function spansOf({ span, reportedAt = [] }: Finding, isAlsoReported: boolean): readonly Span[] {
  return isAlsoReported ? [span, ...reportedAt] : [span];
}

/** Returns an action for each rule with a finding that opens the documentation of the rule, if the client has a command for this. */
function openPages({ abilities }: ActionParts, context: ActionContext, findings: readonly Finding[]): Actions {
  const command = abilities.commands.rulePage;
  if (command === undefined) return [];
  const byRule = new Map(findings.map((finding) => [finding.rule, finding]));
  return [...byRule.values()].map((finding) => pageToCodeAction(context, finding, command));
}

/** Returns the configuration file for a manifest: the nearest existing file, or otherwise a new file at the root. */
async function configOf(
  { session, source, abilities, folders }: ActionParts,
  uri: string,
): Promise<ConfigText | undefined> {
  const placed = session.snapshot().configs().of(uri);
  if (placed !== undefined) {
    const [read] = await source.read([placed.uri], session.workspace.settings.maximumFileSize);
    const text = session.workspace.textOf(placed.uri) ?? (read !== undefined && 'text' in read ? read.text : undefined);
    return text === undefined ? undefined : { uri: placed.uri, text, path: placed.pathOf(uri) };
  }
  if (!abilities.versionedEdits || !abilities.createFiles) return undefined;
  const folder = folders().find((each) => isWithin(uri, each)) ?? folderOf(uri);
  return { uri: `${folder}/${configName}`, text: undefined, path: relativePath(folder, uri) };
}

/** Returns one action that applies all safe fixes of the document, or only the safe fixes of one rule, depending on `kind`. */
function safeFixes(context: ActionContext, all: readonly Finding[], kind: string): CodeAction[] {
  const rule = kind.startsWith(`${fixAllKind}.`) ? kind.slice(fixAllKind.length + 1) : undefined;
  const findings = rule === undefined ? all : all.filter((finding) => finding.rule === rule);
  const edits = separateFixes(findings, false, context.document.getText()).flatMap((fix) => fix.edits);
  return edits.length === 0 ? [] : [fixAllToCodeAction(context, edits, rule)];
}
