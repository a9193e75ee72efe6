/** All results of a service for a workspace, as text: two services with equal files must return equal results. */

import '../../server/src/rules/all.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hints } from '../../server/src/features/decorations/inlay-hints.ts';
import { semanticTokens } from '../../server/src/features/decorations/semantic-tokens.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { definition } from '../../server/src/features/navigation/definition.ts';
import { documentSymbols } from '../../server/src/features/navigation/document-symbols.ts';
import { highlights } from '../../server/src/features/navigation/highlights.ts';
import { implementation } from '../../server/src/features/navigation/implementation.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { workspaceSymbols } from '../../server/src/features/navigation/workspace-symbols.ts';
import { explainObject } from '../../server/src/features/pages/explain-object.ts';
import { preview, previewText } from '../../server/src/features/pages/preview.ts';
import { toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import type { Session } from '../../server/src/session.ts';

/** The request, and its result. */
export type Answers = ReadonlyMap<string, string>;

/** The results for an open file, at some offsets. */
export function answersAbout(session: Session, uri: string, offsets: readonly number[]): Answers {
  const view = session.fileView(uri);
  if (view === undefined) throw new Error(`${uri} is not open.`);
  const answers = new Map<string, string>();
  const put = (what: string, answer: unknown) => answers.set(`${what} of ${uri}`, printed(answer));
  put('findings', session.findings(uri).map(plain));
  put(
    'lenses',
    lenses(view).map((lens) => [lens, lensText(view, lens)]),
  );
  put('hints', hints(view, { start: 0, end: view.text.length }));
  put('symbols', documentSymbols(view));
  put('tokens', semanticTokens(view));
  for (const at of offsets) {
    const hovered = session.at(uri, at, hover);
    put(`hover at ${at}`, hovered && [hovered.span, toMarkdown(hovered.text)]);
    put(`preview at ${at}`, session.at(uri, at, preview));
    put(`completion at ${at}`, session.at(uri, at, completion));
    put(`definition at ${at}`, definition(view, at));
    put(`implementation at ${at}`, implementation(view, at));
    put(`references at ${at}`, references(view, at, true));
    put(`highlights at ${at}`, highlights(view, at));
    put(`explanation at ${at}`, session.at(uri, at, explainObject));
  }
  return answers;
}

/** The findings of all files, and the symbols of the workspace. */
export function answersAboutAll(session: Session, textOf: (uri: string) => string): Answers {
  const answers = new Map<string, string>();
  for (const uri of [...session.snapshot().files.keys()].toSorted()) {
    const file = session.snapshot().files.get(uri);
    if (file !== undefined) answers.set(`check of ${uri}`, printed(session.check(file, () => textOf(uri)).map(plain)));
  }
  for (const word of ['a', 'basket', 'app=']) {
    answers.set(`search for ${word}`, printed(workspaceSymbols(session.view(), word)));
  }
  for (const selector of ['app', 'tier=cache', 'app notin (x)']) {
    answers.set(`preview of ${selector}`, printed(previewText(session.view(), selector)));
  }
  return answers;
}

/** A finding with its fixes. */
function plain(finding: Finding) {
  return { ...finding, fixes: finding.fixes() };
}

/** A file is represented by its URI. */
function printed(answer: unknown): string {
  const text = JSON.stringify(
    answer,
    (_, value: unknown) => {
      if (value instanceof Map) return [...value];
      if (value instanceof Set) return [...value];
      const isFile = typeof value === 'object' && value !== null && 'uri' in value && 'lines' in value;
      return isFile ? value.uri : value;
    },
    1,
  );
  return text ?? 'nothing';
}
