/** Builds a kustomization into its resources, with its own changes and the changes of its bases, in the order that kustomize uses. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { hasSchema } from '../../manifests/kustomize/merge-keys.ts';
import type {
  ImageChange,
  Kustomization,
  LabelChange,
  PatchEntry,
  PathReference,
} from '../../manifests/kustomize/model.ts';
import type { LabelEntry, Mutable, Written } from '../../manifests/model.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { BrokenEntry, IdlePatch, Limit, WorkspaceFile } from '../model.ts';
import { folderOf } from '../uri.ts';
import { withAccountNames } from './account-names.ts';
import { brokenGenerator, missingForReplicas, Registered } from './broken-entries.ts';
import { maximumLevels, maximumResources, Steps } from './build-limits.ts';
import {
  type Configuration,
  configurationOf,
  joined,
  labelFields,
  noConfiguration,
  sizeOf,
  usualConfiguration,
} from './configuration.ts';
import { type Field, ownLabels } from './field-specs.ts';
import { addGenerated, generated } from './generators.ts';
import { joinedImages, withImages } from './images.ts';
import { asUncertain, ifMeant, type Tool, uncertainBy, withTransformer } from './listed-transformers.ts';
import { patchesIn, resourcesOf, toolsIn } from './read-file.ts';
import { type ReplacementFault, withReplacement } from './replacements.ts';
import { type Identity, identityOf, type Resource, remembering } from './resource.ts';
import {
  type Affixes,
  isLocal,
  type Patch,
  withLabels,
  withLongerName,
  withName,
  withNamespace,
  withPatch,
} from './transformers.ts';

/** The files and paths on which a build depends. */
export interface Surroundings {
  readonly catalogue: Catalogue;
  file(uri: string): WorkspaceFile | undefined;
  at(folder: string, path: string): string;
  kustomizationIn(folder: string): WorkspaceFile | undefined;
  /** Returns the build of a base; `make` is called if the build is not cached. */
  base(file: WorkspaceFile, make: () => Built): Built;
}

export interface Built {
  readonly resources: readonly Resource[];
  /** The patches that matched no resource, each with the kustomization that lists it. */
  readonly idle: readonly IdlePatch[];
  /** The entries that lack a resource or a field. */
  readonly broken: readonly BrokenEntry[];
  /** The patches of components that matched a resource of one of the kustomizations that include the component. */
  readonly matched: readonly PatchEntry[];
  readonly configuration: Configuration;
  /** Whether `configurations` name a file that is not in the workspace, so that labels may be set in further fields of custom kinds. */
  readonly hasUnknownFields: boolean;
  /**
   * Whether the build is complete. It is incomplete if an included file is missing or could not be parsed, so that more
   * objects may exist.
   */
  readonly isWhole: boolean;
  /** The limit because of which nothing is built. */
  readonly limit: Limit | undefined;
  /** The number of levels of nested kustomizations, including this one. */
  readonly levels: number;
  /** The number of steps that the build takes without cached bases. */
  readonly steps: number;
  /** Whether the kustomization includes itself through others, so that its result depends on where the build began. */
  readonly isRound: boolean;
}

/** The changes that a GitOps controller makes to a kustomization before it is built. */
export interface Edits {
  /** The file that contains the edits: the definition of a GitOps object. */
  readonly uri: string;
  /** Fields that replace the fields of the kustomization. */
  readonly namespace?: Written | undefined;
  readonly namePrefix?: Written | undefined;
  readonly nameSuffix?: Written | undefined;
  readonly changes?: readonly PatchEntry[];
  readonly labels?: readonly LabelChange[];
  readonly annotations?: readonly LabelEntry[];
  readonly images?: readonly ImageChange[];
  readonly components?: readonly string[];
  /** The item that adds the label of the builder. */
  readonly managedByLabel?: Span | undefined;
}

/** Changes every resource; `weight` is the number of written nodes, `fields` the number of field specs to follow. */
type ChangeEach = (change: (resource: Resource) => Resource, weight?: number, fields?: number) => void;

/** A kustomization; a generated kustomization is in no file. */
type Kustomized = Pick<WorkspaceFile, 'uri' | 'kustomization'>;

export function build(
  file: Kustomized,
  around: Surroundings,
  edits?: Edits,
): readonly [built: Built, resources: readonly Resource[]] {
  const built = new Building(around, edits).built(file, []);
  if (built.limit !== undefined) return [built, []];
  // Only the outermost kustomization adds the label of the builder.
  const written = file.kustomization?.managedByLabel;
  const span = written ?? edits?.managedByLabel;
  const by = span === undefined ? [] : [managedBy(span)];
  const from = written === undefined ? (edits?.uri ?? file.uri) : file.uri;
  const named = built.resources.map((resource) => {
    return withLabels(resource.needsHash ? withHash(resource) : resource, by, [ownLabels], from);
  });
  return [built, withAccountNames(named).filter((resource) => !isLocal(resource))];
}

