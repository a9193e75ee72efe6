/** What does a kustomization build? Its resources, after all that it and those below it do to them, in their order. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  fieldSpecsOf,
  type Kustomization,
  type PatchEntry,
  type PathReference,
} from '../../manifests/kustomization.ts';
import type { LabelEntry, Written } from '../../manifests/manifest.ts';
import { childOf, type Node } from '../../manifests/tree.ts';
import type { Span } from '../../text/span.ts';
import { folderOf } from '../uri.ts';
import type { WorkspaceFile } from '../workspace.ts';
import { commonAnnotations, type Field, fieldsOf, names, namespaces, ownLabels } from './field-specs.ts';
import { generated, withGenerated } from './generate.ts';
import { asUncertain, ifMeant, type Tool, withTransformer } from './own-transformers.ts';
import { partialTree } from './partial-tree.ts';
import { withReplacement } from './replace.ts';
import type { Resource } from './resource.ts';
import {
  type Configuration,
  isLocal,
  labelFields,
  noConfiguration,
  type Patch,
  withLabels,
  withLongerName,
  withName,
  withNamespace,
  withPatch,
} from './transform.ts';

/** What building looks at. */
export interface Surroundings {
  readonly catalogue: Catalogue;
  file(uri: string): WorkspaceFile | undefined;
  /** What a path means in a folder. */
  at(folder: string, path: string): string;
  /** The kustomization of a folder. */
  kustomizationIn(folder: string): WorkspaceFile | undefined;
  /** What a kustomization builds that another one takes: made where that is not known yet. */
  base(file: WorkspaceFile, make: () => Built): Built;
}

export interface Built {
  readonly resources: readonly Resource[];
  /** The patches that met nothing; each with the kustomization that names it. */
  readonly idle: readonly IdlePatch[];
  readonly configuration: Configuration;
  /** False where something that it takes is not there or could not be read, so that more objects may be built. */
  readonly isWhole: boolean;
  /** It leads back to a kustomization that takes it: what that leaves of it depends on where one began. */
  readonly isRound: boolean;
}

export interface IdlePatch {
  readonly uri: string;
  readonly entry: PatchEntry;
}

/** What the kustomization of a folder builds by itself. */
export function build(
  file: WorkspaceFile,
  around: Surroundings,
): readonly [built: Built, resources: readonly Resource[]] {
  const built = new Building(around).accumulated(file, [], nothing);
  // Only the one that is built says who built it.
  const span = file.kustomization?.managedByLabel;
  const by = span === undefined ? [] : [managedBy(span)];
  const named = built.resources.map((resource) => {
    return withLabels(resource.needsHash ? withHash(resource) : resource, by, [ownLabels], file.uri);
  });
  return [built, named.filter((resource) => !isLocal(resource))];
}

const nothing: Built = { resources: [], idle: [], configuration: noConfiguration, isWhole: true, isRound: false };

/** A patch may have changed the content, which is not kept. */
function withHash(resource: Resource): Resource {
  const { uri, source, patched } = resource;
  const span = source.kindSpan;
  const written = (text: string, value: Written['value']): Written => {
    return { text, value, type: 'string', style: 'plain', span };
  };
  const known = patched ? undefined : resource.hash;
  const unknown = { unknown: `content of ${uri} ${span.start}`, pattern: '*' };
  const hash = known === undefined ? written('…', unknown) : written(known, known);
  return withName(resource, (name) => [name, written('-', '-'), hash]);
}

