/** Reports port names in Services and monitors that none of the selected pods or Services declares. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ContainerPorts, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { allReferenceSites } from '../../manifests/sites/references.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { mayMutateList } from '../../workspace/mutations.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { mayGetContainers } from '../../workspace/references/changed-later.ts';
import { writtenByPatches } from '../../workspace/references/patched-references.ts';
import { mayCreate } from '../../workspace/references/producers.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { marksConditions, mayBeLeftOut } from '../helpers/co-applied.ts';
import { patchedObjects, placeInPatch, unpatched, relatedTo as writtenInto } from '../helpers/patched-objects.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { shorten } from '../helpers/sentences.ts';

interface MissingPort extends Fact {
  readonly port: Written;
  /** The names of the ports that the selected pods or Services declare. */
  readonly declared: readonly string[];
  /** Whether the field selects Services, and not pods. */
  readonly ofServices: boolean;
  /** Whether the ports are scraped by a monitor, and not used by a Service. */
  readonly isMonitor: boolean;
}

/** Names of the ports of containers that service meshes add to pods. */
const ofInjected = /^(?:http-envoy-prom$|linkerd-)/;

export const servicePortWithoutMatch = rule<MissingPort>({
  id: 'service-port-without-match',
  severity: 'warning',
  needs: 'selectors',
  acrossFiles: true,
  asApplied: true,
  summary: 'A port name in a Service or monitor that no selected pod or Service declares.',
  why: 'A named `targetPort` refers to a port that the containers of each pod declare. A pod without a port of this name receives no requests for it, and Kubernetes does not report an error. A ServiceMonitor names a port of the selected Services, and a PodMonitor a port of the selected pods; without a port of this name, Prometheus scrapes nothing. If an annotation requests a sidecar, which may declare further ports, only a name that resembles a declared name is reported. A name that a patch writes is reported in the patch. Nothing is reported about pods to which an admission policy in the workspace may add containers or ports.',
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
    // Equal selectors share one selection, which may have thousands of matches.
    const ofSelections: PortsOfSelections = new Map();
    for (const object of context.stored) {
      const asked = portNamesIn(context, object);
      if (asked.length === 0 || isRelabelled(context, object)) continue;
      if (context.mentions('conditions') && !marksConditions(context, object)) continue;
      const selected = (site: SelectorSite) => context.selectionOf(object, site);
      yield* missingPorts(context, { object, file: context.file }, asked, selected, ofSelections);
    }
    if (context.workspace.appliedBy !== undefined) yield* inPatches(context, ofSelections);
  },
  message({ port, declared, ofServices, isMonitor }) {
    const names = declared.map((name) => `'${shorten(name)}'`).join(', ');
    const have = declared.length === 0 ? localize`there are no named ports` : localize`the named ports are ${names}`;
    const effect = isMonitor ? localize`nothing is scraped` : localize`requests to this port fail`;
    const name = shorten(nameOf(port));
    const problem = ofServices
      ? localize`No selected Service has a port named '${name}' (${have}); ${effect}.`
      : localize`No selected pod has a port named '${name}' (${have}); ${effect}.`;
    return typeof port.value === 'string' ? problem : localize`${problem} This is the default of the chart.`;
  },
  fixes({ port, declared }) {
    const [name, ...others] = nearIn(declared, port.text);
    if (name === undefined || others.length > 0 || typeof port.value !== 'string' || port.origin) return [];
    const edits = [replaceScalar(port, name)];
    return [{ title: localize`Change the port to '${shorten(name)}'`, edits, preferred: true }];
  },
});

type PortsOfSelections = Map<Selection, { readonly ports: readonly string[] | undefined }>;

/** Yields the names of ports of an object that the selected pods or Services lack. */
function* missingPorts(
  { workspace }: RuleContext,
  where: ObjectInFile,
  asked: readonly Written[],
  selected: (site: SelectorSite) => Selection,
  ofSelections: PortsOfSelections,
): Iterable<MissingPort> {
  const { object } = where;
  for (const site of object.selectorSites) {
    const selection = selected(site);
    const { matches } = selection;
    const declared = getOrAdd(ofSelections, selection, () => ({ ports: declaredBy(workspace, selection) })).ports;
    if (declared === undefined) continue;
    const missing = asked.filter((port) => isMissing(port, declared));
    // Pods with unknown labels in other scopes, such as those of a chart, are not evidence against the pods that match.
    if (missing.length === 0 || selection.uncertainHere || selection.elsewhere.length > 0) continue;
    if (matches.some((match) => mayMutateList(workspace, match, 'ports'))) continue;
    const areInjected = matches.some((match) => mayGetContainers(match.object));
    const ofServices = matches.some(isService);
    if (ofServices && mayBeCreated(workspace, where, site)) continue;
    const isMonitor = object.targetPorts === undefined;
    const related = matches.slice(0, 3).map(relatedTo);
    // `PORT` is a placeholder, because names of ports are in lowercase.
    for (const port of missing)
      if (!(areInjected || /[A-Z]/.test(nameOf(port))) || nearIn(declared, nameOf(port)).length > 0)
        yield { span: port.span, port, declared, ofServices, isMonitor, related };
  }
}

