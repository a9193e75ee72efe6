/** A service over a fixture in memory, whose results are formatted in the notation of the margin. */

import '../../server/src/rules/all.ts';
import type { Clock } from '../../server/src/clock.ts';
import { titleOf } from '../../server/src/drawing/graph.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import type { Completion, Completions } from '../../server/src/features/completion/model.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hints } from '../../server/src/features/decorations/inlay-hints.ts';
import { type GraphQuestion, scopeGraph } from '../../server/src/features/graph/scope-graph.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import {
  type HierarchyCall,
  type HierarchyItem,
  hierarchyItem,
  objectOfItem,
  selectedBy,
  selects,
} from '../../server/src/features/navigation/call-hierarchy.ts';
import { definition } from '../../server/src/features/navigation/definition.ts';
import { documentSymbols, type FileSymbol } from '../../server/src/features/navigation/document-symbols.ts';
import { highlights } from '../../server/src/features/navigation/highlights.ts';
import { implementation } from '../../server/src/features/navigation/implementation.ts';
import { fileLinks } from '../../server/src/features/navigation/links.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { workspaceSymbols } from '../../server/src/features/navigation/workspace-symbols.ts';
import { explainObject } from '../../server/src/features/pages/explain-object.ts';
import { preview } from '../../server/src/features/pages/preview.ts';
import { toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import type { FileView, View } from '../../server/src/features/view.ts';
import type { Log } from '../../server/src/log.ts';
import type { Manifest } from '../../server/src/manifests/model.ts';
import type { Preview, PreviewItem } from '../../server/src/protocol.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { Session } from '../../server/src/session.ts';
import { defaultSettings, type Settings } from '../../server/src/settings/settings.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { lineTable, offsetToPosition } from '../../server/src/text/lines.ts';
import type { Span } from '../../server/src/text/span.ts';
import type { Base } from '../../server/src/workspace/base.ts';
import type { ObjectInFile } from '../../server/src/workspace/model.ts';
import { canonicalUri, relativePath } from '../../server/src/workspace/uri.ts';
import { deepFreeze } from './freeze.ts';
import { type LineEnd, type MarkedFile, readFixture } from './margin.ts';
import { MemoryFiles } from './memory-files.ts';
import { describePosition } from './show.ts';

export const benchFolder = 'file:///work';

/** The current date in every story. */
export const storyDay = '2026-06-15';

export interface BenchOptions {
  readonly lineEnd?: LineEnd;
  readonly settings?: Partial<Settings>;
  /** Requests are made while the workspace is still being indexed. */
  readonly indexing?: boolean;
  /** Replaces the current date of the fixtures. */
  readonly today?: string;
}

/** A named span of the fixture. */
export interface NamedSpan {
  readonly file: MarkedFile;
  readonly uri: string;
  readonly span: Span;
}

/** A bench over a fixture in the source of a test. */
export function bench(fixture: string, options: BenchOptions = {}): Promise<Bench> {
  return benchOver(readFixture(fixture, options.lineEnd), options);
}

/** Files below this folder are the base, to which the rules on updates compare the other files. */
const atBase = 'at-base/';

/** Whether a file of a fixture belongs to the base. */
export function isAtBase({ name }: Pick<MarkedFile, 'name'>): boolean {
  return name.startsWith(atBase);
}

/** A bench over files whose margins are already parsed. */
export async function benchOver(all: readonly MarkedFile[], options: BenchOptions = {}): Promise<Bench> {
  const log = new TestLog();
  const files = all.filter((file) => !isAtBase(file));
  const clock: Clock = { today: () => options.today ?? storyDay, after: () => () => undefined };
  const texts = new Map<string, string>();
  const session = new Session({ catalogue, log, clock, textOf: (uri) => texts.get(uri) });
  session.workspace.configure({ settings: { ...defaultSettings, ...options.settings } });
  const made = new Bench(files, session, log);
  for (const { name, text } of files) texts.set(made.uriOf(name), text);
  if (options.indexing !== true) {
    const source = new MemoryFiles(files.map((file) => [made.uriOf(file.name), file.text]));
    await session.workspace.load(
      source,
      [benchFolder],
      () => undefined,
      () => false,
    );
  }
  if (files.length < all.length) session.choose({ base: await baseFor(all, made) });
  return made;
}

/** The workspace with the files of the base instead of the current ones. */
async function baseFor(all: readonly MarkedFile[], bench: Bench): Promise<Base> {
  const { workspace } = new Session({ catalogue, log: bench.log });
  const before = all.filter(isAtBase);
  const now = new Map(bench.files.map((file) => [bench.uriOf(file.name), file.text]));
  const texts = new Map([
    ...now,
    ...before.map(({ name, text }) => [bench.uriOf(name.slice(atBase.length)), text] as const),
  ]);
  await workspace.load(
    new MemoryFiles(texts),
    [benchFolder],
    () => undefined,
    () => false,
  );
  const side = {
    workspace: workspace.snapshot(),
    catalogueOf: (uri: string) => workspace.catalogueOf(uri),
    textOf: (uri: string) => texts.get(uri),
  };
  return { name: 'HEAD', side, textNow: (uri) => now.get(uri) };
}

/** Records all messages; a bug fails the test. */
export class TestLog implements Log {
  readonly described: string[] = [];

  info(message: string) {
    this.described.push(message);
  }

  warn(message: string) {
    this.described.push(message);
  }

  bug(where: string, error: unknown): never {
    throw new Error(`A bug was logged: ${where}`, { cause: error });
  }
}

export class Bench {
  readonly files: readonly MarkedFile[];
  readonly session: Session;
  readonly log: TestLog;

  constructor(files: readonly MarkedFile[], session: Session, log: TestLog) {
    this.files = files;
    this.session = session;
    this.log = log;
  }

  uriOf(name: string): string {
    return canonicalUri(`${benchFolder}/${name.split('/').map(encodeURIComponent).join('/')}`);
  }

  /** The file with a name, or the only file. */
  file(name?: string): MarkedFile {
    const found = name === undefined ? this.files : this.files.filter((file) => file.name === name);
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) throw new Error(`Which file? ${name ?? 'There are several.'}`);
    return only;
  }

  place(name: string): NamedSpan {
    for (const file of this.files) {
      const span = file.places.get(name);
      if (span !== undefined) return { file, uri: this.uriOf(file.name), span };
    }
    throw new Error(`No place is called '${name}'.`);
  }

  manifest(name?: string): Manifest {
    const file = this.#open(this.file(name));
    // An open file whose name is not that of a manifest, such as `values.env`, is not in the workspace.
    const read = this.session.fileOf(file);
    if (read === undefined) throw new Error(`The session does not know ${file}.`);
    return deepFreeze(read).manifest;
  }

  findings(name?: string): readonly Finding[] {
    this.manifest(name);
    return this.session.findings(this.uriOf(this.file(name).name));
  }

  /** The covered text, a rule, and the Markdown; `(none)` without a hover. */
  hover(place: string): string {
    const { uri, file, offset } = this.#cursor(place);
    const hovered = this.session.at(uri, offset, hover);
    if (hovered === undefined) return '(none)';
    return `${file.text.slice(hovered.span.start, hovered.span.end)}\n---\n${this.#shorten(toMarkdown(hovered.text))}`;
  }

  /** The target labels, one per line: `file:line text`. */
  definition(place: string): string {
    const { uri, offset } = this.#cursor(place);
    return this.#printPlaces(definition(this.#view(uri), offset));
  }

  /** The links of a file, a line each: `text -> file`. */
  links(name?: string): readonly string[] {
    const file = this.file(name);
    const { links } = fileLinks(this.#view(this.#open(file)));
    return links.map(
      ({ span, target }) => `${file.text.slice(span.start, span.end)} -> ${relativePath(benchFolder, target)}`,
    );
  }

  references(place: string, others = false): string {
    const { uri, offset } = this.#cursor(place);
    return this.#printPlaces(references(this.#view(uri), offset, others));
  }

  implementation(place: string): string {
    const { uri, offset } = this.#cursor(place);
    return this.#printPlaces(implementation(this.#view(uri), offset));
  }

  /** The file with `=` under labels and `-` under selectors that require them. */
  highlights(place: string): string {
    const { uri, offset, file } = this.#cursor(place);
    return this.#printPlaces(
      highlights(this.#view(uri), offset).map(({ span, kind }) => ({ uri, span, note: kind })),
      file.name,
    );
  }

  /** The objects that an object selects, and those that they select, at all depths; the selecting field in brackets. */
  selects(place: string): string {
    return this.#printHierarchy(place, selects);
  }

  selectedBy(place: string): string {
    return this.#printHierarchy(place, selectedBy);
  }

  #view(uri: string): FileView {
    const view = this.session.fileView(uri);
    if (view === undefined) throw new Error(`${uri} is not open.`);
    return { ...view, chartTexts: new Map(this.files.map((file) => [this.uriOf(file.name), file.text])) };
  }

  #printHierarchy(place: string, ask: (view: View, object: ObjectInFile) => readonly HierarchyCall[]): string {
    const { uri, offset } = this.#cursor(place);
    const view = this.#view(uri);
    const first = hierarchyItem(view, view.file, offset);
    if (first === undefined) return '(none)';
    const lines: string[] = [];
    const walk = (item: HierarchyItem, depth: number, note: string) => {
      const detail = item.detail === '' ? '' : ` (${item.detail})`;
      lines.push(`${'  '.repeat(depth)}${item.name}${detail}${note}`);
      if (depth === 5) return;
      const object = objectOfItem(item.file, item.start, item.name);
      if (object === undefined) throw new Error(`${item.name} is gone.`);
      for (const call of ask(view, { file: item.file, object })) {
        walk(call.item, depth + 1, call.spans.length > 1 ? ` x${call.spans.length}` : '');
      }
    };
    walk(first, 0, '');
    return lines.join('\n');
  }

  /** Indented by depth. */
  documentSymbols(name?: string): string {
    const file = this.file(name);
    const text = (span: Span) => file.text.slice(span.start, span.end);
    const print = (symbol: FileSymbol, depth: number): readonly string[] => {
      if (symbol.nameSpan.start < symbol.span.start || symbol.nameSpan.end > symbol.span.end) {
        throw new Error(`The name of ${symbol.name} is outside of it.`);
      }
      const detail = symbol.detail === '' ? '' : ` (${symbol.detail})`;
      const line = `${'  '.repeat(depth)}${symbol.kind} ${symbol.name}${detail} <${text(symbol.nameSpan)}>`;
      return [line, ...symbol.children.flatMap((child) => print(child, depth + 1))];
    };
    return documentSymbols(this.#view(this.#open(file)))
      .flatMap((symbol) => print(symbol, 0))
      .join('\n');
  }

  workspaceSymbols(query: string): string {
    const found = workspaceSymbols(this.session.view(), query);
    const lines = found.map(({ kind, name, container, place: { file, span } }) => {
      const where = this.#printPlaces([{ uri: file.uri, span }]);
      return `${kind} ${name}${container === '' ? '' : ` in ${container}`}: ${where}`;
    });
    return lines.join('\n');
  }

  /** Each lens with its line. */
  lenses(name?: string): string {
    const file = this.file(name);
    const view = this.#view(this.#open(file));
    const lines = lenses(view).map((lens) => {
      const line = offsetToPosition(lineTable(file.text), lens.span.start).line + 1;
      return `${line} ${lens.path}: ${lensText(view, lens)}`;
    });
    return lines.join('\n');
  }

  /** The lines with a hint, and the hint. */
  hints(name?: string): string {
    const file = this.file(name);
    const found = hints(this.#view(this.#open(file)), { start: 0, end: file.text.length });
    const lines = found.map(({ offset, text }) => {
      const start = file.text.lastIndexOf('\n', offset - 1) + 1;
      return `${file.text.slice(start, offset)} « ${text} »`.trim();
    });
    return lines.join('\n');
  }

  #printPlaces(
    places: readonly {
      readonly uri?: string;
      readonly file?: { readonly uri: string };
      readonly span: Span;
      readonly note?: string;
    }[],
    only?: string,
  ): string {
    const lines = places.map(({ uri, file: inFile, span, note }) => {
      const file = this.files.find((each) => this.uriOf(each.name) === (uri ?? inFile?.uri));
      if (file === undefined) throw new Error(`The fixture has no file ${uri ?? inFile?.uri}.`);
      const line = offsetToPosition(lineTable(file.text), span.start).line + 1;
      const where = only === undefined ? `${file.name}:${line}` : `${line}`;
      return `${where} ${file.text.slice(span.start, span.end)}${note === undefined ? '' : ` (${note})`}`;
    });
    return lines.length === 0 ? '(none)' : lines.join('\n');
  }

  /**
   * The line after accepting each completion, in the order shown; in multiline text, each line ends with ` ⏎`. With
   * `told`, the text next to the label follows after three blanks.
   */
  completion(place: string, told: 'told' | 'silent' = 'silent'): readonly string[] {
    return this.completions(place).items.map((item) => {
      const lines = this.accepted(place, item);
      const beside = told === 'told' && item.description !== undefined ? `   ${item.description}` : '';
      return `${lines.join(' ⏎')}${beside}`;
    });
  }

  completions(place: string): Completions {
    const { uri, offset } = this.#cursor(place);
    return completion(this.#view(uri), offset);
  }

  /** The lines that accepting an item changes or adds; the first without its indentation. */
  accepted(place: string, { edit, also = [] }: Completion): readonly string[] {
    const { file, offset } = this.#cursor(place);
    if (edit.span.start > offset || edit.span.end < offset) throw new Error('A completion must edit at the cursor.');
    if (/[\r\n]/.test(file.text.slice(edit.span.start, edit.span.end)))
      throw new Error('A completion must replace a part of one line.');
    const after = applyEdits(file.text, [edit, ...also]);
    const start = file.text.lastIndexOf('\n', offset - 1) + 1;
    const kept = file.text.length - edit.span.end;
    const end = after.indexOf('\n', after.length - kept);
    const changed = after.slice(start, end === -1 ? after.length : end).split(/\r?\n/);
    return changed.map((line, index) => (index === 0 ? line.trim() : line.trimEnd()));
  }

  /** The groups of a preview, one object per line: by the name of its span, otherwise by its own name. */
  preview(place: string): string {
    const { uri, offset } = this.#cursor(place);
    const shown = this.session.at(uri, offset, preview);
    return shown === undefined ? '(none)' : this.printPreview(shown);
  }

  /** The page about the object at a named span. */
  explain(place: string): string {
    const { uri, offset } = this.#cursor(place);
    return this.session.at(uri, offset, explainObject)?.markdown.trimEnd() ?? '(none)';
  }

  /** The graph at a place: its title, objects without edges, the edges with `~` for uncertain ones, and notes. */
  graph(place: string, question: Partial<GraphQuestion> = {}): string {
    const { uri, offset } = this.#cursor(place);
    const found = this.session.at(uri, offset, (view, at) =>
      scopeGraph(view, at, { around: 'object', connections: false, references: false, ...question }),
    );
    if (found === undefined) return '(none)';
    const names = new Map(found.nodes.map(({ node }) => [node.id, titleOf(node)]));
    const linked = new Set(found.edges.flatMap(({ edge }) => [edge.from, edge.to]));
    const alone = found.nodes.flatMap(({ node }) => (linked.has(node.id) ? [] : [titleOf(node)]));
    const edges = found.edges.map(({ edge: { from, to, relation, certain, label } }) => {
      return `${names.get(from)} ${relation}${certain ? '' : '~'} ${names.get(to)} (${label})`;
    });
    return [found.title, ...alone, ...edges, ...found.notes].join('\n');
  }

  printPreview(preview: Preview): string {
    const head = [`${preview.selector === '' ? "''" : preview.selector} (${preview.description})`];
    if (!preview.complete) head.push('still indexing');
    for (const problem of preview.problems) head.push(`problem: ${problem}`);
    for (const group of preview.groups) {
      head.push(`${group.kind}:`, ...group.items.map((item) => `  ${this.#itemLine(item)}`).toSorted());
      if (group.total > group.items.length) head.push(`  and ${group.total - group.items.length} more`);
    }
    return head.join('\n');
  }

  /** The name of a span in the margin, otherwise its text. */
  fileNameOf(uri: string, span: Span): string {
    for (const file of this.files) {
      if (this.uriOf(file.name) !== uri) continue;
      for (const [name, place] of file.places) if (place.start === span.start && place.end === span.end) return name;
      return describePosition(file.name, file.text, span);
    }
    throw new Error(`The fixture has no file ${uri}.`);
  }

  #itemLine(item: PreviewItem): string {
    const namespace = item.namespace === undefined ? '' : `${item.namespace}/`;
    const via = item.via === undefined ? '' : ` via ${item.via}`;
    const reason = item.reason === undefined ? '' : `: ${item.reason}`;
    return `${relativePath(benchFolder, item.uri)} ${item.kind} ${namespace}${item.name}${via}${reason}${item.selector === undefined ? '' : `: ${item.selector}`}`;
  }

  #cursor(place: string): NamedSpan & { readonly offset: number } {
    const found = this.place(place);
    this.#open(found.file);
    return { ...found, offset: found.span.start };
  }

  #open(file: MarkedFile): string {
    const uri = this.uriOf(file.name);
    if (!this.session.workspace.isOpen(uri)) this.session.workspace.edit(uri, file.text);
    return uri;
  }

  #shorten(markdown: string): string {
    return markdown.replaceAll(`${benchFolder}/`, '');
  }
}
