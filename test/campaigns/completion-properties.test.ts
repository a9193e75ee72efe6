/** Tests that accepting any completion at any position keeps valid text valid, and changes no other line. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import type { Completion } from '../../server/src/features/completion/model.ts';
import type { Manifest } from '../../server/src/manifests/model.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { type Bench, bench } from '../harness/bench.ts';

const inJson = `{
  "apiVersion": "apps/v1",
  "kind": "Deployment",
  "metadata": { "name": "basket", "labels": { "app": "basket" } },
  "spec": {
    "selector": {
      "matchLabels": { "app": "basket" },
      "matchExpressions": [{ "key": "tier", "operator": "In", "values": ["front", "back"] }]
    },
    "template": {
      "metadata": { "labels": { "app": "basket", "tier": "front" } },
      "spec": { "nodeSelector": { "kubernetes.io/os": "linux" }, "containers": [] }
    }
  }
}
`;

const inFlow = `apiVersion: v1
kind: Service
metadata: {name: "🐋", namespace: sea, labels: {app: &a "whale", 'tier': front, }}
spec: {selector: {app: *a, "tier" : front}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: whales, labels: {} }
spec: { podSelector: { matchExpressions: [{key: tier, operator: In, values: [front, "on"]}, {key: app, operator: Exists}] } }
`;

const inBlock = `# What is indented by four
apiVersion: apps/v1
kind: Deployment
metadata:
    name: prices
    namespace: shop
    labels: &labels
        app: prices # a comment
        version: "1.10"
spec:
    selector:
        matchLabels: *labels
        matchExpressions:
          - key: tier
            operator: NotIn
            values:
              - 'yes'
    template:
        metadata:
            labels:
                <<: *labels
                tier: "no"
        spec:
            nodeSelector:
            affinity:
                podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      - topologyKey: kubernetes.io/hostname
                        namespaces: [shop]
                        labelSelector: {matchLabels: {app: prices}}
                nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms:
                          - matchExpressions:
                              - key: kubernetes.io/arch
                                operator: In
                                values: [amd64, "386"]
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Service
  metadata:
    name: prices
  spec:
    selector:
      app: prices

- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: prices}
  spec:
    selector:
`;

const shop = new URL('../../examples/shop/', import.meta.url);
const examples = readdirSync(shop).map((name) => [name, readFileSync(new URL(name, shop), 'utf8')] as const);
const files: readonly (readonly [name: string, text: string])[] = [
  ...examples,
  ['json.json', inJson],
  ['flow.yaml', inFlow],
  ['block.yaml', inBlock],
  ['crlf.yaml', inBlock.replaceAll('\n', '\r\n')],
];

const texts = new Map(files);

/** The last input of a user: nothing, an empty line, a dash, a letter, a comma. */
const typing = fc.constantFrom('', '', '\n', '\n+', '\n++', '\n-', 't', ' ', ', ', '"', '"t"', ' app');

describe('accepting a completion', () => {
  let b: Bench;

  before(async () => {
    b = await bench(files.map(([name, text]) => `==> ${name} <==\n${text.replaceAll('\r', '')}`).join('\n'));
  });

  it('preserves valid parts, and every other line', () => {
    let accepted = 0;
    const names = fc.constantFrom(...files.map(([name]) => name));
    fc.assert(
      fc.property(names, fc.nat(), typing, fc.nat(), (name, at, typed, which) => {
        const whole = texts.get(name) ?? '';
        const { text, offset } = typedInto(whole, placeIn(whole, at), typed);
        const uri = b.uriOf(name);
        b.session.workspace.edit(uri, text);
        const items = b.session.at(uri, offset, completion)?.items ?? [];
        const item = items[which % Math.max(1, items.length)];
        if (item === undefined) return;
        accepted++;
        check(text, offset, item);
      }),
      { numRuns: 3000 },
    );
    assert.ok(accepted > 300, `only ${accepted} completions were accepted`);
  });
});

const telling = /^.*(?:app|tier|track|key|values|operator|elector|match|labels|namespace|kubernetes|metadata).*$/gm;

/** A position, usually on a line with a label or selector. */
function placeIn(text: string, at: number): number {
  const lines = [...text.matchAll(telling)];
  const line = lines[at % (lines.length + 1)];
  return line === undefined ? at % (text.length + 1) : line.index + (at % (line[0].length + 1));
}

function typedInto(text: string, at: number, typed: string): { readonly text: string; readonly offset: number } {
  const lineEnd = text.includes('\r') ? '\r\n' : '\n';
  // A new line has the indentation of the previous one, or a deeper one.
  const line = text.lastIndexOf('\n', at - 1) + 1;
  const indent = /^ */.exec(text.slice(line))?.[0] ?? '';
  const deeper = ' '.repeat(2 * Math.max(0, typed.length - 1));
  const end = text.indexOf('\n', at);
  const place = typed.startsWith('\n') ? (end === -1 ? text.length : end - lineEnd.length + 1) : at;
  const added = typed.startsWith('\n') ? lineEnd + indent + (typed === '\n-' ? '- ' : deeper) : typed;
  return { text: text.slice(0, place) + added + text.slice(place), offset: place + added.length };
}

function check(text: string, offset: number, { edit, also = [], snippet, label }: Completion): void {
  assert.ok(edit.span.start <= offset && offset <= edit.span.end, 'the edit is at the cursor');
  assert.doesNotMatch(text.slice(edit.span.start, edit.span.end), /[\r\n]/);
  const before = readManifest(text, catalogue);
  for (const written of [edit.text, ...(snippet === undefined ? [] : [expanded(snippet)])]) {
    const after = applyEdits(text, [{ ...edit, text: written }, ...also]);
    const manifest = readManifest(after, catalogue);
    if (before.syntaxErrors === 0) {
      assert.equal(manifest.syntaxErrors, 0, `${label} breaks\n${after}`);
      assert.deepEqual(kindsOf(manifest), kindsOf(before), `${label} changes the objects of\n${after}`);
    }
    const [start, end] = [text.lastIndexOf('\n', edit.span.start - 1) + 1, text.indexOf('\n', edit.span.end)];
    assert.ok(after.startsWith(text.slice(0, start)));
    assert.ok(end === -1 || after.endsWith(text.slice(end)));
    if (text.includes('\r')) assert.doesNotMatch(after, /[^\r]\n/);
  }
}

/** The text of a snippet if nothing is typed at its stops: the first of the offered words. */
function expanded(snippet: string): string {
  return snippet.replace(
    /\$\{\d+\|([^,|]*)[^|]*\|\}|\$\d+|\\([\\$}])/g,
    (_, first, escaped) => first ?? escaped ?? 'x',
  );
}

function kindsOf({ objects }: Manifest): readonly string[] {
  return objects.map(({ kind }) => kind);
}
