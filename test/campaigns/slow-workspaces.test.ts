/**
 * Tests requests about workspaces that are designed to be slow: the work is bounded, and omitted parts are reported.
 */

import assert from 'node:assert/strict';
import { documents, pod, policy, service } from '../../bench/growth-make.ts';
import { operations, type Subject, subjectOf } from '../../bench/growth-operations.ts';
import { type Files, shapes } from '../../bench/growth-shapes.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { rename } from '../../server/src/features/rename/rename.ts';
import { folder, Watched } from '../features/watched-problems.ts';

const shapeOf = (name: string, size: number): Files => {
  const shape = shapes.find((each) => each.name === name);
  assert.ok(shape, name);
  return shape.files(size);
};

/** The rules that report a file, each once. */
function rulesOf({ session, texts }: Subject, uri: string): readonly string[] {
  const file = session.snapshot().files.get(uri);
  assert.ok(file, uri);
  return [...new Set(session.check(file, () => texts.get(uri) ?? '').map(({ rule }) => rule))];
}

/** Policies with different selectors that all match all of the pods. */
const crowd = `${documents(450, (n) =>
  policy(`y${n}`, '').replace(
    '{matchLabels: {}}',
    `{matchExpressions: [{key: app, operator: In, values: [a, b${n}]}]}`,
  ),
)}---\n${documents(450, (n) => pod(`p${n}`, 'app: a'))}`;