/** Yields the target ports that patches in the file write into Services of other files, unless the Service has the same port without the patches. */
function* inPatches(context: RuleContext, ofSelections: PortsOfSelections): Iterable<MissingPort> {
  const { workspace, catalogue, uri, comparisons } = context;
  for (const patched of patchedObjects(context)) {
    const asked = writtenByPatches(patched, uri, catalogue).targetPorts;
    if (asked.length === 0) continue;
    const before = new Set(unpatched(context, patched)?.targetPorts?.map(({ text }) => text));
    const changed = asked.flatMap((port) => (before.has(port.text) ? [] : (placeInPatch(context, port) ?? [])));
    const selected = (site: SelectorSite) => selectionOf(workspace, catalogue, patched, site, comparisons);
    for (const missing of missingPorts(context, patched, changed, selected, ofSelections))
      yield { ...missing, isMonitor: false, related: [...(missing.related ?? []), writtenInto(patched)] };
  }
}

/** Whether no declared port has a name; the default value of a chart must also resemble a declared name, because releases may have another value. */
function isMissing({ value, text }: Written, declared: readonly string[]): boolean {
  const name = typeof value === 'string' ? value : value.assumed;
  if (typeof name !== 'string' || declared.includes(name) || ofInjected.test(name)) return false;
  return typeof value === 'string' || (text.includes('.Values.') && nearIn(declared, name).length > 0);
}

/** Returns the declared names that resemble a name. */
function nearIn(declared: readonly string[], name: string): readonly string[] {
  return declared.filter((each) => misspelling(name, each) !== undefined);
}

/** Returns the name of a port, which may be the default value of a chart. */
function nameOf({ value, text }: Written): string {
  return typeof value !== 'string' && typeof value.assumed === 'string' ? value.assumed : text;
}

function portNamesIn(context: RuleContext, object: ManifestObject): readonly Written[] {
  const facts = context.catalogue.kind(object.group, object.version, object.kind);
  if (facts?.references.some(({ part }) => part === 'port') !== true) return [];
  // The names in Services are known without a syntax tree.
  if (facts.references.some(({ path }) => path.endsWith('.targetPort'))) return object.targetPorts ?? [];
  const root = treeOf(context, object);
  const sites = root === undefined ? [] : allReferenceSites(root, facts);
  return sites.flatMap(({ fact, name }) => (fact.part === 'port' ? [name] : []));
}

/** Returns the names of all ports of the selected pods or Services; undefined if some names are unknown. */
function declaredBy(workspace: Workspace, { matches, maybe }: Selection): readonly string[] | undefined {
  if (matches.length === 0 || maybe.length > 0) return undefined;
  if (matches.some((match) => mayBeLeftOut(workspace, match))) return undefined;
  // A syntax error may hide ports.
  if (matches.some(({ file }) => file.manifest.syntaxErrors > 0)) return undefined;
  const ports = matches.map(portsOf);
  if (!ports.every((each) => each !== undefined && !each.open)) return undefined;
  return [...new Set(ports.flatMap((each) => each?.names ?? []))];
}

/** Whether the controller of a custom object may create a Service that a selector matches: labels often contain the name of the custom object. */
function mayBeCreated(workspace: Workspace, where: ObjectInFile, { entries }: SelectorSite): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.some((scope) => entries.some(({ value }) => mayCreate(workspace, scope, value.text)));
}

function isService({ object }: Match): boolean {
  return object.servicePorts !== undefined;
}

/** Returns the ports of a selected Service or pod; those of a pod are in a template or in the pod itself. */
function portsOf({ object, labeledObject }: Match): Pick<ContainerPorts, 'names' | 'open'> | undefined {
  const { servicePorts, servicePortsOpen: open = false } = object;
  if (servicePorts !== undefined) return { names: servicePorts.flatMap(({ name }) => name ?? []), open };
  if (labeledObject.via === undefined) return object.ports;
  return object.templates.find(({ path }) => path === labeledObject.via)?.ports;
}

function relatedTo(match: Match) {
  const { file, object } = match;
  const named = `${object.kind}/${shorten(object.name?.text ?? object.generateName?.text ?? '')}`;
  const span = object.name?.span ?? object.kindSpan;
  const message = isService(match)
    ? localize`The selector matches ${named}.`
    : localize`The selector matches the pods of ${named}.`;
  return { file, span, message };
}
