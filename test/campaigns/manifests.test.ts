/** Mutates 200,000 files of every kind: all are parsed and checked without an exception. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hover } from '../../server/src/features/hover/hover.ts';
import { bench } from '../harness/bench.ts';
import { mutated } from '../harness/mutations.ts';
import { Measure, nextTask } from './measure.ts';
import { campaignRuns } from './scale.ts';
import { type Seed, seeds } from './seeds.ts';

/** Files around the mutated ones, to which these may refer. */
const workspace = `==> web.yaml <==
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}}
#                      ^^^ here
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}}
==> base/kustomization.yaml <==
resources: [../web.yaml]
==> patch.yaml <==
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {patched: "yes"}}
==> cache/Chart.yaml <==
name: cache
version: 1.0.0
==> cache/values.yaml <==
selector: {app: cache}
`;

/** The number of runs after which a file is closed, so that mutated files do not only see each other. */
const together = 20;
/** The number of times that memory is measured. */
const looks = 5;

const mutatedSeed = fc
  .constantFrom(...seeds)
  .chain(({ name, text }) => mutated([text]).map((made): Seed => ({ name, text: made })));

describe('campaign: mutated files', () => {
  it('are parsed and checked without an exception', async () => {
    const { session, uriOf, place } = await openBench();
    const here = place('here');
    const measure = new Measure('mutated files');
    const runs = campaignRuns(200_000);
    let run = 0;
    let open: string[] = [];
    await fc.assert(
      fc.asyncProperty(mutatedSeed, async ({ name, text }) => {
        const uri = uriOf(name);
        measure.step(
          () => JSON.stringify({ name, text }),
          () => {
            session.workspace.edit(uri, text);
            session.findings(uri);
          },
        );
        open.push(uri);
        run++;
        if (run % together === 0) {
          // The content of one file never makes requests about another fail.
          session.findings(here.uri);
          assert.ok(session.at(here.uri, here.span.start, hover) !== undefined);
          for (const each of new Set(open)) session.workspace.close(each);
          open = [];
          await nextTask();
        }
        if (run % Math.ceil(runs / looks) === 0) await measure.heap();
      }),
      { numRuns: runs, ignoreEqualValues: false },
    );
    measure.finish();
  }).timeout(3_600_000);
});

async function openBench() {
  const made = await bench(workspace);
  const here = made.place('here');
  made.session.workspace.edit(here.uri, here.file.text);
  return {
    session: made.session,
    uriOf: (name: string) => made.uriOf(name),
    place: (name: string) => made.place(name),
  };
}
