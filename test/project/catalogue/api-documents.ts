/** Reads what an API server or a CustomResourceDefinition says about kinds: OpenAPI documents (versions 2 and 3) and CRDs. */

import { loadAll } from 'js-yaml';
import { scalarMarks } from '../../../server/src/engine/catalogue/structures.ts';
import { byAge } from './by-age.ts';

/** A kind in one document. */
export interface DescribedKind {
  /** The group and the kind: `apps/Deployment`, `/Pod`. */
  readonly kind: string;
  readonly versions: readonly string[];
  readonly scope?: 'namespaced' | 'cluster';
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** The structure of its objects, by version. */
  readonly structures: ReadonlyMap<string, string>;
}

/** A field as `structures.jsonl` writes it: `name`, or `name=structure`, `name+structure`, `name*structure`, where `string`, `integer`, `number` and `boolean` are in place of a structure. */
interface DescribedStructure {
  readonly fields: readonly string[];
  /** The descriptions of the fields. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface ApiDocument {
  readonly kinds: readonly DescribedKind[];
  readonly structures: ReadonlyMap<string, DescribedStructure>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[] | GroupVersionKind;
}

interface GroupVersionKind {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

type Operations = Readonly<Record<string, Pick<Schema, 'x-kubernetes-group-version-kind'> | readonly unknown[]>>;

interface Document {
  readonly kind?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  readonly paths?: Readonly<Record<string, Operations>>;
  readonly spec?: Definition;
}

/** The `spec` of a CustomResourceDefinition. */
interface Definition {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly kind: string; readonly plural: string; readonly shortNames?: readonly string[] };
  readonly versions: readonly {
    readonly name: string;
    readonly served?: boolean;
    readonly schema?: { readonly openAPIV3Schema?: Schema };
  }[];
}

/** Reads one file: an OpenAPI document as JSON, or CustomResourceDefinitions as YAML. */
export function readApiDocument(text: string): ApiDocument {
  const documents = loadAll(text).filter((each): each is Document => typeof each === 'object' && each !== null);
  const read = documents.flatMap((document) => {
    if (document.kind === 'CustomResourceDefinition' && document.spec !== undefined)
      return [ofDefinition(document.spec)];
    const schemas = document.definitions ?? document.components?.schemas;
    return schemas === undefined ? [] : [ofOpenApi(schemas, document.paths ?? {})];
  });
  return {
    kinds: read.flatMap(({ kinds }) => kinds),
    structures: new Map(read.flatMap(({ structures }) => [...structures])),
  };
}

function ofOpenApi(schemas: Readonly<Record<string, Schema>>, paths: NonNullable<Document['paths']>): ApiDocument {
  const structures = new Map<string, DescribedStructure>();
  const isStructure = (name: string) => schemas[name]?.properties !== undefined;
  for (const [name, schema] of Object.entries(schemas))
    if (schema.properties !== undefined) structures.set(shortName(name), structureOf(schema, isStructure));
  const served = servedIn(paths);
  const kinds = new Map<string, DescribedKind>();
  for (const [name, schema] of Object.entries(schemas)) {
    const [only, ...others] = namesOf(schema);
    const metadata = schema.properties?.['metadata'];
    // A list has the metadata of a list, as `Status`, the answer of the API server, does.
    const isObject = metadata !== undefined && !/ListMeta"/.test(JSON.stringify(metadata));
    if (only === undefined || others.length > 0 || !isObject || schema.properties?.['items'] !== undefined) continue;
    const kind = `${only.group ?? ''}/${only.kind}`;
    const known = kinds.get(kind);
    const versions = [...(known?.versions ?? []), only.version].toSorted(byAge);
    const ofVersions = new Map([...(known?.structures ?? []), [only.version, shortName(name)] as const]);
    kinds.set(kind, { kind, versions, ...served.get(kind), structures: ofVersions });
  }
  return { kinds: [...kinds.values()], structures };
}

function namesOf(schema: Pick<Schema, 'x-kubernetes-group-version-kind'>): readonly GroupVersionKind[] {
  const names = schema['x-kubernetes-group-version-kind'];
  if (names === undefined) return [];
  return 'version' in names ? [names] : names;
}

/** `apps.v1.Deployment` for `io.k8s.api.apps.v1.Deployment`. */
function shortName(name: string): string {
  return name.split('.').slice(-3).join('.');
}

