/** Reports YAML that cannot be parsed. */

import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import { describeProblem, spanOfProblem, syntaxProblems } from '../../manifests/yaml/syntax-errors.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface SyntaxError extends Fact {
  readonly message: string;
}

export const syntaxError = rule<SyntaxError>({
  id: 'syntax-error',
  severity: 'error',
  summary:
    'YAML that cannot be parsed in a manifest, kustomization, chart or `.selector-lens.yaml`, or a broken Helm template.',
  why: '`kubectl` rejects a document with a syntax error and ignores the documents after it; `kustomize build` fails. Helm cannot render a chart if an action (`{{`) or a block (`if`, `with`, `range`, `define`) of one of its templates is not closed. The text after the error is checked only in part. Templates are not reported, because they become valid YAML only when they are rendered: files with actions of Helm, Jinja or ytt on separate lines, and errors next to a placeholder. Files without a document that has `apiVersion` and `kind` are not reported either. In an editor, an error that another extension reports is not reported again.',
  withoutFix: 'Only the author knows what was intended.',
  bad: [
    {
      title: 'A quote that is not closed.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: "basket
    team: blue
`,
    },
    {
      title: 'A colon in a value without quotes.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  title: Prices: a list
`,
    },
  ],
  good: [
    {
      title: 'A quoted value.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  title: "Prices: a list"
`,
    },
  ],
  *check(context) {
    const { uri, file, manifest, workspace } = context;
    if (file.config !== undefined) {
      for (const { code, span, message } of file.config.problems)
        if (code === 'syntax') yield { span, message, common: 'syntax' };
      return;
    }
    const ofChart = file.notes?.filter(({ is }) => is !== undefined && is !== 'limit') ?? [];
    if (ofChart.length === 0 && manifest.syntaxErrors === 0) return;
    const { text } = context;
    for (const { at, message, is } of ofChart) {
      const span = spanOfProblem(text, { at });
      if (is === 'template error')
        yield { span, message: localize`\`${wordAt(text, span)}\` ${message}; Helm cannot render this chart.` };
      else
        yield {
          span,
          message: describeProblem({ reason: message }, localize`Helm cannot load this chart`),
          common: 'syntax',
        };
    }
    if (ofChart.length > 0) return;
    if (isInTemplates(uri) && text.includes('{{')) return;
    const isKustomization = isKustomizationName(fileNameOf(uri));
    const placeholders = workspace.configs().of(uri)?.config.reading.placeholders ?? [];
    const consequence = isKustomization ? localize`\`kustomize build\` fails` : 'kubectl rejects this document';
    for (const problem of syntaxProblems(text, {
      placeholders,
      isManifest: isKustomization,
      known: manifest.firstErrors,
    }))
      yield { span: spanOfProblem(text, problem), message: describeProblem(problem, consequence), common: 'syntax' };
  },
  message: ({ message }) => message,
  fixes: () => [],
});

/** Returns the first line of a template action, shortened. */
function wordAt(text: string, { start }: Span): string {
  const [line = ''] = /^\{\{[^\n`]{0,200}?\}\}|^[^\n`]{0,200}/.exec(text.slice(start, start + 300)) ?? [];
  return shorten(line.trim());
}
