/** Collects the table of label keys from the objects of a workspace as they are applied. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabeledObject, SelectorSite } from '../../manifests/model.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { isDemanded, labelPlaces } from '../../rules/helpers/label-demands.ts';
import type { LabelRegistry, RegisteredLabel } from '../../settings/label-registry.ts';
import type { Settings } from '../../settings/settings.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { compareText } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { folderOf } from '../../workspace/uri.ts';
import { statementsAbout } from '../presentation/label-statements.ts';
import { objectName } from '../presentation/object-names.ts';
import type { Counted, Coverage, KeyRow, LabelTable, Place, PlacedObject, SetBy, ValueRow } from './label-table.ts';
import { similarLabels } from './similar-labels.ts';

export interface CollectOptions {
  readonly workspace: Workspace;
  catalogueOf(uri: string): Catalogue;
  readonly settings: Settings;
  /** Returns the name of a file in the table. */
  nameOf(uri: string): string;
}

/** The maximum number of items in lists of places. */
const mostPlaces = 20;

class Places<Item> {
  count = 0;
  readonly first: Item[] = [];

  add(make: () => Item): void {
    if (this.count++ < mostPlaces) this.first.push(make());
  }

  toJson(): Counted<Item> {
    return { count: this.count, first: this.first };
  }
}

interface Setting {
  count: number;
  readonly files: Set<string>;
}

type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** A registry, and the labels in it that are required or recommended. */
interface Registered {
  readonly uri: string;
  readonly registry: LabelRegistry;
  readonly demands: readonly (readonly [RegisteredLabel, Coverage['is']])[];
}

class Key {
  objects = 0;
  pods = 0;
  unknown = 0;
  readonly values = new Map<string, Mutable<ValueRow>>();
  readonly setBy = new Map<SetBy, Setting>();
  readonly selectors = new Places<PlacedObject & { readonly path: string }>();
}

interface Demanded extends Pick<Coverage, 'key' | 'of' | 'is'> {
  total: number;
  have: number;
  unknown: number;
  readonly missing: Places<PlacedObject>;
}

