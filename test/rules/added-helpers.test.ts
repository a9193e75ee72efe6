/** Tests that a helper file is compared with the helpers that other files define now. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('an include in a helper file', () => {
  it('is not reported after another file defines the helper', async () => {
    const jobs = '{{- define "shop.jobs" -}}app: shop{{- end -}}\n';
    const b = await bench(`
  ==> Chart.yaml <==
  apiVersion: v2
  name: shop
  version: 0.1.0
  ==> templates/_all.tpl <==
  {{- define "shop.all" -}}{{ include "shop.job" . }}{{- end -}}
  ==> templates/_jobs.tpl <==
  ${jobs}`);
    const found = () => b.findings('templates/_all.tpl').map(({ rule }) => rule);
    assert.deepEqual(found(), ['helm-unknown-helper']);
    b.session.workspace.edit(b.uriOf('templates/_jobs.tpl'), `${jobs}{{- define "shop.job" -}}app: job{{- end -}}\n`);
    assert.deepEqual(found(), []);
  });
});
