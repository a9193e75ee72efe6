/** Requests about workspaces made to take time: the work is bounded, and the answer says what was left out. */

import assert from 'node:assert/strict';
import { operations, subjectOf } from '../../bench/growth-operations.ts';
import { type Files, shapes } from '../../bench/growth-shapes.ts';
import { rename } from '../../server/src/features/rename/rename.ts';
import { maximumResources } from '../../server/src/workspace/kustomize/build.ts';

const shapeOf = (name: string, size: number): Files => {
  const shape = shapes.find((each) => each.name === name);
  assert.ok(shape, name);
  return shape.files(size);
};

describe('workspaces made to take time', () => {
  it('have bases that double at every step built in part, and say so', async () => {
    const { session, uri, texts } = await subjectOf(shapeOf('bases twice on bases', 40).toReversed());
    const built = session.snapshot().rendering(uri.slice(0, uri.lastIndexOf('/')), session.catalogue);
    assert.equal(built?.isCut, true);
    assert.ok(built.objects.length < maximumResources);
    const file = session.snapshot().files.get(uri);
    assert.ok(file);
    const found = session.check(file, () => texts.get(uri) ?? '');
    assert.deepEqual(
      found.map(({ rule }) => rule),
      ['analysis-limit'],
    );
  });

  it('with fewer bases are built whole', async () => {
    const { session, uri } = await subjectOf(shapeOf('bases twice on bases', 5).toReversed());
    const built = session.snapshot().rendering(uri.slice(0, uri.lastIndexOf('/')), session.catalogue);
    assert.equal(built?.isCut, false);
    assert.equal(built.objects.length, 2 ** 5);
  });

  it('refuse to rename a label that too many selectors and objects have', async () => {
    const subject = await subjectOf(shapeOf('services that all match all pods', 1100));
    const { session, uri, text } = subject;
    session.workspace.edit(uri, text);
    const view = session.fileView(uri);
    assert.ok(view);
    assert.deepEqual(rename(view, text.indexOf('app: a') + 5, 'b'), {
      refused: 'too many selectors and objects have this label to compare all of them: rename it by hand',
    });
  });

  it('have equal selectors compared once', async () => {
    const { session, uri, text } = await subjectOf(shapeOf('services that all match all pods', 700));
    session.workspace.edit(uri, text);
    assert.deepEqual(
      session.findings(uri).map(({ rule }) => rule),
      [],
    );
  });

  it('have different selectors compared only so far', async () => {
    const { session, uri, text } = await subjectOf(shapeOf('services that match nothing, pods with other values', 700));
    session.workspace.edit(uri, text);
    assert.ok(session.findings(uri).some(({ rule }) => rule === 'analysis-limit'));
  });

  it('have a document left out whose aliases make labels times objects, and say so', async () => {
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

  it('answer every request of every shape', async () => {
    for (const shape of shapes) {
      const subject = await subjectOf(shape.files(3));
      for (const [name, run] of operations) assert.doesNotThrow(() => run(subject), `${name}: ${shape.name}`);
    }
  }).timeout(60_000);
});
