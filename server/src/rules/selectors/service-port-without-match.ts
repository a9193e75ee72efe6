/** Reports Services with a named `targetPort` that none of the selected pods declares. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ContainerPorts, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { mayBeLeftOut } from '../helpers/co-applied.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { shorten } from '../helpers/sentences.ts';

interface MissingPort extends Fact {
  readonly port: Written;
  /** The ports that the selected pods declare. */
  readonly declared: readonly string[];
  readonly pods: readonly Match[];
}

/** The kinds whose `targetPort` can be the name of a port of the selected pods. */
const sendsToPorts: ReadonlySet<string> = new Set(['/Service']);

export const servicePortWithoutMatch = rule<MissingPort>({
  id: 'service-port-without-match',
  severity: 'information',
  acrossFiles: true,
  asApplied: true,
  summary: 'A Service with a named `targetPort` that no pod behind the Service declares.',
  why: 'A named `targetPort` refers to a port that the containers of each pod declare. A pod without a port of this name receives no requests for it, and Kubernetes does not report an error.',
  bad: [
    {
      title: 'A port with a different name.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - port: 80
      targetPort: http
---
apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    app: basket
spec:
  containers:
    - name: basket
      ports:
        - name: web
          containerPort: 8080
`,
    },
  ],
  good: [
    {
      title: 'A port number, which need not be declared.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - port: 80
      targetPort: 8080
`,
    },
  ],
  *check(context) {
    const { workspace } = context;
    if (context.mentions('conditions')) return;
    // Caches the ports of each selection: equal selectors share one selection, which may have thousands of matches.
    const ofSelections = new Map<Selection, { readonly ports: readonly string[] | undefined }>();
    for (const object of context.stored) {
      const asked = object.targetPorts ?? [];
      if (asked.length === 0 || !sendsToPorts.has(`${object.group}/${object.kind}`)) continue;
      if (isRelabelled(context, object)) continue;
      for (const site of object.selectorSites) {
        const selection = context.selectionOf(object, site);
        const { matches } = selection;
        const declared = getOrAdd(ofSelections, selection, () => ({ ports: declaredBy(workspace, selection) })).ports;
        if (declared === undefined) continue;
        const missing = asked.filter(({ value }) => typeof value === 'string' && !declared.includes(value));
        if (missing.length === 0 || selection.mayMatchOthers) continue;
        for (const port of missing) {
          yield { span: port.span, port, declared, pods: matches, related: matches.slice(0, 3).map(relatedTo) };
        }
      }
    }
  },
  message({ port, declared }) {
    const names = declared.map((name) => `'${shorten(name)}'`).join(', ');
    const have =
      declared.length === 0 ? localize`the pods have no named ports` : localize`the named ports are ${names}`;
    return localize`No selected pod has a port named '${shorten(port.text)}' (${have}); requests to this port fail.`;
  },
  fixes({ port, declared }) {
    const [name, ...others] = declared.filter((each) => misspelling(port.text, each) !== undefined);
    if (name === undefined || others.length > 0) return [];
    const edits = [replaceScalar(port, name)];
    return [{ title: localize`Change the port to '${shorten(name)}'`, edits, preferred: true }];
  },
});

/** Returns the names of all ports of the selected pods; undefined if some names are unknown. */
function declaredBy(workspace: Workspace, { matches, maybe }: Selection): readonly string[] | undefined {
  if (matches.length === 0 || maybe.length > 0) return undefined;
  if (matches.some((match) => mayBeLeftOut(workspace, match))) return undefined;
  const ports = matches.map(portsOf);
  if (!ports.every((each) => each !== undefined && !each.open)) return undefined;
  return [...new Set(ports.flatMap((each) => each?.names ?? []))];
}

/** Returns the ports of a selected pod, which are those of a template or of the pod itself. */
function portsOf({ object, labeledObject }: Match): ContainerPorts | undefined {
  if (labeledObject.via === undefined) return object.ports;
  return object.templates.find(({ path }) => path === labeledObject.via)?.ports;
}

function relatedTo({ file, object }: Match) {
  const name = object.name?.text ?? object.generateName?.text ?? '';
  const span = object.name?.span ?? object.kindSpan;
  return { file, span, message: localize`The selector matches the pods of ${object.kind}/${shorten(name)}.` };
}
