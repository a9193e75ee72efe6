/** Reports labels that Argo CD overwrites in order to track objects, so that a selector no longer matches them. */

import { evaluate, maxValueBytes, type Selector } from '../../engine/index.ts';
import { localize } from '../../text/localize.ts';
import { type GitopsScope, scopesApplying, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { type OverwrittenLabel, overwrittenLabels } from '../../workspace/gitops/overwritten-labels.ts';
import { trackingOfScope } from '../../workspace/gitops/tracking-of-scope.ts';
import { buildsSelected } from '../../workspace/kustomize/built-elsewhere.ts';
import { seenBy, versionsIn } from '../../workspace/kustomize/view.ts';
import type { Workspace } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { type SelectingObject, selectingObjectsAround } from '../../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { isWithin } from '../../workspace/uri.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface Tracked extends Fact {
  readonly broken?: Broken;
  /** The object belongs to the chart of the Application that is reported. */
  readonly inChart?: true;
  /** A value that the API server rejects. */
  readonly long?: string;
}

/** A label that Argo CD overwrites, and the first selector that requires its value. */
interface Broken {
  readonly label: OverwrittenLabel;
  readonly selecting: SelectingObject;
  readonly related: readonly Related[];
}

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.com/shop.git
    path: shop
  destination:
    server: https://kubernetes.default.svc
    namespace: shop
`;

const settings = (method: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
  namespace: argocd
data:
  application.resourceTrackingMethod: ${method}
`;

const monitor = `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app.kubernetes.io/instance: web
  endpoints:
    - port: http
`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
  labels:
    app.kubernetes.io/instance: web
spec:
  ports:
    - name: http
      port: 80
  selector:
    app: web
`;

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers:
    - name: web
      image: web:1
`;

export const gitopsTrackingLabel = rule<Tracked>({
  id: 'gitops-tracking-label',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  summary:
    'A label that Argo CD sets to track objects, although a selector requires another value, or although it is too long.',
  why: 'With the tracking method `label` or `annotation+label`, Argo CD sets a label of every object, `app.kubernetes.io/instance` by default, to the name of its Application. The labels of pod templates are not changed, but a ServiceMonitor, a NetworkPolicy that selects namespaces, or a script that selects objects by this label then finds no objects. The selector may be in another Application for the same cluster. For a chart, the finding is at the Application, because the label depends on the name of its release. With the method `label`, the name of an Application must have at most 63 characters, or the API server rejects its objects. The tracking method is set in the ConfigMap `argocd-cm`; the default, `annotation`, sets no label.',
  withoutFix:
    'Possible remedies are the tracking method `annotation`, a different `application.instanceLabelKey`, or the name of the Application as the value of the label.',
  bad: [
    {
      title: 'A ServiceMonitor that requires a label that Argo CD overwrites.',
      file: 'shop/web.yaml',
      text: `${service}---\n${pod}`,
      beside: {
        'argocd/shop.yaml': application,
        'argocd/settings.yaml': settings('label'),
        'shop/monitor.yaml': monitor,
      },
    },
  ],
  good: [
    {
      title: 'The tracking method that sets an annotation.',
      file: 'shop/web.yaml',
      text: service,
      beside: {
        'argocd/shop.yaml': application,
        'argocd/settings.yaml': settings('annotation'),
        'shop/monitor.yaml': monitor,
        'shop/pod.yaml': pod,
      },
    },
  ],
  *check(context) {
    const { workspace, stored, uri, file } = context;
    for (const object of stored) {
      for (const scope of scopesApplying(workspace, placeOf({ file, object }))) {
        const isOwn = (label: OverwrittenLabel) => isSameObject(label, { file, object });
        const fact = isInChart(scope, uri) ? undefined : brokenIn(context, scope, isOwn);
        const entry = fact && object.labels?.entries.find(({ key }) => key.text === fact.label.entry.key.text);
        if (fact === undefined || entry === undefined) continue;
        yield { ...ofLabel(fact), span: entry.value.span };
        break;
      }
      const long = tooLong(workspace, scopesDefinedBy(workspace, uri, object));
      if (long !== undefined && object.name !== undefined) {
        yield { span: object.name.span, long };
        continue;
      }
      // The labels of charts depend on the release.
      for (const scope of scopesDefinedBy(workspace, uri, object)) {
        const fact = object.name && brokenIn(context, scope, (label) => isInChart(scope, label.file.uri));
        if (fact === undefined || object.name === undefined) continue;
        yield { ...ofLabel(fact), span: object.name.span, inChart: true };
        break;
      }
    }
  },
  message({ broken, inChart, long }) {
    if (broken === undefined)
      return localize`Argo CD labels all objects with '${shorten(long ?? '')}', which is longer than 63 characters; the API server rejects them.`;
    const { label, selecting } = broken;
    const [key, value] = [shorten(label.entry.key.text), shorten(label.entry.value.text)];
    const other = objectNameOf(selecting.object);
    if (inChart)
      return localize`Argo CD overwrites '${key}' of ${objectNameOf(label.object)} with '${value}', so ${other} does not match it.`;
    return localize`Argo CD overwrites '${key}' with '${value}', so ${other} does not match this object.`;
  },
  fixes: () => [],
});

function ofLabel(broken: Broken): Omit<Tracked, 'span'> {
  return { broken, related: broken.related, keys: [broken.label.entry.key.text] };
}

/** Returns the value of the label if it is too long; the method `annotation+label` shortens it. */
function tooLong(workspace: Workspace, scopes: readonly GitopsScope[]): string | undefined {
  const values = scopes.map((scope) => trackingOfScope(workspace, scope)?.value);
  return values.find((value) => value !== undefined && value.length > maxValueBytes);
}

function isInChart({ gitops }: GitopsScope, uri: string): boolean {
  return gitops.contents.some((content) => content?.chart === true && isWithin(uri, content.folder));
}

/** Returns the first wanted label that the Application of a scope overwrites although a selector requires its value. */
function brokenIn(
  context: RuleContext,
  scope: GitopsScope,
  isWanted: (label: OverwrittenLabel) => boolean,
): Broken | undefined {
  const { workspace, catalogue } = context;
  const view = seenBy(workspace, catalogue, scope);
  if (view === undefined) return undefined;
  for (const label of overwrittenLabels(workspace, catalogue, scope)) {
    if (!isWanted(label)) continue;
    const { file, object, before, after, replaced } = label;
    const isMeant = (selector: Selector) => evaluate(selector, after) === 'no';
    const candidate = { file, object, labeledObject: before };
    const selecting = selectingObjectsAround(view, catalogue, candidate, isMeant).filter((each) => {
      return each.relation === 'here' ? each.certain : selectsElsewhere(context, scope, label, each);
    });
    const [first] = selecting;
    if (first === undefined) continue;
    const message = localize`This selector requires the value '${shorten(replaced)}'.`;
    const related = selecting.map((each) => ({ file: each.file, span: each.site.keySpan, message }));
    return { label, selecting: first, related };
  }
  return undefined;
}

/**
 * Whether the selector of another Application of the same cluster certainly matches the label that is overwritten, and
 * nothing else.
 */
function selectsElsewhere(
  { workspace, catalogue }: RuleContext,
  { gitops: { facts } }: GitopsScope,
  { file, object, before, after }: OverwrittenLabel,
  selecting: SelectingObject,
): boolean {
  const scopes = scopesApplying(workspace, placeOf(selecting));
  const isHere = (each: GitopsScope) => facts.cluster !== undefined && each.gitops.facts.cluster === facts.cluster;
  return scopes.some((scope) => {
    const view = isHere(scope) ? seenBy(workspace, catalogue, scope) : undefined;
    const there = view?.files.get(selecting.file.uri);
    if (view === undefined || there === undefined) return false;
    return versionsIn(there, selecting.object).some((owner) => {
      const site = owner.object.selectorSites.find(({ path }) => path === selecting.site.path);
      const selector = site && effectiveSelector(site);
      if (site === undefined || selector === undefined) return false;
      if (evaluate(selector, before) !== 'yes' || evaluate(selector, after) !== 'no') return false;
      if (reaches(view, catalogue, owner, site, { file, object }).answer !== 'yes') return false;
      const { matches, maybe } = selectionOf(view, catalogue, owner, site);
      if (matches.length + maybe.length > 0) return false;
      return buildsSelected(workspace, catalogue, selecting, site, selector) === false;
    });
  });
}
