/** References whose findings depend on other files, and changes of these files. */

const pod = (name: string, spec: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop}\nspec: ${spec}\n`;
const config = (kind: string, name: string, data: string, annotations = '') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: shop${annotations}}\n${data}\n`;
const mapOf = (name: string) => `{containers: [{name: a, image: a, envFrom: [{configMapRef: {name: ${name}}}]}]}`;
const keyOf = (kind: string, name: string, key: string) =>
  `{containers: [{name: a, image: a, env: [{name: A, valueFrom: {${kind}KeyRef: {name: ${name}, key: ${key}}}}]}]}`;

/** Objects with references whose findings depend on other files. */
export const references: Readonly<Record<string, string>> = {
  'shop/secret.yaml': config('Secret', 'database', 'stringData: {user: a}', ', annotations: {note: none}'),
  'shop/pod.yaml': pod('web', keyOf('secret', 'database', 'password')),
  'shop/tls.yaml': pod('tls', '{containers: [], volumes: [{name: a, secret: {secretName: databaes}}]}'),
  'shop/ingress.yaml':
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web, namespace: shop, annotations: {cert-manager.io/note: a}}\nspec: {tls: [{secretName: databaes}], defaultBackend: {service: {name: web, port: {number: 80}}}}\n',
  'shop/service.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n',
  'shop/config.yaml': config('ConfigMap', 'words', 'data: {a: b}'),
  'shop/missing.yaml': pod('missing', mapOf('settings')),
  'far/config.yaml': config('ConfigMap', 'other', 'data: {a: b}'),
  'far/use.yaml': pod('use', mapOf('unused')),
  'built/base/kustomization.yaml': 'resources: [all.yaml]\n',
  'built/base/all.yaml': `${config('ConfigMap', 'rates', 'data: {note: a}')}---\n${pod('rates', keyOf('configMap', 'rates', 'kind'))}`,
  'built/dev/kustomization.yaml': 'resources: [../base]\n',
  'built/prod/kustomization.yaml':
    'resources: [../base]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    - {op: add, path: /data/note, value: b}\n',
};

/** Changes of one file that change findings of others: what changes, the file, and the text before and after. */
export const changesOfReferences: readonly (readonly [what: string, path: string, before: string, after: string])[] = [
  ['an annotation that lists keys', 'shop/secret.yaml', 'note: none', 'note: password'],
  ['an annotation that creates a Secret', 'shop/ingress.yaml', 'cert-manager.io/note', 'cert-manager.io/issuer'],
  ['the ports of a Service', 'shop/service.yaml', 'port: 80', 'port: 81'],
  ['an object in another scope', 'far/config.yaml', 'name: other', 'name: settings'],
  ['another reference to a missing object', 'far/use.yaml', 'name: unused', 'name: settings'],
  ['a similar name of another object', 'shop/config.yaml', 'name: words', 'name: setting'],
  ['a patch of an overlay', 'built/prod/kustomization.yaml', 'path: /data/note', 'path: /data/kind'],
];