class Building {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** `above` are the kustomizations that lead here: one that leads to itself is not built again. */
  accumulated(file: WorkspaceFile, above: readonly string[], before: Built): Built {
    const { kustomization, uri } = file;
    if (kustomization === undefined) return { ...before, isWhole: false };
    if (above.includes(uri)) return { ...before, isWhole: false, isRound: true };
    const inside = [...above, uri];
    const folder = folderOf(uri);
    let built = kustomization.resources.reduce((sum, each) => this.#withResource(sum, folder, each, inside), before);
    const configuration = kustomization.configurations.reduce(
      (sum, each) => this.#configured(sum, folder, each),
      built.configuration,
    );
    const makesMore =
      kustomization.charts.length > 0 ||
      kustomization.programs.length > 0 ||
      kustomization.plugins.length > kustomization.transformers.length;
    built = { ...built, configuration, isWhole: built.isWhole && !makesMore };
    for (const [index, entry] of kustomization.generators.entries()) {
      built = { ...built, resources: withGenerated(built.resources, generated(entry, uri, index)) };
    }
    for (const { path } of kustomization.components) {
      const component = this.#around.kustomizationIn(this.#around.at(folder, path));
      if (!component?.kustomization?.component) built = { ...built, isWhole: false };
      else built = this.accumulated(component, inside, built);
    }
    return this.#transformed(built, file, kustomization);
  }

  #withResource(built: Built, folder: string, { path }: PathReference, inside: readonly string[]): Built {
    const at = this.#around.at(folder, path);
    const file = this.#around.file(at);
    if (file !== undefined) {
      const isRead = file.manifest.syntaxErrors === 0 && file.manifest.unresolved !== true;
      return {
        ...built,
        resources: [...built.resources, ...resourcesOf(file)],
        isWhole: built.isWhole && isRead,
      };
    }
    const base = this.#around.kustomizationIn(at);
    if (base === undefined || base.kustomization?.component) return { ...built, isWhole: false };
    if (inside.includes(base.uri)) return { ...built, isWhole: false, isRound: true };
    const below = this.#around.base(base, () => this.accumulated(base, inside, nothing));
    return {
      resources: [...built.resources, ...below.resources],
      idle: [...built.idle, ...below.idle],
      configuration: joined(built.configuration, below.configuration),
      isWhole: built.isWhole && below.isWhole,
      isRound: built.isRound || below.isRound,
    };
  }

  #configured(known: Configuration, folder: string, { path }: PathReference): Configuration {
    const trees = this.#around.file(this.#around.at(folder, path))?.manifest.trees ?? [];
    return trees.reduce((sum, tree) => joined(sum, configurationOf(tree)), known);
  }

  /** In the order of kustomize, whatever that of the file is. */
  #transformed(built: Built, { uri }: WorkspaceFile, kustomization: Kustomization): Built {
    const { namespace, namePrefix, nameSuffix, annotations } = kustomization;
    const { configuration } = built;
    let { resources } = built;
    const idle = [...built.idle];
    const each = (change: (resource: Resource) => Resource) => {
      resources = resources.map(change);
    };
    const patch = (fields: readonly PatchEntry['field'][]) => {
      for (const entry of kustomization.changes.filter(({ field }) => fields.includes(field))) {
        const patches = this.#patchesOf(entry, uri);
        let targets = patches.length === 0 ? 1 : 0;
        if (patches.length === 0) each((resource) => ifMeant(resource, entry));
        for (const patch of patches) {
          const patched = withPatch(resources, patch, entry);
          resources = patched.resources;
          targets += patched.targets;
        }
        if (targets === 0) idle.push({ uri, entry });
      }
    };
    patch(['patchesStrategicMerge', 'patches']);
    if (namespace !== undefined) {
      const fields = [...namespaces, ...configuration.namespace];
      each((resource) => withNamespace(resource, namespace, uri, { fields }));
    }
    const named = (more: readonly Field[]) => [names, ...more];
    const prefix = { prefix: namePrefix };
    const suffix = { suffix: nameSuffix };
    if (namePrefix) each((resource) => withLongerName(resource, prefix, named(configuration.namePrefix), uri));
    if (nameSuffix) each((resource) => withLongerName(resource, suffix, named(configuration.nameSuffix), uri));
    for (const change of kustomization.labels) {
      const fields = labelFields(change, configuration);
      each((resource) => withLabels(resource, change.entries, fields, uri, change.open));
    }
    const annotated = [...commonAnnotations, ...configuration.commonAnnotations];
    each((resource) => withLabels(resource, annotations, annotated, uri));
    patch(['patchesJson6902']);
    for (const replacement of kustomization.replacements) {
      const found = this.#replacementsOf(replacement, uri);
      if (found.length === 0) each(asUncertain);
      for (const { node, from } of found) resources = withReplacement(resources, node, from);
    }
    for (const tool of this.#transformersOf(kustomization, uri)) {
      resources = withTransformer(resources, tool, {
        catalogue: this.#around.catalogue,
        patchesIn: (path) => this.#patchesIn(path, uri),
        replacementsIn: (entry) => this.#replacementsOf(entry, uri),
      });
    }
    return { ...built, resources, idle };
  }

  #patchesOf({ path, inline }: PatchEntry, uri: string): readonly Patch[] {
    if (inline !== undefined) return patchesIn(inline.objects, inline.trees, uri);
    return path === undefined ? [] : this.#patchesIn(path, uri);
  }

  #patchesIn({ path }: PathReference, uri: string): readonly Patch[] {
    const file = this.#around.file(this.#around.at(folderOf(uri), path));
    return file === undefined ? [] : patchesIn(file.manifest.objects, file.manifest.trees ?? [], file.uri);
  }

  #replacementsOf(entry: Kustomization['replacements'][number], uri: string): readonly Tool[] {
    if ('node' in entry) return [{ node: entry.node, from: uri }];
    const file = this.#around.file(this.#around.at(folderOf(uri), entry.path));
    return (file?.manifest.trees ?? []).flatMap((tree) => {
      return (tree.kind === 'list' ? tree.items : [tree]).map((node) => ({ node, from: file?.uri ?? uri }));
    });
  }

  /** Transformers in files, in a folder with a kustomization of its own, and in the kustomization itself. */
  #transformersOf(kustomization: Kustomization, uri: string): readonly Tool[] {
    const inline = kustomization.inlineTransformers.map((node) => ({ node, from: uri }));
    const named = kustomization.transformers.flatMap(({ path }) => {
      const at = this.#around.at(folderOf(uri), path);
      const file = this.#around.file(at);
      if (file !== undefined) return toolsIn(file);
      const folder = this.#around.kustomizationIn(at);
      const resources = folder?.kustomization?.resources ?? [];
      return resources.flatMap((each) => {
        const found = this.#around.file(this.#around.at(at, each.path));
        return found === undefined ? [] : toolsIn(found);
      });
    });
    // What is written in the kustomization comes first, wherever in the list it stands.
    return [...inline, ...named];
  }
}