/** Returns the scope and the plural of each kind, from the paths under which it is served. */
function servedIn(
  paths: NonNullable<Document['paths']>,
): ReadonlyMap<string, { readonly scope: 'namespaced' | 'cluster'; readonly plural: string }> {
  const found = new Map<string, { readonly scope: 'namespaced' | 'cluster'; readonly plural: string }>();
  for (const [path, operations] of Object.entries(paths)) {
    const [, namespace, plural] =
      /^\/apis?(?:\/[^/]+)?\/v[^/]+(\/namespaces\/\{namespace\})?\/([a-z]+)$/.exec(path) ?? [];
    if (plural === undefined) continue;
    for (const operation of Object.values(operations)) {
      if (Array.isArray(operation) || !('x-kubernetes-group-version-kind' in operation)) continue;
      for (const { group = '', kind } of namesOf(operation)) {
        const scope = namespace === undefined ? 'cluster' : 'namespaced';
        // A list of all namespaces has a path without a namespace.
        if (found.get(`${group}/${kind}`)?.scope !== 'namespaced') found.set(`${group}/${kind}`, { scope, plural });
      }
    }
  }
  return found;
}

function structureOf({ properties = {} }: Schema, isStructure: (name: string) => boolean): DescribedStructure {
  const target = (schema: Schema | undefined) => {
    const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
    const name = reference?.split('/').at(-1);
    return name !== undefined && isStructure(name) ? shortName(name) : scalarOf(schema);
  };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const { items, additionalProperties } = schema;
    const values = typeof additionalProperties === 'object' ? target(additionalProperties) : undefined;
    const [mark, found] =
      [
        ['=', target(schema)],
        ['+', target(items)],
        ['*', values],
      ].find(([, each]) => each !== undefined) ?? [];
    return found === undefined ? name : `${name}${mark}${found}`;
  });
  const texts = Object.entries(properties).map(([name, { description = '' }]) => [name, description] as const);
  return { fields: fields.toSorted(), texts: new Map(texts) };
}

/** Returns the type of a scalar; undefined for other values, and for those that may be integers or strings. */
function scalarOf(schema: Schema | undefined): string | undefined {
  const { type = '', format, 'x-kubernetes-int-or-string': isEither } = schema ?? {};
  return Object.hasOwn(scalarMarks, type) && format !== 'int-or-string' && isEither !== true ? type : undefined;
}

/** The structures of a CustomResourceDefinition have names of their own, because its schema has none. */
function ofDefinition({ group, scope, names, versions }: Definition): ApiDocument {
  const kind = `${group}/${names.kind}`;
  const served = versions.filter((version) => version.served !== false);
  const structures = new Map<string, DescribedStructure>();
  const ofVersions = new Map<string, string>();
  for (const { name, schema } of served) {
    const root = `${kind}@${name}`;
    ofVersions.set(name, root);
    if (schema?.openAPIV3Schema !== undefined) addInline(root, schema.openAPIV3Schema, structures);
  }
  const described: DescribedKind = {
    kind,
    versions: served.map(({ name }) => name).toSorted(byAge),
    scope: scope === 'Namespaced' ? 'namespaced' : 'cluster',
    plural: names.plural,
    ...(names.shortNames !== undefined && names.shortNames.length > 0 && { shortNames: names.shortNames }),
    structures: ofVersions,
  };
  return { kinds: [described], structures };
}

function addInline(name: string, schema: Schema, structures: Map<string, DescribedStructure>): void {
  const properties = Object.entries(schema.properties ?? {});
  const fields = properties.map(([field, each]) => {
    const values = typeof each.additionalProperties === 'object' ? each.additionalProperties : undefined;
    const [mark, inner] = each.items ? ['+', each.items] : values ? ['*', values] : ['=', each];
    const known = knownShape(inner);
    if (known !== undefined) return `${field}${mark}${known}`;
    const scalar = scalarOf(inner);
    if (scalar !== undefined) return `${field}${mark}${scalar}`;
    if (inner.properties === undefined) return field;
    const path = `${name}.${field}`;
    addInline(path, inner, structures);
    return `${field}${mark}${path}`;
  });
  const texts = properties.map(([field, { description = '' }]) => [field, description] as const);
  structures.set(name, { fields, texts: new Map(texts) });
}

/** The structures of Kubernetes that a schema repeats. */
function knownShape({ properties }: Schema): string | undefined {
  const names = Object.keys(properties ?? {})
    .toSorted()
    .join();
  if (names === 'matchExpressions,matchLabels') return 'meta.v1.LabelSelector';
  if (names === 'nodeSelectorTerms') return 'core.v1.NodeSelector';
  return undefined;
}
