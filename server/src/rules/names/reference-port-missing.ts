/** Reports a port that the Service of a reference does not have. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { ManifestObject, ReferenceSite, ServicePort, Written } from '../../manifests/model.ts';
import { nodesBeside } from '../../manifests/sites/references.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { namesOfSome, scopesLacking } from '../helpers/scopes-lacking.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly port: Written;
  readonly service: string;
  readonly ports: readonly ServicePort[];
  /** The names of the scopes in which the port is missing, if it may exist in others. */
  readonly scopes: string | undefined;
}

const service = `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - name: http
      port: 80
      targetPort: 8080
`;

const ingress = (port: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: basket
spec:
  defaultBackend:
    service:
      name: basket
      port:
        number: ${port}
`;

export const referencePortMissing = rule<Missing>({
  id: 'reference-port-missing',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  summary: 'A port that the named Service does not have.',
  why: 'An Ingress, a route or a webhook sends requests to a port of a Service, by its number or its name. If the Service has no such port, the controller ignores the backend or answers with an error. The rule reports nothing if the ports depend on a template or a patch, or if the Service has no selector. Because some Ingress controllers accept the target port of a Service as well, an Ingress with a target port is not reported.',
  bad: [
    { title: 'A port that the Service does not have.', text: ingress('8081'), beside: { 'service.yaml': service } },
  ],
  good: [{ title: 'The port of the Service.', text: ingress('80'), beside: { 'service.yaml': service } }],
  *check(context) {
    for (const object of context.stored)
      for (const site of object.references ?? [])
        if (site.fact.portAt !== undefined && typeof site.name.value === 'string' && site.name.origin === undefined)
          yield* missingAt(context, object, site, site.fact.portAt);
  },
  message({ port, service, ports, scopes }) {
    const have = listOf(ports);
    const missing = localize`Service '${shorten(service)}' has no port '${shorten(port.text)}' (it has ${have}); requests to this port fail.`;
    return scopes === undefined ? missing : localize`${missing} In ${scopes}.`;
  },
  fixes({ port, ports, scopes }) {
    const known = ports.flatMap(({ name, port: number }) => (isNumber(port) ? `${number}` : (name ?? [])));
    const near = known.length === 1 ? known : known.filter((each) => misspelling(port.text, each) !== undefined);
    const [only, ...others] = near;
    if (only === undefined || others.length > 0 || scopes !== undefined) return [];
    // The API server rejects a number in quotes.
    const edits = [isNumber(port) ? { span: port.span, text: only } : replaceScalar(port, only)];
    return [
      {
        title: localize`Change the port to '${shorten(only)}'`,
        edits,
        preferred: misspelling(port.text, only) !== undefined,
      },
    ];
  },
});

/** The maximum number of ports that a message lists. */
const maximumListed = 3;

function listOf(ports: readonly ServicePort[]): string {
  const texts = ports.map(({ name, port }) => (name === undefined ? `${port}` : `${port} '${shorten(name)}'`));
  const more = texts.length - maximumListed;
  const listed = texts.slice(0, maximumListed).join(', ');
  return more > 0 ? localize`${listed} and ${more} more` : listed;
}

function* missingAt(
  context: RuleContext,
  object: ManifestObject,
  site: ReferenceSite,
  portAt: string,
): Iterable<Missing> {
  const { workspace, catalogue, file } = context;
  const where = { file, object };
  const targets = targetsOf(workspace, catalogue, where, site);
  // Most Services have the port, and reading it requires the syntax tree.
  const port = targets.some(hasKnownPorts) ? portBeside(context, object, site, portAt) : undefined;
  if (port === undefined || port.origin !== undefined) return;
  const without = scopesLacking(context, where, site, targets, {
    isMissingIn: (target) => hasKnownPorts(target) && !hasPort(target, port, isBuiltIn(object.group)),
    fields: [
      ['spec', 'ports'],
      ['spec', 'type'],
    ],
  });
  const [first] = without;
  if (first === undefined) return;
  const [target] = first.targets;
  const scopes = namesOfSome(
    context,
    where,
    without.map(({ scope }) => scope),
  );
  const message = localize`Service '${shorten(target.name)}' is defined here.`;
  const related = [{ file: target.file, span: target.span, message }];
  const ports = target.object?.servicePorts ?? [];
  yield { span: port.span, port, service: target.name, ports, scopes, related };
}

/** Returns the port next to a name of a Service: a number or a name, in a field or in a map with `number` or `name`. */
function portBeside(
  context: RuleContext,
  object: ManifestObject,
  { fact, path }: ReferenceSite,
  portAt: string,
): Written | undefined {
  const root = treeOf(context, object);
  const [node] = root === undefined ? [] : nodesBeside(root, portAt, fact.path, path);
  const values = [node, childOf(node, 'number'), childOf(node, 'name')];
  const isKnown = (value: Node | undefined) =>
    value?.kind === 'scalar' && value.pattern === undefined && value.type !== 'null' && value.text !== '';
  const value = values.find(isKnown);
  // The AWS Load Balancer Controller reads the action from an annotation.
  return value?.kind === 'scalar' && value.text !== 'use-annotation' ? written(value) : undefined;
}

/** Whether all ports of a Service are known. A Service without a selector may be an alias of a host outside of the cluster. */
function hasKnownPorts({ is, object }: ReferenceTarget): boolean {
  if (is !== 'object' || object?.servicePorts === undefined || object.servicePortsOpen) return false;
  return object.selectorSites.some(({ entries }) => entries.length > 0);
}

function hasPort({ object }: ReferenceTarget, wanted: Written, withTargets: boolean): boolean {
  return (object?.servicePorts ?? []).some(({ name, port, target }) => {
    const accepted = [`${port}`, name, ...(withTargets ? [`${target}`] : [])];
    return accepted.includes(wanted.text);
  });
}

function isNumber({ text }: Written): boolean {
  return /^\d+$/.test(text);
}
