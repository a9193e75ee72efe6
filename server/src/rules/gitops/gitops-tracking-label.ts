/** Reports labels that Argo CD overwrites to track objects, so that a selector no longer matches. */

import { evaluate } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { trackingOfScope } from '../../workspace/gitops/tracking-of-scope.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { type SelectingObject, selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Overwritten extends Fact {
  readonly entry: LabelEntry;
  /** The name of the Application, which becomes the value of the label. */
  readonly value: string;
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

export const gitopsTrackingLabel = rule<Overwritten>({
  id: 'gitops-tracking-label',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A label that Argo CD overwrites with the name of the Application, although a selector requires its value.',
  why: 'With the tracking method `label` or `annotation+label`, Argo CD sets a label of every object, `app.kubernetes.io/instance` by default, to the name of its Application. The labels of pod templates are not changed, but a ServiceMonitor, a NetworkPolicy that selects namespaces, or a script that selects objects by this label then finds no objects. The tracking method is set in the ConfigMap `argocd-cm`; the default, `annotation`, sets no label.',
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
    for (const object of context.stored) {
      for (const scope of context.workspace.scopes().of(context.uri)) {
        const fact = scope.kind === 'argo-application' ? overwrittenIn(context, object, scope) : undefined;
        if (fact === undefined) continue;
        yield fact;
        break;
      }
    }
  },
  message({ entry, value, selecting: { object } }) {
    const name = shorten(`${object.kind}/${object.name?.text ?? ''}`);
    return localize`Argo CD overwrites '${shorten(entry.key.text)}' with '${shorten(value)}', so ${name} does not match this object.`;
  },
  fixes: () => [],
});

/** Returns the label of an object that the Application of a scope overwrites, if a selector matches only the written value. */
function overwrittenIn(
  { workspace, catalogue, uri }: RuleContext,
  object: ManifestObject,
  scope: Scope,
): Overwritten | undefined {
  const tracking = trackingOfScope(workspace, scope);
  const entry = object.labels?.entries.find(({ key }) => key.text === tracking?.key);
  if (tracking === undefined || typeof entry?.value.value !== 'string') return undefined;
  const view = seenBy(workspace, catalogue, scope);
  const file = view?.files.get(uri);
  const applied = file?.manifest.objects.find(({ kindSpan }) => kindSpan.start === object.kindSpan.start);
  const [labeledObject] = applied === undefined ? [] : labeledObjectsOf(applied);
  const value = labeledObject?.labels[tracking.key];
  if (view === undefined || file === undefined || applied === undefined || labeledObject === undefined)
    return undefined;
  if (value !== tracking.value || value === entry.value.value) return undefined;
  const before = { ...labeledObject, labels: { ...labeledObject.labels, [tracking.key]: entry.value.value } };
  const selecting = selectingObjectsOf(view, catalogue, { file, object: applied, labeledObject: before }).find(
    ({ certain, site }) => {
      const selector = effectiveSelector(site);
      return certain && selector !== undefined && evaluate(selector, labeledObject) === 'no';
    },
  );
  if (selecting === undefined) return undefined;
  const message = localize`This selector requires the value '${shorten(entry.value.value)}'.`;
  const related: Related = { file: selecting.file, span: selecting.site.keySpan, message };
  return { span: entry.value.span, entry, value, selecting, related: [related], keys: [tracking.key] };
}
