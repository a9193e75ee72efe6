/**
 * A campaign over hostile names: no hover, completion, page or kubectl command contains one of their links, images or
 * shell words.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completion } from '../../server/src/features/completion/completion.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import {
  type HierarchyItem,
  hierarchyItem,
  objectOfItem,
  selectedBy,
  selects,
} from '../../server/src/features/navigation/call-hierarchy.ts';
import { explainObject } from '../../server/src/features/pages/explain-object.ts';
import { preview } from '../../server/src/features/pages/preview.ts';
import { type Part, type RichText, toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import { copiesAt } from '../../server/src/features/refactor/convert-selector.ts';
import type { FileView } from '../../server/src/features/view.ts';
import type { Preview } from '../../server/src/protocol.ts';
import { replaceControls } from '../../server/src/text/control-characters.ts';
import { type Bench, benchOver } from '../harness/bench.ts';
import { hostilePieces, renderMarkdown } from '../harness/rendered-markdown.ts';
import { campaignRuns } from './scale.ts';

const hostile = fc
  .array(fc.constantFrom(...hostilePieces, '-A', ';touch x', "'", '"', '$(touch x)'), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(''));

interface Words {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  readonly kind: string;
  readonly plural: string;
  readonly path: string;
}

const plain: Words = {
  name: 'web',
  namespace: 'shop',
  key: 'app',
  value: 'web',
  kind: 'Basket',
  plural: 'baskets',
  path: 'web',
};

/** One word of the workspace is hostile, or all are. */
const words: fc.Arbitrary<Words> = fc
  .tuple(fc.constantFrom(...keysOf(plain), 'all' as const), hostile)
  .map(([which, text]) => {
    if (which !== 'all') return { ...plain, [which]: text };
    return { name: text, namespace: text, key: text, value: text, kind: text, plural: text, path: text };
  });

function keysOf(all: Words): readonly (keyof Words)[] {
  // The keys of a literal are the keys of its type.
  return Object.keys(all) as (keyof Words)[];
}

/** JSON is YAML, and can contain every character. */
function workspace({ name, namespace, key, value, kind, plural, path }: Words): readonly [string, string][] {
  const labels = { [key]: value };
  const metadata = { name, namespace, labels };
  const peer = { namespaceSelector: { matchLabels: { [key]: value } }, podSelector: { matchLabels: labels } };
  const documents = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    { apiVersion: 'v1', kind: 'Pod', metadata },
    { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, labels: { ...labels, [`${key}x`]: `${value}x` } } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels } },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: {
        podSelector: { matchExpressions: [{ key, operator: 'In', values: [value] }] },
        ingress: [{ from: [peer] }],
      },
    },
    { apiVersion: 'shop.example.com/v1', kind, metadata, spec: { selector: { matchLabels: labels } } },
  ];
  const file = `${path.replace(/[/\0\uD800]/g, '_').slice(0, 80)}.yaml`;
  const selector = { path: 'spec.selector', form: 'labelSelector', targets: [{ group: 'shop.example.com', kind }] };
  return [
    [file, documents.map((document) => JSON.stringify(document)).join('\n---\n')],
    ['kustomization.yaml', JSON.stringify({ resources: [file], labels: [{ pairs: { [key]: value } }] })],
    [
      '.selector-lens.yaml',
      JSON.stringify({ catalogue: [{ group: 'shop.example.com', kind, plural, selectors: [selector] }] }),
    ],
  ];
}

/** A DNS label, which cannot be an option, and a word in single quotes or without a character that shells interpret. */
const safeCommand =
  /^kubectl get [a-z0-9][a-z0-9-]*(?: -A| -n [a-z0-9][a-z0-9-]*)? -l (?:'[^'\p{Cc}]*'|[A-Za-z0-9_./,:@%+=-]+)$/u;

describe('campaign: hostile names', () => {
  it('become no link, image or shell word', async () => {
    const seen = { texts: 0, commands: 0 };
    await fc.assert(
      fc.asyncProperty(words, async (hostileWords) => {
        const files = workspace(hostileWords).map(([name, text]) => ({ name, text, findings: [], places: new Map() }));
        const b = await benchOver(files);
        for (const file of b.files) checkFile(b, b.uriOf(file.name), file.text, seen);
      }),
      { numRuns: campaignRuns(5000) },
    );
    assert.ok(seen.texts > 0 && seen.commands > 0, 'nothing was checked');
  });
});

