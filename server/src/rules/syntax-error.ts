/** Reports YAML that cannot be parsed. */

import { isKustomizationName } from '../manifests/kustomization.ts';
import { sayProblem, spanOfProblem, syntaxProblems } from '../manifests/syntax-problems.ts';
import { isInTemplates } from '../workspace/chart-files.ts';
import { nameOf } from '../workspace/uri.ts';
import { type Fact, rule } from './rule.ts';

interface SyntaxError extends Fact {
  readonly message: string;
}

export const syntaxError = rule<SyntaxError>({
  id: 'syntax-error',
  severity: 'error',
  about: 'syntax errors',
  summary: 'A manifest, kustomization or `.selector-lens.yaml` that is not valid YAML.',
  why: '`kubectl` reads nothing of a document with a syntax error, and nothing that follows it in the file; `kustomize build` fails. What is written behind the error is checked only as far as it can be made out. Templates are not reported, because they are valid only after they are rendered: files with actions of Helm, Jinja or ytt on lines of their own, and errors beside a placeholder. Neither are files that are not recognizably manifests: one document must have `apiVersion` and `kind` at its top. In an editor, the error is left to another extension that reports it.',
  withoutFix: 'Only the author knows what was meant.',
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
      title: 'The value is quoted.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  title: "Prices: a list"
`,
    },
  ],
  *check({ uri, text, file, workspace }) {
    if (file.config !== undefined) {
      for (const { code, span, message } of file.config.problems)
        if (code === 'syntax') yield { span, message, common: 'syntax' };
      return;
    }
    if (isInTemplates(uri) && text.includes('{{')) return;
    const isKustomization = isKustomizationName(nameOf(uri));
    const placeholders = workspace.configs().of(uri)?.config.reading.placeholders ?? [];
    const consequence = isKustomization ? '`kustomize build` fails' : 'kubectl rejects this document';
    for (const problem of syntaxProblems(text, { placeholders, isKustomization }))
      yield { span: spanOfProblem(text, problem), message: sayProblem(problem, consequence), common: 'syntax' };
  },
  say: ({ message }) => message,
  mend: () => [],
});