type Sum = Mutable<Built>;

/** Appends the hash of its content to the name of a resource. The hash is unknown if a patch may have changed the content, which is not stored. */
function withHash(resource: Resource): Resource {
  const { uri, source, patched } = resource;
  const span = source.kindSpan;
  const known = patched ? undefined : resource.hash;
  const unknown = { unknown: `content of ${uri} ${span.start}`, pattern: '*' };
  const hash = known === undefined ? generatedText('…', unknown, span) : generatedText(known, known, span);
  return withName(remembering(resource), (name) => [name, generatedText('-', '-', span), hash]);
}

/** Builds one kustomization. The steps of each base are counted separately, so that the result of a base does not depend on the kustomization that includes it; they are also added to the steps of the including kustomization. */
class Building {
  readonly #around: Surroundings;
  readonly #steps = new Steps();
  readonly #idle = new Set<IdlePatch>();
  readonly #matched = new Set<PatchEntry>();
  readonly #broken = new Set<BrokenEntry>();
  /** The identities of the current resources, shared by many patches. */
  #present: { readonly of: readonly Resource[]; readonly identities: readonly Identity[] } | undefined;

  readonly #edits: Edits | undefined;

  constructor(around: Surroundings, edits?: Edits) {
    this.#around = around;
    this.#edits = edits;
  }

