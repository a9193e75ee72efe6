/** What does the label under the cursor mean, who else carries it, and which selectors take it? */

import { carriersOf } from '../manifests/carriers.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../manifests/manifest.ts';
import type { Spot } from '../manifests/spot.ts';
import { alternativesOf } from '../workspace/effective-selector.ts';
import type { CarrierId } from '../workspace/index.ts';
import { identityOf, placeOf } from '../workspace/scope-facts.ts';
import type { Relation } from '../workspace/scopes.ts';
import { maximumElsewhere, type Taker, takersAround } from '../workspace/takers.ts';
import { distanceFrom } from '../workspace/uri.ts';
import { carrierWith } from '../workspace/workspace.ts';
import { keyMeaning } from './key-meaning.ts';
import { isSelectable } from './mentions.ts';
import { group, maximumShown, objectLine } from './object-lines.ts';
import { type Block, type Line, paragraph, type RichText } from './rich-text.ts';
import type { FileView } from './view.ts';

export function aboutLabel(
  view: FileView,
  { object, site, entry }: Spot & { readonly kind: 'label' },
): RichText | undefined {
  const meaning = keyMeaning(view.catalogue, entry.key.text, site.place.holds === 'labels' ? 'label' : 'annotation');
  // What values fill is carried by what the templates make.
  const said = isSelectable(site) && view.complete && !object.inValues ? relations(view, object, site, entry) : [];
  const all = [...meaning, ...said];
  return all.length === 0 ? undefined : all;
}

function relations(view: FileView, object: ManifestObject, site: LabelSite, entry: LabelEntry): readonly Block[] {
  const { value: key } = entry.key;
  const { value } = entry.value;
  if (typeof key !== 'string' || typeof value !== 'string') return [];
  return [...takenBy(view, object, site, key), ...carriedBy(view, object, key, value)];
}

function takenBy(view: FileView, object: ManifestObject, site: LabelSite, key: string): readonly Block[] {
  const carriers = carriersOf(object).filter((carrier) => carrier.site === site);
  if (carriers.length === 0) return [];
  const takers = carriers.flatMap((carrier) =>
    takersAround(view.workspace, view.catalogue, { file: view.file, object, carrier }),
  );
  const asking = takers.filter((taker) => asksFor(taker, key));
  if (asking.length === 0) return [paragraph('No selector takes this label.')];
  return takerGroups(view, asking, site.keySpan.start);
}

function asksFor({ site }: Taker, key: string): boolean {
  return alternativesOf(site).some(
    (selector) => selector.kind === 'all' && selector.requirements.some((requirement) => requirement.key === key),
  );
}

/** Who selects something: for certain, perhaps, and from elsewhere. */
export function takerGroups(
  view: FileView,
  takers: readonly Taker[],
  offset: number,
  title = 'Selected by',
): readonly Block[] {
  const lines = (some: readonly Taker[]) => some.map((taker) => takerLine(view, taker));
  const here = takers.filter(({ relation }) => relation === 'here');
  const elsewhere = takers.filter(({ relation }) => relation === 'elsewhere');
  const atLeast = elsewhere.length < maximumElsewhere ? '' : ' at least';
  return [
    ...group(view, title, lines(here.filter(({ certain }) => certain)), offset),
    ...group(view, 'Perhaps selected by', lines(here.filter(({ certain }) => !certain)), offset),
    ...group(view, `Selected from elsewhere by${atLeast}`, lines(elsewhere), offset),
  ];
}

function takerLine(view: FileView, taker: Taker): Line {
  return [...objectLine(view, taker, taker.site.keySpan), ' ', { kind: 'code', text: taker.site.path }];
}

/** What of a file carries a label. */
interface CarryingFile {
  readonly relation: Relation;
  readonly far: number;
  /** One of each object. */
  readonly ids: CarrierId[];
}

/** The nearest others; what is far away and of many files is only counted. */
function carriedBy(view: FileView, object: ManifestObject, key: string, value: string): readonly Block[] {
  const from = placeOf({ file: view.file, object });
  const files = [...carryingFiles(view, object, from, view.workspace.carrying(key, value)).values()];
  return (['here', 'elsewhere'] as const).flatMap((relation) => {
    const some = files.filter((each) => each.relation === relation).toSorted((a, b) => a.far - b.far);
    const title = relation === 'here' ? 'Also carried by' : 'Carried elsewhere by';
    const { lines, total } = nearest(view, from, some);
    return group(view, title, lines, object.kindSpan.start, total);
  });
}

function carryingFiles(view: FileView, object: ManifestObject, from: string, ids: readonly CarrierId[]) {
  const own = view.file.manifest.objects.indexOf(object);
  const scopes = view.workspace.scopes();
  const far = distanceFrom(view.file.uri);
  const files = new Map<string, CarryingFile>();
  for (const id of ids) {
    if (id.uri === view.file.uri && id.object === own) continue;
    const known = files.get(id.uri);
    if (known === undefined) {
      files.set(id.uri, { relation: scopes.relation(from, id.uri), far: far(id.uri), ids: [id] });
      continue;
    }
    // Of a workload the labels of its template are shown, which come after its own.
    const before = known.ids.findIndex((each) => each.object === id.object);
    known.ids[before === -1 ? known.ids.length : before] = id;
  }
  return files;
}

function nearest(view: FileView, from: string, files: readonly CarryingFile[]) {
  const lines: Line[] = [];
  let total = files.reduce((sum, { ids }) => sum + ids.length, 0);
  for (const id of files.slice(0, maximumLooked).flatMap(({ ids }) => ids)) {
    if (lines.length === maximumShown) break;
    const found = carrierWith(view.workspace, id);
    const relation = found && view.workspace.scopes().relation(from, placeOf(found), identityOf(found.object));
    if (found === undefined || relation === 'apart') total--;
    else lines.push(objectLine(view, found, found.carrier.site?.keySpan ?? found.object.kindSpan));
  }
  return { lines, total };
}

/** So many files are read for a list, in which copies are left out. */
const maximumLooked = 100;
