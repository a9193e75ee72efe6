/** Applies every offered fix to real manifests, and compares the data before and after with another parser. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, isSeq, type ParsedNode, parseAllDocuments } from 'yaml';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Session } from '../../server/src/session.ts';
import { applyEdits, type Edit } from '../../server/src/text/edit.ts';
import { type Corpus, describeCorpora, own, sources } from './corpus.ts';

/** A scalar that is no key, with its position, and the keys around it. */
interface Leaf {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly path: string;
}

interface Read {
  readonly leaves: readonly Leaf[];
  readonly errors: number;
}

/** Parses YAML without template actions. */
function readYaml(text: string): Read {
  const leaves: Leaf[] = [];
  let errors = 0;
  for (const document of parseAllDocuments(text, { version: '1.1', uniqueKeys: false, merge: true })) {
    if ('empty' in document) continue;
    errors += document.errors.length;
    const visit = (node: ParsedNode | null, path: string): void => {
      if (isMap<ParsedNode, ParsedNode | null>(node))
        for (const { key, value } of node.items) visit(value, `${path}\n${isScalar(key) ? String(key.value) : '?'}`);
      else if (isSeq<ParsedNode>(node)) for (const item of node.items) visit(item, `${path}[]`);
      else if (isScalar(node) && node.range)
        leaves.push({ start: node.range[0], end: node.range[1], value: JSON.stringify(node.value), path });
    };
    visit(document.contents, '');
  }
  return { leaves, errors };
}

/** The problem that edits cause; undefined if they change only what they edit. */
function problemOf(text: string, edits: readonly Edit[]): string | undefined {
  const after = applyEdits(text, edits);
  const actions = (each: string) => (each.match(/\{\{[\s\S]*?\}\}/g) ?? []).length;
  if (actions(text) !== actions(after)) return 'it adds or removes a template action';
  if (text.includes('{{')) return undefined;
  if (isJson(text) && !isJson(after)) return 'the result is not JSON';
  const [old, fresh] = [readYaml(text), readYaml(after)];
  if (fresh.errors > old.errors) return 'the result is not YAML';
  const byStart = new Map(fresh.leaves.map((leaf) => [leaf.start, leaf]));
  for (const leaf of old.leaves) {
    if (edits.some(({ span }) => span.start <= leaf.end && leaf.start <= span.end)) continue;
    const before = edits.filter(({ span }) => span.end <= leaf.start);
    const start = leaf.start + before.reduce((sum, { span, text }) => sum + text.length - (span.end - span.start), 0);
    const found = byStart.get(start);
    const isSame = found?.value === leaf.value && depthOf(found) === depthOf(leaf);
    if (!isSame) return `it changes ${leaf.path} from ${leaf.value} to ${found?.path} ${found?.value}`;
  }
  return undefined;
}

function depthOf({ path }: Leaf): number {
  return path.split('\n').length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describeCorpora('every fix', changeOnlyTheirParts);

const gitops = fileURLToPath(new URL('../../../shared/gitops-corpus', import.meta.url));
if (existsSync(gitops)) describe('every fix (GitOps corpus)', () => changeOnlyTheirParts({ ...own, folder: gitops }));

function changeOnlyTheirParts(corpus: Pick<Corpus, 'folder'>): void {
  let count = 0;
  for (const name of sources({ ...own, ...corpus }))
    it(`changes only what it edits in ${name}`, async () => {
      const session = new Session({ catalogue, log: { info() {}, warn() {}, bug() {} } });
      await session.workspace.load(
        diskFiles(),
        [fileUri(join(corpus.folder, name))],
        () => {},
        () => false,
      );
      const textOf = (uri: string) => readFileSync(fileURLToPath(uri), 'utf8').replace(/^\uFEFF/, '');
      for (const file of session.snapshot().files.values()) {
        if (!file.uri.startsWith('file:')) continue;
        for (const finding of session.check(file, () => textOf(file.uri)))
          for (const fix of finding.fixes()) {
            count++;
            for (const [uri, edits] of [[file.uri, fix.edits] as const, ...(fix.elsewhere ?? [])]) {
              const problem = /\.(?:ya?ml|json)$/.test(uri) ? problemOf(textOf(uri), edits) : undefined;
              assert.equal(problem, undefined, `${fix.title} in ${uri}`);
            }
          }
      }
    });

  after(() => {
    assert.ok(count > 0, 'there must be fixes');
  });
}