describe('workspaces that take long to analyze', () => {
  it('leave out bases that double at every step, and report that', async () => {
    const { session, uri, texts } = await subjectOf(shapeOf('bases twice on bases', 40).toReversed());
    const folder = uri.slice(0, uri.lastIndexOf('/'));
    assert.equal(session.snapshot().unrendered(folder, session.catalogue), 'steps');
    assert.equal(session.snapshot().rendering(folder, session.catalogue), undefined);
    const file = session.snapshot().files.get(uri);
    assert.ok(file);
    const found = session.check(file, () => texts.get(uri) ?? '');
    assert.deepEqual(
      found.map(({ rule }) => rule),
      ['analysis-limit'],
    );
  });

  it('with fewer bases are built completely', async () => {
    const { session, uri } = await subjectOf(shapeOf('bases twice on bases', 5).toReversed());
    const built = session.snapshot().rendering(uri.slice(0, uri.lastIndexOf('/')), session.catalogue);
    assert.equal(built?.objects.length, 2 ** 5);
  });

  describe('support the rename of a label', () => {
    const renamed = async (name: string, size: number, place: string) => {
      const { session, uri, text } = await subjectOf(shapeOf(name, size));
      session.workspace.edit(uri, text);
      const view = session.fileView(uri);
      assert.ok(view);
      const result = rename(view, text.indexOf(place), 'b');
      assert.ok(result !== undefined);
      return 'refused' in result ? result.refused : [...result.edits.values()].flat().length;
    };

    it('of selectors and objects that all match, with few comparisons', async () => {
      assert.equal(await renamed('services that all match all pods', 1100, 'a}'), 2200);
    });

    it('of objects that have it through one alias, with few comparisons', async () => {
      assert.equal(await renamed('pods of a List with labels by an alias', 1100, 'app:'), 1);
    });

    it('unless too many selectors and objects have it', async () => {
      const refused =
        'too many selectors, objects and commands use this label to check all of them: rename it manually';
      assert.equal(await renamed('pods with node selectors, and nodes', 750, 'disk'), refused);
      assert.equal(await renamed('pods with node affinity, and nodes', 750, 'disk'), refused);
    });
  });

  it('list the first references of a label in thousands of commands, and reject its rename', async () => {
    const { session: opened, uri } = await subjectOf([['a.yaml', pod('p', 'app: a')]]);
    const text = pod('p', 'app: a');
    opened.workspace.edit(uri, text);
    for (const name of ['b.sh', 'c.sh'])
      opened.workspace.edit(`file:///work/${name}`, 'kubectl get pods -l app=a\n'.repeat(6000));
    const view = opened.fileView(uri);
    assert.ok(view);
    const offset = text.indexOf('app: a') + 5;
    const found = references(view, offset);
    assert.equal(found.length, 1001);
    assert.deepEqual(new Set(found.map(({ file }) => file.uri)), new Set([uri, 'file:///work/b.sh']));
    assert.match(JSON.stringify(rename(view, offset, 'b')), /^\{"refused":"too many/);
    opened.workspace.edit('file:///work/c.sh', 'kubectl get pods -l app=a\n');
    const fewer = opened.fileView(uri);
    const renamed = fewer && rename(fewer, offset, 'b');
    assert.ok(renamed !== undefined && 'edits' in renamed);
    assert.equal([...renamed.edits.values()].flat().length, 6002);
  });

  it('compare equal selectors once', async () => {
    const { session, uri, text } = await subjectOf(shapeOf('services that all match all pods', 700));
    session.workspace.edit(uri, text);
    assert.deepEqual(
      session.findings(uri).map(({ rule }) => rule),
      [],
    );
  });

  it('limit the comparisons of different selectors', async () => {
    const { session, uri, text } = await subjectOf([['a.yaml', crowd]]);
    session.workspace.edit(uri, text);
    assert.ok(session.findings(uri).some(({ rule }) => rule === 'analysis-limit'));
  });

  it('report all of a thousand misspelled selectors', async () => {
    const pairs = documents(
      1_000,
      (n) => `${service(`s${n}`, `app: shop-${n}-baskets`)}---\n${pod(`p${n}`, `app: shop-${n}-basket`)}`,
    );
    const { session, uri, texts } = await subjectOf([['a.yaml', pairs]]);
    const file = session.snapshot().files.get(uri);
    assert.ok(file);
    const rules = session.check(file, () => texts.get(uri) ?? '').map(({ rule }) => rule);
    assert.equal(rules.length, 1_000);
    assert.ok(rules.every((rule) => rule === 'selects-nothing'));
  });

  it('report no selector that was left out', async () => {
    const pair = `${service('last', 'app: webshop')}---\n${pod('one', 'app: webshop')}---\n${pod('other', 'app: webshpo')}`;
    const subject = await subjectOf([['a.yaml', `${crowd}---\n${pair}`]]);
    subject.session.workspace.edit(subject.uri, subject.text);
    const found = subject.session.findings(subject.uri);
    assert.ok(found.some(({ rule }) => rule === 'analysis-limit'));
    assert.ok(found.every(({ span }) => span.start < subject.text.indexOf('name: last')));
  });

  it('have equal findings after requests that made the same comparisons', async () => {
    const subject = await subjectOf([['a.yaml', crowd]]);
    subject.session.workspace.edit(subject.uri, subject.text);
    const view = subject.session.fileView(subject.uri);
    assert.ok(view);
    for (const lens of lenses(view)) lensText(view, lens);
    assert.deepEqual(rulesOf(subject, subject.uri), ['analysis-limit']);
  });

  it('leave out a selector that is too large, and report that', async () => {
    const numbers = Array.from({ length: 5_000 }, (_, n) => `v${n}`);
    const expression = `{matchExpressions: [{key: app, operator: In, values: [${numbers}]}]}`;
    const subject = await subjectOf([['a.yaml', policy('large', '').replace('{matchLabels: {}}', expression)]]);
    assert.deepEqual(rulesOf(subject, subject.uri), ['analysis-limit']);
  });

  it('analyze files of too many overlays as written, and report that', async () => {
    const subject = await subjectOf(shapeOf('roots that share all bases', 150));
    assert.deepEqual(rulesOf(subject, 'file:///work/b0/a.yaml'), ['analysis-limit']);
    // A limit is reported once for each scope.
    assert.deepEqual(rulesOf(subject, 'file:///work/b0/kustomization.yaml'), []);
    assert.equal(subject.session.snapshot().renderingCount(), 0);
    assert.deepEqual(rulesOf(subject, 'file:///work/r0/kustomization.yaml'), []);
    const smaller = await subjectOf(shapeOf('roots that share all bases', 20));
    assert.deepEqual(rulesOf(smaller, 'file:///work/b0/a.yaml'), []);
    assert.equal(smaller.session.snapshot().renderingCount(), 20);
  });

  it('compare no letters of labels with long lists of values', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, n) => `webshop${n}`);
    const text = (count: number) =>
      `${policy('y', '').replace('{matchLabels: {}}', `{matchExpressions: [{key: app, operator: In, values: [${values(count)}]}]}`)}---\n${pod('p', 'app: webshpo7')}`;
    for (const [count, isCompared] of [
      [20, true],
      [21, false],
    ] as const) {
      const subject = await subjectOf([['a.yaml', text(count)]]);
      const file = subject.session.snapshot().files.get(subject.uri);
      assert.ok(file);
      const messages = subject.session.check(file, () => subject.text).map(({ message }) => message);
      assert.equal(
        messages.some((message) => message.includes('webshpo7')),
        isCompared,
        messages.join('; '),
      );
    }
  });

  it('limit the comparisons of commands with values', async () => {
    const { session, uri, text } = await subjectOf(shapeOf('commands with values that no object has', 500));
    session.workspace.edit(uri, text);
    assert.deepEqual(
      session.findings(uri).map(({ rule }) => rule),
      ['analysis-limit'],
    );
    const end = text.indexOf('\n');
    const { items = [], incomplete } = session.at(uri, end, completion) ?? {};
    assert.equal(items.length, 200);
    assert.equal(incomplete, true);
  });

  it('look up the objects of a label once for all commands', async () => {
    const { session, uri, text } = await subjectOf(shapeOf('commands in comments of objects', 700));
    session.workspace.edit(uri, text);
    const snapshot = session.snapshot();
    const [first, second] = [1, 2].map(() => snapshot.carrying('app', 'webshop'));
    assert.ok(first === second);
    assert.equal(session.findings(uri).filter(({ rule }) => rule === 'selects-nothing').length, 700);
  });

  it('do not read a binary file that an editor shows as text', async () => {
    const { session } = await subjectOf([['a.yaml', pod('p', 'app: a')]]);
    session.workspace.edit('file:///work/b.yaml', `\0${pod('p', 'app: b')}`);
    assert.deepEqual(session.workspace.skipped(), [{ uri: 'file:///work/b.yaml', reason: 'it is not text' }]);
    assert.equal(session.snapshot().carrying('app').length, 1);
  });

  it('check an unchanged file once for all code actions', async () => {
    const { session, uri, text } = await subjectOf([...shapeOf('bad labels in one object', 10), ['b.yaml', 'a: b\n']]);
    session.workspace.edit(uri, text);
    const findings = session.findings(uri);
    assert.equal(session.findings(uri), findings);
    session.workspace.edit('file:///work/b.yaml', 'a: c\n');
    assert.notEqual(session.findings(uri), findings);
    session.choose({ typing: true });
    assert.notEqual(session.findings(uri), session.findings('file:///work/b.yaml'));
  });

  describe('of many files in one scope', () => {
    const crowd = shapeOf('services that all match all pods, a file each', 720);
    const few = `${service('few', 'team: b')}---\n${pod('one', 'team: b, app.kubernetes.io/name: x')}---\n${pod('two', 'team: b, app.kubernetes.io/name: z')}`;

    it('limit the comparisons, in any order and after any edits', async () => {
      const subject = await subjectOf([...crowd, ['few.yaml', few]]);
      const inOrder = new Map([...subject.texts.keys()].map((uri) => [uri, rulesOf(subject, uri)]));
      assert.deepEqual(inOrder.get('file:///work/s0.yaml'), []);
      assert.deepEqual(inOrder.get('file:///work/p0.yaml'), []);
      assert.deepEqual(inOrder.get('file:///work/few.yaml'), ['analysis-limit', 'selects-too-much']);
      subject.session.workspace.edit('file:///work/p1.yaml', pod('p1', 'app: b'));
      assert.deepEqual(rulesOf(subject, 'file:///work/few.yaml'), ['analysis-limit', 'selects-too-much']);
      subject.session.workspace.edit('file:///work/p1.yaml', pod('p1', 'app: a'));
      const reversed = [...subject.texts.keys()].toReversed().map((uri) => [uri, rulesOf(subject, uri)] as const);
      assert.deepEqual(new Map(reversed.toReversed()), inOrder);
    });

    it('are compared completely if all of them are few', async () => {
      const subject = await subjectOf([...crowd.slice(0, 300), ...crowd.slice(720, 1020)]);
      assert.ok([...subject.texts.keys()].every((uri) => rulesOf(subject, uri).length === 0));
    });

    it('are compared if they match few objects in the scope, however many elsewhere', async () => {
      const others = documents(1001, (n) => pod(`x${n}`, 'app: x'));
      const own = documents(719, (n) => pod(`p${n}`, 'app: a'));
      const services = (file: number) => documents(16, (n) => service(`s${file}-${n}`, 'app: x'));
      const subject = await subjectOf([
        ['a/others/x.yaml', others],
        ['b/own/p.yaml', `${own}---\n${pod('x', 'app: x')}`],
        ...Array.from({ length: 45 }, (_, file): Files[number] => [`b/own/s${file}.yaml`, services(file)]),
      ]);
      assert.ok(!rulesOf(subject, 'file:///work/b/own/s0.yaml').includes('analysis-limit'));
    });

    it('are compared again when an edit reduces them', async () => {
      const policies = documents(720, (n) => policy(`y${n}`, 'app: a'));
      const many = crowd.slice(720);
      const files: Files = [...many, ['y.yaml', policies], ['s.yaml', service('s', 'app: a')]];
      const watched = await new Watched(files.map(([path, text]) => [`${folder}/${path}`, text])).load();
      const rules = async () => (await watched.run()).get(`${folder}/s.yaml`)?.map((each) => each.split(' ')[1]) ?? [];
      assert.deepEqual(await rules(), ['analysis-limit']);
      const fewer = policies.replaceAll('{matchLabels: {app: a}}', '{matchLabels: {x: "1"}}');
      await watched.write(`${folder}/y.yaml`, fewer);
      await watched.run();
      assert.ok(watched.checked.includes(`${folder}/s.yaml`));
      assert.deepEqual(watched.found, watched.ofOpenFiles());
    });
  });

  it('leave out a document whose aliases multiply labels and objects, and report that', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `k${n}: v`).join(', ');
    const pods = '- {apiVersion: v1, kind: Pod, metadata: {name: a, labels: *big}}\n'.repeat(1_000);
    const text = `kind: List\napiVersion: v1\nx: &big {${keys}}\nitems:\n${pods}`;
    const session = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {app: a}}\n';
    const subject = await subjectOf([
      ['a.yaml', text],
      ['b.yaml', session],
    ]);
    for (const [uri, expected] of [...subject.texts.keys()].map(
      (uri, at) => [uri, [['analysis-limit'], []][at]] as const,
    )) {
      const file = subject.session.snapshot().files.get(uri);
      assert.ok(file);
      const found = subject.session.check(file, () => subject.texts.get(uri) ?? '');
      assert.deepEqual(
        found.map(({ rule }) => rule),
        expected,
      );
    }
  });

  it('have a result for every request of every shape', async () => {
    for (const shape of shapes) {
      const subject = await subjectOf(shape.files(3));
      for (const [name, run] of operations) assert.doesNotThrow(() => run(subject), `${name}: ${shape.name}`);
    }
  });
});