function toolsIn(file: WorkspaceFile): readonly Tool[] {
  const trees = file.manifest.trees ?? [];
  // A program of its own: nobody knows what it does.
  const unknown = file.manifest.objects.filter(({ version }) => version !== 'builtin');
  return [...trees, ...unknown.map(partialTree)].map((node) => ({ node, from: file.uri }));
}

function resourcesOf({ uri, manifest }: WorkspaceFile): readonly Resource[] {
  return manifest.objects
    .filter((object) => object.template === undefined || object.kind === 'Template')
    .map((source): Resource => {
      const tree = partialTree(source);
      const rest = { previous: [], patched: false, uncertain: false, generated: false, needsHash: false, writers: [] };
      return { uri, source, written: tree, tree, ...rest };
    });
}

function patchesIn(
  objects: WorkspaceFile['manifest']['objects'],
  trees: readonly Node[],
  uri: string,
): readonly Patch[] {
  const lists = trees.filter((tree) => tree.kind === 'list');
  return [
    ...objects.map((object): Patch => ({ kind: 'merge', object, tree: partialTree(object), uri })),
    ...lists.map((node): Patch => ({ kind: 'operations', node, uri })),
  ];
}

function configurationOf(tree: Node): Configuration {
  const fields = (name: string) => fieldsOf(fieldSpecsOf(childOf(tree, name)));
  return {
    commonLabels: fields('commonLabels'),
    templateLabels: fields('templateLabels'),
    labels: fields('labels'),
    commonAnnotations: fields('commonAnnotations'),
    namespace: fields('namespace'),
    namePrefix: fields('namePrefix'),
    nameSuffix: fields('nameSuffix'),
  };
}

function joined(a: Configuration, b: Configuration): Configuration {
  return {
    commonLabels: [...a.commonLabels, ...b.commonLabels],
    templateLabels: [...a.templateLabels, ...b.templateLabels],
    labels: [...a.labels, ...b.labels],
    commonAnnotations: [...a.commonAnnotations, ...b.commonAnnotations],
    namespace: [...a.namespace, ...b.namespace],
    namePrefix: [...a.namePrefix, ...b.namePrefix],
    nameSuffix: [...a.nameSuffix, ...b.nameSuffix],
  };
}

/** Every program has its own name for the version of kustomize that is in it. */
function managedBy(span: Span): LabelEntry {
  const written = (text: string, value: Written['value']): Written => {
    return { text, value, type: 'string', style: 'plain', span };
  };
  const key = 'app.kubernetes.io/managed-by';
  const value = written('kustomize-…', { unknown: 'version of kustomize', pattern: 'kustomize-*' });
  return { key: written(key, key), value, merged: false, conditional: false };
}
