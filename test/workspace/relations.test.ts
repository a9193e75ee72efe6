/** Tests which files are applied together with a selector, and which are elsewhere, alternatives or without objects. */

import assert from 'node:assert/strict';
import { preview } from '../../server/src/features/pages/preview.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const session = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {app: web}\n  #  ^ here\n';
const pod = (name: string) => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, labels: {app: web}}}\n`;

/** The matches of the Service at `here`, in a workspace of these files. */
async function selected(files: Readonly<Record<string, string>>): Promise<string> {
  const fixture = Object.entries(files).map(([name, text]) => `==> ${name} <==\n${text}`);
  const b = await bench(fixture.join(''));
  return b.preview('here').split('\n').slice(1).join('\n') || 'nothing';
}

describe('a folder of plain manifests', () => {
  it('is one scope with its subfolders; separate folders are elsewhere', async () => {
    assert.equal(
      await selected({
        'shop/service.yaml': session,
        'shop/pods/a.yaml': pod('a'),
        'shop/pods/deep/b.yaml': pod('b'),
        'docs/examples/c.yaml': pod('c'),
      }),
      lines(`
        matches:
          shop/pods/a.yaml Pod a
          shop/pods/deep/b.yaml Pod b
        elsewhere:
          docs/examples/c.yaml Pod c
      `),
    );
  });

  it('that repeats an identity in prod and staging has variants', async () => {
    assert.equal(
      await selected({
        'shared.yaml': pod('shared'),
        'prod/service.yaml': session,
        'prod/a.yaml': pod('a'),
        'staging/service.yaml': session.replace('  #  ^ here\n', ''),
        'staging/a.yaml': pod('a'),
        'staging/b.yaml': pod('b'),
      }),
      'matches:\n  prod/a.yaml Pod a\n  shared.yaml Pod shared',
    );
  });

  it('that repeats an identity in two of its files has variants', async () => {
    assert.equal(
      await selected({
        'plain.yaml': `${session}---\n${pod('a')}`,
        'tls.yaml': `${session.replace('  #  ^ here\n', '')}---\n${pod('b')}`,
      }),
      'matches:\n  plain.yaml Pod a',
    );
  });
});

describe('a kustomization', () => {
  it('contains what it builds; another root is elsewhere', async () => {
    assert.equal(
      await selected({
        'prod/kustomization.yaml': 'resources: [../base, own.yaml]\n',
        'prod/own.yaml': session,
        'base/kustomization.yaml': 'resources: [a.yaml]\n',
        'base/a.yaml': pod('a'),
        'base/forgotten.yaml': pod('forgotten'),
        'other/kustomization.yaml': 'resources: [c.yaml]\n',
        'other/c.yaml': pod('c'),
      }),
      lines(`
        matches:
          base/a.yaml Pod a
        elsewhere:
          base/forgotten.yaml Pod forgotten
          other/c.yaml Pod c
      `),
    );
  });

  it('that shares a base with another is an alternative of it', async () => {
    assert.equal(
      await selected({
        'base/kustomization.yaml': 'resources: [base.yaml]\n',
        'base/base.yaml': pod('base'),
        'prod/kustomization.yaml': 'resources: [../base, service.yaml]\n',
        'prod/service.yaml': session,
        'staging/kustomization.yaml': 'resources: [../base, staging.yaml]\n',
        'staging/staging.yaml': pod('staging'),
      }),
      'matches:\n  base/base.yaml Pod base',
    );
  });

  it('has patches that are not objects', async () => {
    assert.equal(
      await selected({
        'kustomization.yaml': 'resources: [service.yaml, a.yaml]\npatches: [{path: patch.yaml}]\n',
        'service.yaml': session,
        'a.yaml': pod('a'),
        'patch.yaml': pod('patched'),
      }),
      'matches:\n  a.yaml Pod a',
    );
  });

  it('includes a component, which is no separate scope', async () => {
    assert.equal(
      await selected({
        'app/kustomization.yaml': 'resources: [service.yaml]\ncomponents: [../extra/]\n',
        'app/service.yaml': session,
        'extra/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [a.yaml]\n',
        'extra/a.yaml': pod('a'),
      }),
      'matches:\n  extra/a.yaml Pod a',
    );
  });
});

describe('a chart', () => {
  it('is one scope with its subcharts', async () => {
    assert.equal(
      await selected({
        'chart/Chart.yaml': 'apiVersion: v2\nname: shop\n',
        'chart/templates/service.yaml': session,
        'chart/templates/a.yaml': pod('a'),
        'chart/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\n',
        'chart/charts/cache/templates/b.yaml': pod('b'),
        'elsewhere/c.yaml': pod('c'),
      }),
      lines(`
        matches:
          chart/charts/cache/templates/b.yaml Pod b
          chart/templates/a.yaml Pod a
        elsewhere:
          elsewhere/c.yaml Pod c
      `),
    );
  });
});

describe('configuration that is no object of the cluster', () => {
  it('is never matched', async () => {
    assert.equal(
      await selected({
        'service.yaml': session,
        'kind.yaml': 'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nmetadata: {labels: {app: web}}\n',
        'list.yaml': `apiVersion: v1\nkind: List\nmetadata: {labels: {app: web}}\nitems:\n- ${pod('item')}`,
      }),
      'matches:\n  list.yaml Pod item',
    );
  });
});

describe('matches', () => {
  it('are sorted, the nearest first', async () => {
    const b = await bench(
      Object.entries({
        'a/b/c/far.yaml': pod('far'),
        'a/b/near.yaml': pod('near'),
        'a/b/service.yaml': `${session}---\n${pod('same')}`,
        'a/up.yaml': pod('up'),
      })
        .map(([name, text]) => `==> ${name} <==\n${text}`)
        .join(''),
    );
    const { file, uri, span } = b.place('here');
    b.session.workspace.edit(uri, file.text);
    const [group] = b.session.at(uri, span.start, preview)?.groups ?? [];
    assert.deepEqual(
      group?.items.map((item) => item.name),
      ['same', 'near', 'far', 'up'],
    );
  });
});