/** Collects the table from objects; each object is given once for each scope that applies it. */
export class LabelCollector {
  readonly #options: CollectOptions;
  readonly #keys = new Map<string, Key>();
  readonly #demanded = new Map<string, Demanded>();
  /** The registries by folder, each with a file to which it applies. */
  readonly #registries = new Map<string, Registered>();
  #objects = 0;
  #pods = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
  }

  add(where: ObjectInFile): void {
    for (const labeled of labeledObjectsOf(where.object)) this.#addLabels(where, labeled);
    for (const site of where.object.selectorSites) this.#addSelector(where, site);
    this.#addCoverage(where);
  }

  table(): LabelTable {
    const keys = [...this.#keys]
      .map(([key, found]) => rowOf(key, found, this.#statementsAbout(key)))
      .toSorted((a, b) => b.objects + b.pods - a.objects - a.pods || compareText(a.key, b.key));
    return {
      objects: this.#objects,
      pods: this.#pods,
      keys,
      coverage: [...this.#demanded.values()]
        .map(({ missing, ...each }): Coverage => ({ ...each, missing: missing.toJson() }))
        .toSorted((a, b) => compareText(a.is, b.is) * -1 || compareText(a.key, b.key) || compareText(a.of, b.of)),
      similar: similarLabels(keys),
    };
  }

  #addLabels(where: ObjectInFile, labeled: LabeledObject): void {
    const isPod = areOfPod(labeled);
    // Templates of other objects, such as claims of volumes, are not counted as objects.
    if (labeled.via !== undefined && !isPod) return;
    if (isPod) this.#pods++;
    else this.#objects++;
    const entries = new Map(entriesOf(where, labeled).map((entry) => [entry.key.text, entry]));
    for (const [name, value] of Object.entries(labeled.labels)) {
      const entry = entries.get(name);
      // Labels that controllers and the API server set are in no file.
      if (entry === undefined && (typeof value !== 'string' || where.object.nameLabels?.includes(name))) continue;
      const key = getOrAdd(this.#keys, name, () => new Key());
      if (isPod) key.pods++;
      else key.objects++;
      if (typeof value === 'string') {
        const row = getOrAdd(key.values, value, () => this.#valueRow(where, value, entry));
        if (isPod) row.pods++;
        else row.objects++;
      } else key.unknown++;
      if (entry !== undefined) this.#addSetting(key, where, entry);
    }
  }

  #valueRow({ file, object }: ObjectInFile, value: string, entry: LabelEntry | undefined): Mutable<ValueRow> {
    const at = { name: objectName(object), ...this.#place(file, entry?.value.span ?? object.kindSpan) };
    return { value, objects: 0, pods: 0, at };
  }

  #addSetting(key: Key, { file }: ObjectInFile, { key: { origin: keyOrigin }, value: { origin } }: LabelEntry): void {
    const uri = (origin ?? keyOrigin)?.uri ?? file.uri;
    const setting = getOrAdd(key.setBy, this.#setter(uri, file), () => ({ count: 0, files: new Set<string>() }));
    setting.count++;
    setting.files.add(this.#options.nameOf(uri));
  }

  #setter(uri: string, file: WorkspaceFile): SetBy {
    const { workspace } = this.#options;
    if (isInTemplates(uri) || isInTemplates(file.uri)) return 'chart';
    if ((workspace.files.get(uri) ?? file).kustomization !== undefined) return 'kustomization';
    return uri !== file.uri || workspace.scopes().isPatch(uri) ? 'patch' : 'manifest';
  }

  #addSelector({ file, object }: ObjectInFile, site: SelectorSite): void {
    if (site.state === 'ignored' || site.state === 'absent') return;
    const selector = effectiveSelector(site);
    if (selector?.kind !== 'all') return;
    for (const key of new Set(selector.requirements.map((each) => each.key)))
      getOrAdd(this.#keys, key, () => new Key()).selectors.add(() => ({
        name: objectName(object),
        path: site.path,
        ...this.#place(file, site.keySpan),
      }));
  }

  #addCoverage({ file, object }: ObjectInFile): void {
    const { demands } = this.#registryOf(file.uri);
    if (demands.length === 0) return;
    const { workspace, catalogueOf } = this.#options;
    const context = { uri: file.uri, workspace, catalogue: catalogueOf(file.uri) };
    for (const place of labelPlaces(object)) {
      const of = place.template === undefined ? 'objects' : 'pods';
      for (const [label, is] of demands) {
        const demand = label[is];
        if (demand === undefined || !isDemanded(context, demand, place)) continue;
        const found = getOrAdd(this.#demanded, `${is} ${of} ${label.key}`, () => newDemanded(label.key, of, is));
        found.total++;
        const has = place.entries.find((entry) => entry.key.text === label.key);
        const mayHave = place.mayHaveMore || place.entries.some(({ key }) => typeof key.value !== 'string');
        if (has !== undefined && !has.conditional) found.have++;
        else if (has !== undefined || mayHave) found.unknown++;
        else found.missing.add(() => ({ name: objectName(object), ...this.#place(file, place.span) }));
      }
    }
  }

  #registryOf(uri: string): Registered {
    const { workspace, settings } = this.#options;
    return getOrAdd(this.#registries, folderOf(uri), () => {
      const registry = labelRegistryFor({ uri, workspace, settings });
      const demands = registry.entries.flatMap((label) =>
        (['required', 'recommended'] as const).flatMap((is) => (label[is] === undefined ? [] : [[label, is] as const])),
      );
      return { uri, registry, demands };
    });
  }

  /** Returns what the team states about a key, as sentences; if several configurations describe it, the statements of the first. */
  #statementsAbout(key: string): readonly string[] {
    const { workspace, settings } = this.#options;
    const registries = new Map([...this.#registries.values()].map((each) => [each.registry, each.uri]));
    for (const uri of registries.values()) {
      const statements = statementsAbout({ uri, workspace, settings }, key);
      if (statements.length > 0) return statements;
    }
    return [];
  }

  #place(file: WorkspaceFile, { start }: Span): Place {
    return { file: this.#options.nameOf(file.uri), line: offsetToPosition(file.lines, start).line + 1 };
  }
}

function newDemanded(key: string, of: Coverage['of'], is: Coverage['is']): Demanded {
  return { key, of, is, total: 0, have: 0, unknown: 0, missing: new Places() };
}

/** Returns the entries that set the labels of a labeled object, the effective ones last. */
function entriesOf({ object }: ObjectInFile, { via, site }: LabeledObject): readonly LabelEntry[] {
  const written = site?.entries ?? [];
  return via === undefined ? [...object.inherited, ...written] : written;
}

function rowOf(key: string, found: Key, statements: readonly string[]): KeyRow {
  const values = [...found.values.values()].toSorted(
    (a, b) => b.objects + b.pods - a.objects - a.pods || compareText(a.value, b.value),
  );
  return {
    key,
    statements,
    objects: found.objects,
    pods: found.pods,
    values,
    unknown: found.unknown,
    setBy: [...found.setBy]
      .map(([by, { count, files }]) => ({
        by,
        count,
        files: { count: files.size, first: [...files].slice(0, mostPlaces) },
      }))
      .toSorted((a, b) => b.count - a.count),
    selectors: found.selectors.toJson(),
  };
}
