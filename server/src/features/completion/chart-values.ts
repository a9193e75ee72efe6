/** The values of recommended labels in the templates of a chart: the name and the version in `Chart.yaml`, and the name of the release. */

import { localize } from '../../text/localize.ts';
import { chartFamilyOf } from '../../workspace/charts/chart-family.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import type { FileView } from '../view.ts';

/** A value that a template writes. */
export interface ChartValue {
  /** The template action, which is written as it is. */
  readonly action: string;
  /** The value in `Chart.yaml`; absent if only the release determines it. */
  readonly literal?: string;
  readonly why: string;
}

/** Returns the value that a label has in the charts of most users; undefined for other labels, and outside of templates. */
export function chartValueOf({ workspace, file: { uri } }: FileView, key: string): ChartValue | undefined {
  const family = isInTemplates(uri) ? chartFamilyOf(workspace, uri) : undefined;
  const chart = family && workspace.files.get(workspace.at(family.folder, 'Chart.yaml'))?.scope.chart;
  if (chart === undefined) return undefined;
  switch (key) {
    case 'app.kubernetes.io/name':
      return { action: '{{ .Chart.Name }}', literal: chart.name, why: localize`the name of the chart` };
    case 'app.kubernetes.io/instance':
      return { action: '{{ .Release.Name }}', why: localize`the name of the release` };
    case 'app.kubernetes.io/managed-by':
      return { action: '{{ .Release.Service }}', literal: 'Helm', why: localize`the tool that installs the chart` };
    case 'app.kubernetes.io/version': {
      const { appVersion } = chart;
      if (appVersion === undefined) return undefined;
      return {
        action: '{{ .Chart.AppVersion | quote }}',
        literal: appVersion,
        why: localize`the version in Chart.yaml`,
      };
    }
    default:
      return undefined;
  }
}
