/** The hover for a variable that Flux substitutes: its value for each Kustomization, and the location of that value. */

import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { maximumShown } from '../presentation/object-lines.ts';
import type { Line, RichText } from '../presentation/rich-text.ts';
import { type VariableUse, variableAt } from '../selected/flux-variable.ts';
import type { FileView } from '../view.ts';

/** Describes the variable at an offset; undefined if no Kustomization substitutes a variable there. */
export function aboutVariableAt(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const use = variableAt(view, offset);
  if (use === undefined) return undefined;
  const { start, end } = use.expression;
  const lines = use.values.slice(0, maximumShown).map((each) => lineOf(view, use, each));
  return { span: { start, end }, text: [{ kind: 'list', lines }] };
}

/** Returns a line such as `APP is web in Kustomization shop — cluster/settings.yaml:12`. */
function lineOf(
  view: FileView,
  { expression }: VariableUse,
  { scope, variables, variable }: VariableUse['values'][number],
): Line {
  const name = { kind: 'code', text: expression.name } as const;
  const owner = { kind: 'code', text: scope.gitops.facts.name } as const;
  if (variable === undefined) {
    return variables.isComplete
      ? [name, localize` is not set in Kustomization `, owner]
      : [name, localize` may be set outside of the workspace for Kustomization `, owner];
  }
  const { value, origin } = variable;
  const file = view.workspace.files.get(origin.uri);
  const position = file && offsetToPosition(file.lines, origin.span.start);
  const place: Line =
    position === undefined
      ? []
      : [
          ' \u2014 ',
          {
            kind: 'link',
            text: `${relativePath(folderOf(view.file.uri), origin.uri)}:${position.line + 1}`,
            target: `${origin.uri}#L${position.line + 1},${position.character + 1}`,
          },
        ];
  const known: Line =
    value === undefined ? [localize` has an unknown value`] : [localize` is `, { kind: 'code', text: value }];
  return [name, ...known, localize` in Kustomization `, owner, ...place];
}
