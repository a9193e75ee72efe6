/** Tests the severity of findings in tests, documentation and archived manifests. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const wrong = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Wrong_Name}\n';

async function severityIn(path: string, config = ''): Promise<string | undefined> {
  const b = await bench(`==> .selector-lens.yaml <==\n${config}\n==> ${path} <==\n${wrong}`);
  return b.findings(path).find(({ rule }) => rule === 'name-syntax')?.severity;
}

describe('a finding in test data', () => {
  it('is at most information', async () => {
    for (const path of [
      'testdata/a.yaml',
      'pkg/testdata/one/a.yaml',
      'fixtures/a.yaml',
      'shop/test_files/one/a.yaml',
      'ui/__snapshots__/a.yaml',
      '.kyverno-test/a.yaml',
      'ci/.helm-tests/shop/a.yaml',
      'test/shop/baseline/manifests/a.yaml',
      'tests/golden/a.yaml',
      'shop/src/test/resources/a.yaml',
      'src/integrationTest/a.yaml',
      'test/helm/shop/defaults.out.yaml',
      'e2e/shop/00-assert.yaml',
      'e2e/shop/01-basket-assert.yaml',
      'e2e/shop/01-assert-basket.yaml',
      'e2e/shop/02-errors.yaml',
      'e2e/shop/basket-assert.yaml',
      'e2e/shop/chainsaw-test.yaml',
      'shop/e2e/a.yaml',
      'tests/a.yaml',
      'test/conformance/a.yaml',
      'hack/kind/a.yaml',
      'design/assets/a.yaml',
      'docs/snippets/a.yaml',
      'clusters/archive/shop/a.yaml',
      '.archive/a.yaml',
      '_archived/a.yaml',
      'vendor/example.org/lib/a.yaml',
      'examples/shop/proposal/a.yaml',
    ])
      assert.equal(await severityIn(path), 'information', path);
    for (const path of [
      'a.yaml',
      'testdata.yaml',
      'testdata-of-shop/a.yaml',
      'test/a.yaml',
      'test/shop/a.yaml',
      'clusters/test/output/a.yaml',
      'apps/docs/a.yaml',
      'apps/vendor/a.yaml',
      'shop/templates/tests/a.yaml',
      'src/main/resources/a.yaml',
      'src/shop/test/a.yaml',
      'baseline/a.yaml',
      'baseline/test/a.yaml',
      'errors.yaml',
      '1-api-errors.yaml',
    ])
      assert.equal(await severityIn(path), 'error', path);
  });

  it('keeps its severity if a selector misses a similar label in a file that is not applied', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: basket}\nspec: {selector: {app: baskett}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: basket, labels: {app: basket}}\nspec: {containers: [{name: web, image: web}]}\n';
    for (const [path, severity] of [
      ['tests/a.yaml', 'warning'],
      ['testdata/a.yaml', 'information'],
    ] as const) {
      const b = await bench(`==> ${path} <==\n${service}`);
      assert.deepEqual(
        b.findings(path).map((each) => [each.rule, each.severity]),
        [['selects-nothing', severity]],
      );
    }
  });

  it('has the configured severity, if there is one', async () => {
    assert.equal(await severityIn('testdata/a.yaml', 'rules: {name-syntax: error}'), 'error');
    assert.equal(await severityIn('testdata/a.yaml', 'rules: {label-value-syntax: error}'), 'information');
    assert.equal(await severityIn('testdata/a.yaml', 'level: essential'), undefined);
  });

  it('may contain fields that only the system sets', async () => {
    const part =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: basket}\nspec: {containers: [{name: web, image: web}]}\nstatus: {phase: Running}\n';
    const b = await bench(`==> e2e/00-assert.yaml <==\n${part}\n==> basket.yaml <==\n${part}`);
    assert.deepEqual(b.findings('e2e/00-assert.yaml'), []);
    assert.deepEqual(
      b
        .findings('basket.yaml')
        .map(({ rule }) => rule)
        .toSorted(),
      ['system-field'],
    );
  });
});
