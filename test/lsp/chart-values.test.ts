/** Tests the evaluation of charts in the editor with the values files that the user chooses. */

import assert from 'node:assert/strict';
import { makeFolder, startServer, stopEverything } from './start.ts';

const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {tier: {{ .Values.tier }}}
{{- if .Values.metrics }}
---
apiVersion: v1
kind: Service
metadata: {name: metrics}
spec:
  selector: {app: web}
{{- end }}
`;
const prod = 'tier: back\n';

const chart = {
  'web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
  'web/values.yaml': 'tier: front\nmetrics: true\n',
  'web/values-prod.yaml': prod,
  'web/ci/small-values.yaml': 'metrics: false\n',
  'web/charts/redis/Chart.yaml': 'name: redis\nversion: 1.0.0\n',
  'web/charts/redis/values.yaml': '',
  'web/charts/redis/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: redis}\n',
  'web/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web, tier: back}}\n',
  'web/templates/service.yaml': service,
  'other/values.yaml': 'tier: none\n',
};

describe('the values files of a chart', () => {
  afterEach(stopEverything);

  async function opened(name: keyof typeof chart, ...chosen: readonly string[]) {
    const folder = makeFolder(chart);
    const perspective = { scopes: [], values: chosen.map((each) => folder.uriOf(each)) };
    const client = await startServer({ folders: [folder.uri], initializationOptions: { perspective } });
    await client.whenReady();
    const uri = folder.uriOf(name);
    await client.open(uri, chart[name]);
    return { client, uri, uriOf: (each: string) => folder.uriOf(each) };
  }

  it('are the files beside the chart, for its templates, its subcharts and its values files', async () => {
    for (const name of [
      'web/templates/service.yaml',
      'web/charts/redis/templates/pod.yaml',
      'web/values-prod.yaml',
    ] as const) {
      const { client, uri } = await opened(name);
      const { chart: title, files = [], chosen } = (await client.perspective(uri))?.values ?? {};
      assert.deepEqual(
        [title, files.map((each) => each.name), chosen],
        ['web', ['ci/small-values.yaml', 'values-prod.yaml', 'values.yaml'], undefined],
      );
      await stopEverything();
    }
    const { client, uri } = await opened('other/values.yaml');
    assert.equal(await client.perspective(uri), null);
  });

  it('decide what a selector matches, after they are chosen and until all values count again', async () => {
    const { client, uri, uriOf } = await opened('web/templates/service.yaml');
    assert.match(await client.hover(uri, service, 'tier'), /1 other object matches with other chart values/);
    await client.choosePerspective({ values: [uriOf('web/values-prod.yaml')] });
    await client.until(() => client.ready.length === 2);
    assert.equal((await client.perspective(uri))?.values?.chosen, uriOf('web/values-prod.yaml'));
    const hover = await client.hover(uri, service, 'tier');
    assert.match(hover, /'back'/);
    assert.match(hover, /Evaluated with `values-prod\.yaml`/);
    assert.match(hover, /\*\*Matches\*\* \(1\)/);
    await client.choosePerspective({});
    await client.until(() => client.ready.length === 3);
    assert.match(await client.hover(uri, service, 'tier'), /1 other object matches with other chart values/);
  });

  it('are restored when the server starts, and determine which objects exist', async () => {
    const { client, uri } = await opened('web/templates/service.yaml', 'web/ci/small-values.yaml');
    assert.match(await client.hover(uri, service, 'app: web'), /not created with `ci\/small-values\.yaml`/);
    assert.match(await client.hover(uri, service, 'tier'), /\*\*Matches nothing\*\*/);
  });

  it('take effect while they are edited', async () => {
    const { client, uri, uriOf } = await opened('web/templates/service.yaml', 'web/values-prod.yaml');
    await client.open(uriOf('web/values-prod.yaml'), prod);
    await client.change(uriOf('web/values-prod.yaml'), { text: 'tier: front\n' });
    assert.match(await client.hover(uri, service, 'tier'), /'front'[\s\S]*Matches nothing/);
  });

  it('have no effect on other charts if their chart does not exist any more', async () => {
    const { client, uri } = await opened('web/templates/service.yaml', 'other/values.yaml');
    assert.equal((await client.perspective(uri))?.values?.chosen, undefined);
    assert.match(await client.hover(uri, service, 'tier'), /1 other object matches with other chart values/);
  });
});
