/** Parses CustomResourceDefinitions: the kind, the paths of labels and selectors in its objects, and the fields by which field selectors can select its objects. */

import type { ImmutableKind } from '../../engine/catalogue/immutable-facts.ts';
import type { LearnedKind } from '../../engine/catalogue/learned-kinds.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { childOf, entryOf, isNull, itemsOf, type Node, nodeAt } from '../yaml/tree.ts';
import { pathsInSchemas } from './openapi-schema.ts';
import { serializeSchema } from './schema-structures.ts';
import { transitionRules } from './transition-rules.ts';

export interface Definition extends GroupKind {
  /**
   * The selectable fields of all versions, without the fields that are selectable for every kind; undefined if a
   * template writes some of them.
   */
  readonly selectableFields?: readonly string[];
  /**
   * The serialized structure of the custom resource, for each version whose schema describes all fields; absent if
   * there is no such version.
   */
  readonly structures?: Readonly<Record<string, string>>;
  /** The fields that the validation rules of the definition make immutable. */
  readonly immutable?: ImmutableKind;
  /**
   * The facts about the defined kind that the catalogue learns from this definition; absent if the catalogue has facts
   * about the kind that it did not learn from a definition.
   */
  readonly teaches?: LearnedKind;
}

const definitions = 'apiextensions.k8s.io';

/** Returns the content of a CustomResourceDefinition; undefined for an object of a different kind, and if the defined group or kind is unknown. `catalogue` provides the kinds that are already known, whose facts a definition does not replace. */
export function definitionOf(group: string, root: Node, catalogue: Catalogue): Definition | undefined {
  if (group !== definitions) return undefined;
  const names = nodeAt(root, 'spec', 'names');
  const kind = textOf(childOf(names, 'kind'));
  const defined = textOf(nodeAt(root, 'spec', 'group'));
  if (kind === undefined || defined === undefined) return undefined;
  const versions = nodeAt(root, 'spec', 'versions');
  const fields = listOf(versions)?.flatMap((version) => {
    const list = childOf(version, 'selectableFields');
    return list === undefined ? [] : (listOf(list)?.map((item) => textOf(childOf(item, 'jsonPath'))) ?? [undefined]);
  });
  const known = fields?.flatMap((path) => (path === undefined ? [] : path.replace(/^\./, '')));
  const isWhole = fields !== undefined && known?.length === fields.length;
  const fact = catalogue.kind(defined, '', kind);
  const structures = structuresOf(root);
  const immutable = transitionRules(schemasOf(root));
  return {
    group: defined,
    kind,
    ...(isWhole && { selectableFields: known }),
    ...(structures !== undefined && { structures }),
    ...(immutable !== undefined && { immutable }),
    ...((fact === undefined || fact.learned) && { teaches: teachingOf({ group: defined, kind }, root, known) }),
  };
}

/** Returns the serialized structures by version. Definitions in `apiextensions.k8s.io/v1beta1` preserve unknown fields by default. */
function structuresOf(root: Node): Readonly<Record<string, string>> | undefined {
  if (textOf(childOf(root, 'apiVersion')) !== 'apiextensions.k8s.io/v1') return undefined;
  if (textOf(nodeAt(root, 'spec', 'preserveUnknownFields')) === 'true') return undefined;
  const serialized = schemasOf(root).flatMap(([name, schema]): readonly [string, string][] => {
    const text = serializeSchema(schema);
    return text === undefined ? [] : [[name, text]];
  });
  return serialized.length === 0 ? undefined : Object.fromEntries(serialized);
}

function schemasOf(root: Node): readonly (readonly [version: string, schema: Node])[] {
  return (listOf(nodeAt(root, 'spec', 'versions')) ?? []).flatMap((version): readonly [string, Node][] => {
    const name = textOf(childOf(version, 'name'));
    const schema = nodeAt(version, 'schema', 'openAPIV3Schema');
    return name === undefined || schema === undefined ? [] : [[name, schema]];
  });
}

function teachingOf(type: GroupKind, root: Node, selectableFields: readonly string[] = []): LearnedKind {
  const spec = childOf(root, 'spec');
  const names = childOf(spec, 'names');
  const scope = scopeOf(root);
  const plural = textOf(childOf(names, 'plural'));
  const shortNames = textsOf(childOf(names, 'shortNames'));
  const categories = textsOf(childOf(names, 'categories'));
  const versions = childOf(spec, 'versions');
  const schemas = [
    nodeAt(spec, 'validation', 'openAPIV3Schema'),
    ...itemsOf(versions).map((each) => nodeAt(each, 'schema', 'openAPIV3Schema')),
  ].filter((schema) => schema !== undefined);
  return {
    ...type,
    ...(scope !== undefined && { namespaced: scope === 'Namespaced' }),
    ...(plural !== undefined && { plural }),
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    ...(selectableFields.length > 0 && { selectableFields }),
    ...pathsInSchemas(schemas),
  };
}

/** Returns the scope of the kind; undefined if it is unknown or invalid. The API server sets an absent or empty scope in `apiextensions.k8s.io/v1beta1`. */
function scopeOf(root: Node): 'Namespaced' | 'Cluster' | undefined {
  const spec = childOf(root, 'spec');
  const entry = entryOf(spec, 'scope');
  const isSet =
    entry !== undefined && !(isNull(entry.value) || (entry.value.kind === 'scalar' && entry.value.text === ''));
  if (!isSet) {
    const isOpen = spec?.kind !== 'map' || spec.open;
    return !isOpen && textOf(childOf(root, 'apiVersion')) === `${definitions}/v1beta1` ? 'Namespaced' : undefined;
  }
  const scope = textOf(entry.value);
  return scope === 'Namespaced' || scope === 'Cluster' ? scope : undefined;
}

function textsOf(list: Node | undefined): readonly string[] | undefined {
  return list?.kind === 'list' ? list.items.flatMap((item) => textOf(item) ?? []) : undefined;
}

/** Returns the items of a list; undefined if a template may change the list. */
function listOf(node: Node | undefined): readonly Node[] | undefined {
  return node?.kind === 'list' && !node.open ? node.items : undefined;
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.pattern === undefined && node.text !== '' ? node.text : undefined;
}
