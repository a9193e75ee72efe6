/** Derives the probable value of a recommended label from the object itself and its scope. */

import { isLabelValue } from '../engine/index.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { splitImage } from '../manifests/sites/images.ts';
import { childOf, itemsOf, type Node, nodeAt } from '../manifests/yaml/tree.ts';
import type { Scope } from './scopes/model.ts';
import { fileNameOf } from './uri.ts';

export interface Described {
  readonly object: ManifestObject;
  /** The parsed object, for the images of its containers. */
  readonly root: Node | undefined;
  readonly scope: Scope | undefined;
}

/** Returns the derived value of a label; undefined for other keys, and if no value can be derived. */
export function derivedLabel(key: string, described: Described): string | undefined {
  const value = derive(key, described);
  return value !== undefined && value !== '' && isLabelValue(value) ? value : undefined;
}

function derive(key: string, { object, root, scope }: Described): string | undefined {
  const name = typeof object.name?.value === 'string' ? object.name.value : undefined;
  switch (key) {
    case 'app':
    case 'app.kubernetes.io/name':
      return name;
    case 'app.kubernetes.io/instance':
      // Argo CD may set this label to the name of the Application, by which it tracks the object.
      return scope?.kind === 'argo-application' ? undefined : name;
    case 'app.kubernetes.io/version': {
      const image = firstImage(object, root);
      return image === undefined ? undefined : splitImage(image).tag;
    }
    case 'app.kubernetes.io/component': {
      const image = firstImage(object, root);
      return image === undefined ? undefined : componentOf(image);
    }
    case 'app.kubernetes.io/part-of':
      return typeof object.namespace?.value === 'string' ? object.namespace.value : folderName(scope);
    case 'app.kubernetes.io/managed-by':
      return scope === undefined ? 'kubectl' : managerOf(scope);
    default:
      return undefined;
  }
}

/** Returns the name of the folder of a scope; undefined if the scope is a file, as for GitOps objects. */
function folderName(scope: Scope | undefined): string | undefined {
  const name = scope === undefined ? '' : fileNameOf(scope.path);
  return /\.(?:ya?ml|json|tpl)(?:#|$)/.test(name) ? undefined : name;
}

/** Returns the tool that applies the objects of a scope. */
function managerOf({ kind }: Scope): string {
  return managers[kind] ?? 'kubectl';
}

const managers: Partial<Record<Scope['kind'], string>> = {
  chart: 'Helm',
  'helm-release': 'Helm',
  'argo-application': 'argocd',
  'flux-kustomization': 'flux',
  kustomization: 'kustomize',
};

/** The roles of programs in an application, by the names of their images. */
const components: readonly (readonly [string, RegExp])[] = [
  [
    'database',
    /^(?:postgres(?:ql)?|postgis|mysql|mariadb(?:-galera)?|mongo(?:db)?|cassandra|couchdb|cockroach|timescaledb|influxdb|clickhouse(?:-server)?|neo4j|rqlite)$/,
  ],
  ['cache', /^(?:redis|valkey|memcached|dragonfly|keydb|varnish)$/],
  [
    'queue',
    /^(?:rabbitmq|nats|kafka|cp-kafka|activemq(?:-classic|-artemis)?|pulsar|redpanda|mosquitto|eclipse-mosquitto)$/,
  ],
  ['search', /^(?:elasticsearch|opensearch|solr|meilisearch|typesense)$/],
  ['server', /^(?:nginx|nginx-unprivileged|httpd|apache|caddy|tomcat|jetty)$/],
  ['proxy', /^(?:envoy|haproxy|traefik|squid|pgbouncer)$/],
];

/** Returns the role of the program in a well-known image, such as `postgres:16.1` or `docker.io/bitnami/redis`. */
function componentOf(image: string): string | undefined {
  const { name } = splitImage(image);
  const program = name.slice(name.lastIndexOf('/') + 1);
  return components.find(([, images]) => images.test(program))?.[0];
}

/** Returns the image of the first container of an object or its template. */
function firstImage(object: ManifestObject, root: Node | undefined): string | undefined {
  const specs = [
    nodeAt(root, 'spec'),
    ...object.templates.map((template) => nodeAt(root, ...template.path.split('.'), 'spec')),
  ];
  for (const spec of specs) {
    const first = itemsOf(childOf(spec, 'containers'))[0];
    const image = childOf(first, 'image');
    if (image?.kind === 'scalar' && image.pattern === undefined) return image.text;
  }
  return undefined;
}
