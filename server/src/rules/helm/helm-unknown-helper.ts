/** Reports includes of helpers that do not exist, if the name of an existing helper is similar. */

import { localize } from '../../text/localize.ts';
import { definesHelper, hasAllDependencies } from '../../workspace/charts/chart-family.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownHelper extends Fact {
  readonly name: string;
  readonly meant: string;
}

export const helmUnknownHelper = rule<UnknownHelper>({
  id: 'helm-unknown-helper',
  severity: 'warning',
  acrossFiles: true,
  summary: 'An `include` or `template` of a helper that does not exist, although another helper has a similar name.',
  why: 'Helm fails when it renders the action, so the chart cannot be installed. The rule reports a helper only if the chart and all charts that it depends on are in the workspace, and exactly one helper has a name that differs by one or two letters. A helper of the chart itself takes precedence over helpers of other charts that are installed with it.',
  bad: [
    {
      title: 'A misspelled helper.',
      file: 'templates/service.yaml',
      text: `apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  selector:
    {{- include "shop.labelss" . | nindent 4 }}
`,
      beside: {
        'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'templates/_helpers.tpl': '{{- define "shop.labels" -}}\napp: shop\n{{- end }}\n',
      },
    },
  ],
  good: [
    {
      title: 'A helper that the chart defines.',
      change: ['{{- include "shop.labelss" . | nindent 4 }}', '{{- include "shop.labels" . | nindent 4 }}'],
    },
  ],
  *check({ uri, file, workspace }) {
    const scopes = workspace.scopes().of(uri);
    const charts = scopes.filter(({ kind }) => kind === 'chart');
    const isClosed = charts.length > 0 && charts.every(({ closed }) => closed === true);
    for (const { near } of file.notes ?? []) {
      if (near === undefined) continue;
      // Other charts of an umbrella chart, which may be unknown, define helpers with other prefixes.
      const isKnown = near.isOwn && scopes.every(({ unread }) => !unread) && hasAllDependencies(workspace, uri);
      if ((isClosed || isKnown) && !definesHelper(workspace, uri, near.name)) yield near;
    }
  },
  message({ name, meant }) {
    return localize`Helper '${shorten(name)}' does not exist, so Helm fails here. Closest: '${shorten(meant)}'.`;
  },
  fixes({ span, meant }) {
    return [
      { title: localize`Change the helper to '${shorten(meant)}'`, edits: [{ span, text: meant }], preferred: true },
    ];
  },
});
