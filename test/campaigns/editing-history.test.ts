/** A campaign of 10,000 edits in 2,000 files: all results equal those of a fresh server, in the same order. */

import assert from 'node:assert/strict';
import { generateFiles, type Random, randomNumbers } from '../../bench/generate-workspace.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { Session } from '../../server/src/session.ts';
import { type Answers, answersAbout, answersAboutAll } from '../harness/answers.ts';
import { benchFolder, storyDay, TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { campaignRuns } from './scale.ts';

/** Files of kinds that the generator does not create. */
const special: Readonly<Record<string, string>> = {
  '.selector-lens.yaml':
    'scopes:\n  - {name: plain, files: [plain/**], namespace: shop}\nrules: {label-key-style: warning}\n',
  'plain/a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: basket}\n',
  'plain/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: b, labels: {app: basket, tier: cache}}\n',
  'plain/c.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: c, labels: {app: baskets}}\n',
  'loose/a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: basket}\n',
  'loose/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: b, labels: {app: basket}}\n',
  'loose/deep/c.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: c, labels: {app: basket}}\n',
  'namespaces.yaml':
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: bank, labels: {team: b}}\n',
  'policy.yaml':
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p, namespace: shop}\nspec:\n  podSelector: {matchLabels: {app: basket}}\n  ingress: [{from: [{namespaceSelector: {matchLabels: {team: a}}}]}]\n',
  'crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.org}\nspec:\n  group: example.org\n  names: {kind: Thing, plural: things}\n  scope: Namespaced\n  versions:\n    - name: v1\n      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}}}}}}}}\n',
  'thing.yaml':
    'apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: t, namespace: shop}\nspec:\n  selector: {matchLabels: {app: basket}}\n',
};

describe('campaign: the history of edits', () => {
  it('does not affect any answer', async () => {
    const files = [
      ...generateFiles(Math.max(campaignRuns(2_000), 120)),
      ...Object.entries(special).map(([path, text]) => ({ path, text })),
    ];
    const world = new History(files.map(({ path, text }) => [`${benchFolder}/${path}`, text]));
    await world.start();
    const edits = campaignRuns(10_000);
    for (let edit = 1; edit <= edits; edit++) {
      await world.change();
      if (edit % Math.ceil(edits / 10) === 0) await world.compare(edit);
    }
  }).timeout(3_600_000);
});

/** A service with a history, and the current files. */
class History {
  readonly #original: readonly (readonly [uri: string, text: string])[];
  readonly #source: MemoryFiles;
  readonly #open = new Map<string, string>();
  readonly #random: Random = randomNumbers(20260615);
  #session = newSession();

  constructor(files: readonly (readonly [uri: string, text: string])[]) {
    this.#original = files;
    this.#source = new MemoryFiles(files);
  }

  async start(): Promise<void> {
    this.#session = await loaded(this.#source);
  }

  /** One change by a user or a program. */
  async change(): Promise<void> {
    const random = this.#random;
    const uri = this.#pick([...this.#source.texts.keys()]);
    const [original = uri, text = ''] = this.#original[random(this.#original.length)] ?? [];
    switch (random(10)) {
      case 0:
        return this.#disk(uri, undefined);
      case 1:
        return this.#disk(original, text);
      case 2: {
        const moved = uri.replace(/\/([^/]*)$/, (_, name) => `/${random(3) === 0 ? 'moved/' : ''}x${name}`);
        const kept = this.#source.texts.get(uri);
        await this.#disk(uri, undefined);
        return this.#disk(moved.length > 200 ? uri : moved, kept);
      }
      case 3:
        return this.#disk(uri, this.#edited(this.#source.texts.get(uri) ?? ''));
      case 4:
        if (this.#open.size > 0) return this.#close(this.#pick([...this.#open.keys()]));
        break;
    }
    // Most changes are typed.
    const typed = this.#open.size > 4 ? this.#pick([...this.#open.keys()]) : uri;
    const now = this.#open.get(typed) ?? this.#source.texts.get(typed) ?? '';
    const after = this.#edited(now);
    this.#open.set(typed, after);
    this.#session.workspace.edit(typed, after);
    // Requests between edits fill caches.
    this.#session.findings(typed);
    this.#session.at(typed, random(after.length + 1), hover);
  }

  async #close(uri: string): Promise<void> {
    const text = this.#open.get(uri);
    this.#open.delete(uri);
    if (this.#random(2) === 0) this.#source.texts.set(uri, text ?? '');
    this.#session.workspace.close(uri);
    await this.#session.workspace.refresh(this.#source, [{ uri, gone: !this.#source.texts.has(uri) }]);
  }

  async #disk(uri: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.#source.texts.delete(uri);
    else this.#source.texts.set(uri, text);
    await this.#session.workspace.refresh(this.#source, [{ uri, gone: text === undefined }]);
  }

