/** Does `explain` say why a selector takes an object, or not? */
import assert from 'node:assert/strict';
import { goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'prices.yaml': goodPrices, 'web.yaml': web, 'service.yaml': service };

describe('explain', () => {
  it('asks the object and what it makes, requirement by requirement', async () => {
    const { code, out, err } = await runInMemory(
      ['explain', '-l', 'app=web,tier in (front)', '--object', 'deploy/web'],
      { files },
    );
    assert.deepEqual([code, err], [0, []]);
    assert.deepEqual(out, [
      "app=web,tier in (front) selects objects where 'app' is 'web' and 'tier' is 'front'.",
      '',
      'web.yaml:2: Deployment/web in shop',
      '  Its own labels match:',
      "    ✓ app=web: 'app' is 'web'",
      "    ✓ tier in (front): 'tier' is 'front'",
      "  The Pod that 'spec.template' makes does not match:",
      "    ✓ app=web: 'app' is 'web'",
      "    ✗ tier in (front): 'tier' is 'pod', must be 'front'",
    ]);
  });

  it('tells what nobody knows', async () => {
    const template = web.replace('tier: pod', 'tier: {{ .Values.tier }}');
    const { out } = await runInMemory(['explain', '-l', 'tier=x', '--object', 'Deployment/web'], {
      files: { 'web.yaml': template },
    });
    assert.ok(out.includes("  The Pod that 'spec.template' makes may match:"), out.join('\n'));
    assert.ok(out.some((line) => line.startsWith('    ? tier=x: ')));
  });

  it('finds the object in a namespace, that which names none too', async () => {
    const ask = (namespace: string) =>
      runInMemory(['explain', '-l', 'app', '--object', 'cm/prices', '-n', namespace], { files });
    assert.equal((await ask('anywhere')).code, 0);
    const other = await runInMemory(['explain', '-l', 'app', '--object', 'svc/web', '-n', 'other'], { files });
    assert.deepEqual([other.code, other.err], [2, ["selector-lens: There is no svc/web in the namespace 'other'."]]);
  });
});