function checkFile({ session }: Bench, uri: string, text: string, seen: { texts: number; commands: number }): void {
  session.workspace.edit(uri, text);
  const view = session.fileView(uri);
  assert.ok(view !== undefined);
  // Every key and every value of JSON begins with a quote.
  for (const { index } of text.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    const offset = index + 1;
    const hovered = session.at(uri, offset, hover);
    if (hovered !== undefined) {
      seen.texts++;
      check(
        toMarkdown(hovered.text, {
          copy: 'selectorLens.copy',
          explain: 'selectorLens.explain',
          preview: 'selectorLens.preview',
        }),
        targets(hovered.text),
      );
    }
    for (const item of (session.at(uri, offset, completion)?.items ?? []).slice(0, 5))
      check(item.documentation?.() ?? '', []);
    for (const { title, text: copied } of copiesAt(view, offset)) {
      if (!title.includes('kubectl')) continue;
      seen.commands++;
      assert.match(copied, safeCommand);
    }
  }
  for (const { span } of view.file.manifest.objects) {
    const page = session.at(uri, span.start, explainObject);
    checkPage(page?.markdown ?? '');
    const item = hierarchyItem(view, view.file, span.start);
    const others = item === undefined ? [] : callsAround(view, item);
    checkPlain([page?.title, ...[item, ...others].flatMap((each) => [each?.name, each?.detail])]);
    checkPreview(preview(view, span.start));
  }
  for (const site of view.file.manifest.objects.flatMap(({ selectorSites }) => selectorSites))
    checkPreview(preview(view, site.keySpan.start));
}

/** Neighbors of an object in the hierarchy, found by its item, as an editor sends it back. */
function callsAround(view: FileView, { start, name }: HierarchyItem): readonly HierarchyItem[] {
  const object = objectOfItem(view.file, start, name);
  assert.ok(object !== undefined, name);
  const owner = { file: view.file, object };
  return [...selects(view, owner), ...selectedBy(view, owner)].map(({ item }) => item);
}

function checkPreview(shown: Preview | undefined): void {
  if (shown === undefined) return;
  const { selector, description, site, groups, problems } = shown;
  const items = groups.flatMap((group) => group.items);
  checkPlain([
    ...[selector, description, site?.owner, site?.path, ...problems],
    ...items.flatMap(({ group, kind, namespace, name, via, reason, ...item }) => {
      return [group, kind, namespace, name, via, reason, item.selector, ...Object.entries(item.labels).flat()];
    }),
  ]);
}

/** Checks plain text, in which nothing may have an effect. */
function checkPlain(texts: readonly (string | null | undefined)[]): void {
  for (const text of texts) if (typeof text === 'string') assert.equal(replaceControls(text), text);
}

/** The prefixes of the links in a text of ours. */
function targets(text: RichText): readonly string[] {
  const parts = text.flatMap((block): readonly Part[] => {
    if (block.kind === 'paragraph') return block.line;
    return block.kind === 'list' ? block.lines.flat() : block.kind === 'table' ? block.rows.flat(2) : [];
  });
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.kind === 'command') return [`command:selectorLens.${part.command}?`];
    return part.kind === 'link' ? ['file:///work/'] : [];
  });
}

/** Checks a page, whose links lead to files of the workspace. */
function checkPage(markdown: string): void {
  checkPlain(markdown.split('\n'));
  for (const { by, links, foreign } of renderMarkdown(markdown)) {
    assert.deepEqual(foreign, [], `${by} made an image or HTML of ${markdown}`);
    // A file of the workspace, or its path below the workspace folder: never a host, and never a folder above.
    for (const link of links)
      assert.match(link, /^(?:file:\/\/\/work\/|\/(?![/\\]))(?!(?:.*\/)?\.\.(?:\/|$))/, `${by}: ${link}`);
  }
}

function check(markdown: string, expected: readonly string[]): void {
  checkPlain(markdown.split('\n'));
  for (const { by, links, foreign } of renderMarkdown(markdown)) {
    assert.deepEqual(foreign, [], `${by} made an image or HTML of ${markdown}`);
    assert.equal(links.length, expected.length, `${by} made ${links} of ${markdown}`);
    for (const [index, link] of links.entries()) assert.ok(link.startsWith(expected[index] ?? ''), `${by}: ${link}`);
  }
}