  /** Another label, an incomplete line, a deleted or duplicated line, or the original file. */
  #edited(text: string): string {
    const random = this.#random;
    const lines = text.split('\n');
    const at = random(lines.length);
    const line = lines[at] ?? '';
    switch (random(6)) {
      case 0:
        return [...lines.slice(0, at), line.slice(0, random(line.length + 1)), ...lines.slice(at + 1)].join('\n');
      case 1:
        return [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n');
      case 2:
        return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
      case 3:
        return text.replace(/app: [a-z-]+/, `app: ${this.#pick(['basket', 'baskets', 'web'])}`);
      case 4:
        return `${text}---\napiVersion: v1\nkind: Pod\nmetadata: {name: n${random(5)}, labels: {app: ${this.#pick(['basket', 'web'])}}}\n`;
      default:
        return text.replace(/name: ([a-z-]+)/, (_, name: string) => `name: ${name.slice(0, 20)}${random(3)}`);
    }
  }

  /** All current results, and those of a service that has seen only the current files. */
  async compare(edit: number): Promise<void> {
    // An editor refreshes when a typed definition or configuration changes how other files are parsed.
    if (this.#session.workspace.isBehind) await this.#session.workspace.refresh(this.#source, []);
    // The files of a disk have no history either.
    const fresh = await loaded(new MemoryFiles([...this.#source.texts].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    for (const [uri, text] of this.#open) fresh.workspace.edit(uri, text);
    if (fresh.workspace.isBehind) await fresh.workspace.refresh(this.#source, []);
    const textOf = (uri: string) => this.#open.get(uri) ?? this.#source.texts.get(uri) ?? '';
    same(answersAboutAll(this.#session, textOf), answersAboutAll(fresh, textOf), edit);
    for (const uri of [...this.#open.keys()].slice(0, 6)) {
      const places = this.#places(textOf(uri));
      same(answersAbout(this.#session, uri, places), answersAbout(fresh, uri, places), edit);
    }
  }

  /** Labels, selectors and names, about which requests have results. */
  #places(text: string): readonly number[] {
    const cursorTargets = [
      ...text.matchAll(/(?:app|tier|team|selector|matchLabels|podSelector|name|namespace|kind)\b:? *(\w?)/g),
    ];
    return Array.from({ length: Math.min(8, cursorTargets.length) }, () => {
      const cursorTarget = cursorTargets[this.#random(cursorTargets.length)];
      return cursorTarget === undefined ? 0 : cursorTarget.index + this.#random(cursorTarget[0].length + 1);
    });
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#random(all.length)] as T; // none of the lists is empty
  }
}

function newSession(): Session {
  return new Session({ catalogue, log: new TestLog(), clock: { today: () => storyDay, after: () => () => undefined } });
}

async function loaded(source: MemoryFiles): Promise<Session> {
  const session = newSession();
  await session.workspace.load(
    source,
    [benchFolder],
    () => undefined,
    () => false,
  );
  return session;
}

/** Fails with the first line that differs, and the number of others. */
function same(actual: Answers, expected: Answers, edit: number): void {
  const different = [...expected].filter(([what, answer]) => actual.get(what) !== answer);
  const [first] = different;
  if (first !== undefined) {
    const [what, answer] = first;
    const [mine = [], theirs = []] = [actual.get(what)?.split('\n'), answer.split('\n')];
    const line = theirs.findIndex((each, number) => each !== mine[number]);
    const at = line === -1 ? theirs.length : line;
    const around = (lines: readonly string[]) => lines.slice(Math.max(0, at - 8), at + 4).join('\n');
    assert.equal(around(mine), around(theirs), `${different.map(([each]) => each).join(', ')}, after ${edit} changes`);
  }
  assert.deepEqual([...actual.keys()].toSorted(), [...expected.keys()].toSorted());
}