  /**
   * Builds a kustomization; `above` contains the kustomizations that include it. A kustomization that includes itself
   * is not built again.
   */
  built(file: Kustomized, above: readonly string[]): Built {
    const sum: Sum = {
      resources: [],
      idle: [],
      broken: [],
      matched: [],
      configuration: noConfiguration,
      hasUnknownFields: false,
      isWhole: true,
      limit: undefined,
      levels: above.length,
      steps: 0,
      isRound: false,
    };
    this.#accumulate(sum, file, above);
    sum.levels -= above.length;
    if (sum.levels > maximumLevels) sum.limit = 'levels';
    // Resources are converted to objects later, which also takes steps.
    for (const resource of sum.resources) this.#steps.allow(resource, 0);
    sum.steps = this.#steps.made;
    if (sum.resources.length > maximumResources) sum.limit ??= 'objects';
    if (this.#steps.areTooMany) sum.limit ??= 'steps';
    const idle = [...this.#idle].filter(({ entry }) => !this.#matched.has(entry));
    if (sum.limit === undefined) return { ...sum, idle, broken: [...this.#broken], matched: [...this.#matched] };
    return { ...sum, resources: [], isWhole: false, configuration: noConfiguration };
  }

  #accumulate(sum: Sum, file: Kustomized, above: readonly string[]): void {
    const { kustomization, uri } = file;
    if (this.#isOver(sum)) return;
    if (kustomization === undefined || above.includes(uri)) {
      sum.isWhole = false;
      sum.isRound ||= kustomization !== undefined;
      return;
    }
    const inside = [...above, uri];
    sum.levels = Math.max(sum.levels, inside.length);
    this.#steps.enter(kustomization);
    if (inside.length > maximumLevels) {
      sum.limit = 'levels';
      return;
    }
    const folder = folderOf(uri);
    const listed = new Set(kustomization.resources.map(({ path }) => this.#around.at(folder, path)));
    const isListed = (resource: Resource) => listed.has(resource.uri) && resource.previous.length === 0;
    const registered = new Registered(sum.resources);
    for (const each of kustomization.resources) {
      const before = sum.resources.length;
      this.#addResource(sum, folder, each, inside);
      const again = registered.add(sum.resources.slice(before), isListed);
      if (again === undefined) continue;
      this.#broken.add({ uri, span: each.span, is: 'added again', resource: nameOf(again), path: each.path });
    }
    sum.configuration = this.#joined(sum.configuration, this.#configurationOf(kustomization, folder));
    sum.hasUnknownFields ||= kustomization.configurations.some(({ path }) => this.#treesAt(folder, path).length === 0);
    const makesMore =
      kustomization.charts.length > 0 ||
      kustomization.programs.length > 0 ||
      kustomization.plugins.length > kustomization.transformers.length;
    if (makesMore) sum.isWhole = false;
    const resources = [...sum.resources];
    for (const [index, entry] of kustomization.generators.entries()) {
      if (!this.#steps.allowChoosing(resources)) break;
      const made = generated(entry, uri, index);
      for (const broken of brokenGenerator(resources, entry, made.resource)) this.#broken.add(broken);
      addGenerated(resources, made);
    }
    sum.resources = resources;
    const edits = above.length === 0 ? this.#edits : undefined;
    const named = kustomization.components.map(({ path }) => this.#around.at(folder, path));
    for (const at of [...named, ...(edits?.components ?? [])]) {
      const component = this.#around.kustomizationIn(at);
      if (!component?.kustomization?.component) sum.isWhole = false;
      else {
        this.#accumulate(sum, component, inside);
        sum.configuration = this.#joined(noConfiguration, sum.configuration);
      }
    }
    this.#transform(sum, file, kustomization, edits);
  }

  #addResource(sum: Sum, folder: string, { path }: PathReference, inside: readonly string[]): void {
    if (this.#isOver(sum)) return;
    const at = this.#around.at(folder, path);
    const file = this.#around.file(at);
    if (file !== undefined) {
      const { readInPart, unresolved, objects } = file.manifest;
      // A tool such as `flux bootstrap` fills a file without objects later.
      const isRead = readInPart !== true && unresolved !== true && objects.length > 0;
      this.#add(sum, resourcesOf(file));
      sum.isWhole &&= isRead;
      return;
    }
    const base = this.#around.kustomizationIn(at);
    const isRound = base !== undefined && inside.includes(base.uri);
    if (base === undefined || base.kustomization?.component || isRound) {
      sum.isWhole = false;
      sum.isRound ||= isRound;
      return;
    }
    const below = this.#around.base(base, () => new Building(this.#around).built(base, inside));
    sum.levels = Math.max(sum.levels, inside.length + below.levels);
    sum.limit ??= below.limit;
    this.#steps.add(below.steps + below.idle.length);
    this.#add(sum, below.resources);
    for (const idle of below.idle) this.#idle.add(idle);
    for (const broken of below.broken) this.#broken.add(broken);
    for (const entry of below.matched) this.#matched.add(entry);
    sum.configuration = this.#joined(sum.configuration, below.configuration);
    sum.hasUnknownFields ||= below.hasUnknownFields;
    sum.isWhole &&= below.isWhole;
    sum.isRound ||= below.isRound;
  }

  /** Whether it is certain that nothing is built, so that further work is unnecessary. */
  #isOver({ limit, resources }: Sum): boolean {
    return limit !== undefined || this.#steps.areTooMany || resources.length > maximumResources;
  }

  /** Adds resources within the limits. Thirty bases that each include two others would build a billion objects. */
  #add(sum: Sum, added: readonly Resource[]): void {
    if (this.#steps.allowChoosing(added)) sum.resources = sum.resources.concat(added);
  }

  #joined(known: Configuration, more: Configuration): Configuration {
    if (more !== usualConfiguration) this.#steps.add(sizeOf(known) + sizeOf(more));
    return joined(known, more);
  }

  #configurationOf({ configurations }: Kustomization, folder: string): Configuration {
    const trees = configurations.flatMap(({ path }) => this.#treesAt(folder, path));
    if (trees.length === 0) return usualConfiguration;
    const more = trees.reduce((sum, tree) => joined(sum, configurationOf(tree)), noConfiguration);
    return joined(usualConfiguration, more);
  }

  #treesAt(folder: string, path: string): readonly Node[] {
    return this.#around.file(this.#around.at(folder, path))?.manifest.trees ?? [];
  }

  /** Applies all changes in the order that kustomize uses, which differs from their order in the file. */
  #transform(sum: Sum, { uri }: Kustomized, kustomization: Kustomization, edits: Edits | undefined): void {
    /** Returns the value of a field, and the file that sets it. */
    const setting = (field: 'namespace' | 'namePrefix' | 'nameSuffix') => {
      const edit = edits?.[field];
      return edit === undefined ? ([kustomization[field], uri] as const) : ([edit, edits?.uri ?? uri] as const);
    };
    const parts = [{ uri, ...kustomization }, ...(edits === undefined ? [] : [edits])];
    const { configuration } = sum;
    const steps = this.#steps;
    const each: ChangeEach = (change, weight = 1, fields = 0) => {
      steps.add(sum.resources.length * fields);
      if (steps.allowChoosing(sum.resources))
        sum.resources = sum.resources.map((one) => (steps.allow(one, weight) ? change(one) : one));
    };
    // kustomize rejects the file, and a repaired part of it may contain other changes than the author intends.
    if (this.#around.file(uri)?.manifest.syntaxErrors) {
      each(asUncertain);
      return;
    }
    const patch = (fields: readonly PatchEntry['field'][]) => {
      for (const field of fields)
        for (const part of parts)
          for (const entry of part.changes ?? [])
            if (entry.field === field)
              this.#patch(sum, entry, part.uri, (uncertain) => each((resource) => ifMeant(resource, entry, uncertain)));
    };
    patch(['patchesStrategicMerge', 'patches']);
    const [namespace, namespaceFrom] = setting('namespace');
    if (namespace !== undefined) this.#setNamespace(sum, namespace, namespaceFrom, each);
    const lengthen = (affixes: Affixes, fields: readonly Field[], from: string) => {
      each((resource) => withLongerName(resource, affixes, fields, from), 1, fields.length);
    };
    const [prefix, prefixFrom] = setting('namePrefix');
    if (prefix) lengthen({ prefix }, configuration.namePrefix, prefixFrom);
    const [suffix, suffixFrom] = setting('nameSuffix');
    if (suffix) lengthen({ suffix }, configuration.nameSuffix, suffixFrom);
    this.#label(sum, parts, each);
    patch(['patchesJson6902']);
    const images = joinedImages(kustomization.images ?? [], edits?.images ?? []);
    if (images.length > 0) each((resource) => withImages(resource, images, uri));
    for (const broken of missingForReplicas(sum.resources, kustomization, uri, steps)) this.#broken.add(broken);
    this.#replace(sum, kustomization, uri, each);
    for (const tool of this.#transformersOf(kustomization, uri)) {
      sum.resources = withTransformer(sum.resources, tool, {
        catalogue: this.#around.catalogue,
        steps,
        patchesIn: (path) => this.#patchesIn(path, uri),
        replacementsIn: (entry) => this.#replacementsOf(entry, uri),
      });
    }
  }

  #setNamespace(sum: Sum, namespace: Written, from: string, each: ChangeEach): void {
    const how = { fields: sum.configuration.namespace };
    const areUnique = repeatedIn(sum.resources) === undefined;
    each((resource) => withNamespace(resource, namespace, from, how), 1, how.fields.length);
    const again = areUnique ? repeatedIn(sum.resources) : undefined;
    if (again === undefined) return;
    this.#broken.add({ uri: from, span: namespace.span, is: 'same namespace', resource: nameOf(again), path: '' });
  }

  #label(
    { configuration, hasUnknownFields }: Sum,
    parts: readonly Pick<Edits, 'uri' | 'labels' | 'annotations'>[],
    each: ChangeEach,
  ): void {
    for (const { uri, labels = [] } of parts) {
      for (const change of labels) {
        const fields = labelFields(change, configuration);
        const { entries, open } = change;
        each((resource) => withLabels(resource, entries, fields, uri, open), entries.length, fields.length);
      }
    }
    if (hasUnknownFields && parts.some(({ labels = [] }) => labels.length > 0))
      each((resource) => (hasSchema(identityOf(resource.tree).group) ? resource : asUncertain(resource)));
    const fields = configuration.commonAnnotations;
    for (const { uri, annotations = [] } of parts) {
      each((resource) => withLabels(resource, annotations, fields, uri), annotations.length, fields.length);
    }
  }

  #replace(sum: Sum, { replacements }: Kustomization, uri: string, each: ChangeEach): void {
    for (const replacement of replacements) {
      const found = this.#replacementsOf(replacement, uri);
      if (found.length === 0) each(asUncertain);
      const report = ({ span, ...fault }: ReplacementFault) => {
        this.#broken.add({ uri, span: 'node' in replacement ? span : replacement.span, ...fault });
      };
      for (const { node, from } of found)
        sum.resources = withReplacement(sum.resources, node, { from, steps: this.#steps, report });
    }
  }

  /** Applies one entry that contains patches; `open` is called if its patches are unknown. */
  #patch(sum: Sum, entry: PatchEntry, uri: string, open: (uncertain: Resource['uncertain']) => void): void {
    const patches = this.#patchesOf(entry, uri);
    if (patches.length === 0)
      open(uncertainBy(entry, (path) => this.#around.file(this.#around.at(folderOf(uri), path))));
    const idle: Patch[] = [];
    for (const patch of patches) {
      const patched = withPatch(sum.resources, patch, entry, this.#steps, ({ span, text }, resource) =>
        this.#broken.add({ uri, span: patch.uri === uri ? span : entry.span, is: 'not removed', resource, path: text }),
      );
      sum.resources = patched.resources;
      if (patched.targets === 0) idle.push(patch);
    }
    // Without a target, each document of a patch has its own target.
    if (entry.target === undefined) for (const patch of idle) this.#addIdle(sum, { uri, entry }, patch);
    else if (patches.length > 0 && idle.length === patches.length) this.#addIdle(sum, { uri, entry });
    else if (this.#around.file(uri)?.kustomization?.component) this.#matched.add(entry);
  }

  #addIdle({ resources }: Sum, idle: Pick<IdlePatch, 'uri' | 'entry'>, patch?: Patch): void {
    if (this.#steps.areTooMany) return;
    if (this.#present?.of !== resources) {
      const identities = resources.flatMap(({ tree, previous }) => [identityOf(tree), ...previous]);
      this.#present = { of: resources, identities };
      this.#steps.add(identities.length);
    }
    const { identities } = this.#present;
    this.#idle.add({ ...idle, present: identities, ...(patch?.kind === 'merge' && { object: patch.object }) });
  }

  #patchesOf({ path, inline }: PatchEntry, uri: string): readonly Patch[] {
    if (inline !== undefined) return patchesIn(inline.objects, inline.trees, uri);
    return path === undefined ? [] : this.#patchesIn(path, uri);
  }

  #patchesIn({ path }: PathReference, uri: string): readonly Patch[] {
    const file = this.#around.file(this.#around.at(folderOf(uri), path));
    return file === undefined || file.manifest.syntaxErrors > 0
      ? []
      : patchesIn(file.manifest.objects, file.manifest.trees ?? [], file.uri);
  }

  #replacementsOf(entry: Kustomization['replacements'][number], uri: string): readonly Tool[] {
    if ('node' in entry) return [{ node: entry.node, from: uri }];
    const file = this.#around.file(this.#around.at(folderOf(uri), entry.path));
    if (file?.manifest.syntaxErrors) return [];
    return (file?.manifest.trees ?? []).flatMap((tree) => {
      return (tree.kind === 'list' ? tree.items : [tree]).map((node) => ({ node, from: file?.uri ?? uri }));
    });
  }

  /** Returns the transformers in files, in a folder with a kustomization, and in the kustomization itself. */
  #transformersOf(kustomization: Kustomization, uri: string): readonly Tool[] {
    const inline = kustomization.inlineTransformers.map((node) => ({ node, from: uri }));
    const seen = new Set<string>();
    const named = kustomization.transformers.flatMap(({ path }) => this.#toolsAt(path, uri, seen));
    // Inline transformers come first, regardless of their position in the list.
    return [...inline, ...named];
  }

  /** Returns the transformers at a path in the kustomization `from`. kustomize builds a folder before its transformers are applied. `seen` contains the folders that were built; more are added. */
  #toolsAt(path: string, from: string, seen: Set<string>): readonly Tool[] {
    const at = this.#around.at(folderOf(from), path);
    const file = this.#around.file(at);
    if (file !== undefined) return toolsIn(file);
    const folder = this.#around.kustomizationIn(at);
    if (folder?.kustomization === undefined || seen.has(folder.uri)) return [];
    seen.add(folder.uri);
    const { resources, namespace, changes, replacements, components, plugins } = folder.kustomization;
    const tools = resources.flatMap((each) => this.#toolsAt(each.path, folder.uri, seen));
    const isChanged = [changes, replacements, components, plugins].some((each) => each.length > 0);
    if (isChanged) return tools.map((tool) => ({ ...tool, isChanged }));
    return namespace === undefined ? tools : tools.map((tool) => ({ ...tool, namespace, from: folder.uri }));
  }
}

/** Returns a resource with the identity of an earlier one. */
function repeatedIn(resources: readonly Resource[]): Resource | undefined {
  return new Registered([]).add(resources, () => false);
}

function nameOf({ tree }: Resource): string {
  const { kind, name } = identityOf(tree);
  return `${kind}/${name}`;
}

/** Returns the label with an unknown value, because it contains the version of kustomize, which differs between programs. */
function managedBy(span: Span): LabelEntry {
  const key = 'app.kubernetes.io/managed-by';
  const value = generatedText('kustomize-…', { unknown: localize`version of kustomize`, pattern: 'kustomize-*' }, span);
  return { key: generatedText(key, key, span), value, merged: false, conditional: false };
}

/** Returns a string that kustomize generates, at the span to which findings about the string refer. */
function generatedText(text: string, value: Written['value'], span: Span): Written {
  return { text, value, type: 'string', style: 'plain', span };
}
