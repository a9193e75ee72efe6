/** Tests of the comparison of findings in public repositories with the reviewed ones. */

import assert from 'node:assert/strict';
import { type Checked, compare, formatReview, parseReview, reportLines, updateReview } from './reviewed-findings.ts';

const reviewed = `\
bakery/clusters 1111111
  ? missing-field apps/oven/pods.yaml:1:1
  true selects-nothing apps/oven/service.yaml:7:5
  false unknown-field apps/my oven/pods.yaml:3:1
bakery/shop 2222222
`;

const clusters: Checked = {
  name: 'bakery/clusters',
  commit: '1111111',
  objects: 400,
  seconds: 1.25,
  findings: [
    { rule: 'unknown-field', severity: 'error', place: 'apps/my oven/pods.yaml:3:1' },
    { rule: 'label-key-syntax', severity: 'warning', place: 'apps/oven/pods.yaml:9:3' },
    { rule: 'missing-field', severity: 'error', place: 'apps/oven/pods.yaml:1:1' },
  ],
};

const shop: Checked = {
  name: 'bakery/shop',
  commit: '3333333',
  objects: 100,
  seconds: 0.5,
  findings: [{ rule: 'selects-nothing', severity: 'warning', place: 'service.yaml:1:1' }],
};

describe('the review of findings in public repositories', () => {
  const review = parseReview(reviewed);
  const compared = [compare(review, clusters), compare(review, shop)];

  it('is written as it is parsed', () => assert.equal(formatReview(review), reviewed));

  it('rejects a line that is neither a repository nor a finding', () =>
    assert.throws(() => parseReview('bakery/shop 2222222\n  maybe selects-nothing a.yaml:1:1\n'), /Line 2/));

  it('reports new, vanished and unreviewed findings, and the precision', () =>
    assert.equal(
      reportLines(compared).join('\n'),
      `\
bakery/clusters 1111111: 400 objects, 1.3 s, 0 true, 1 false, 2 not reviewed
bakery/shop 3333333: 100 objects, 0.5 s, 0 true, 0 false, 1 not reviewed; reviewed at 2222222

New:
  bakery/clusters warning label-key-syntax apps/oven/pods.yaml:9:3
  bakery/shop warning selects-nothing service.yaml:1:1

Vanished:
  bakery/clusters true selects-nothing apps/oven/service.yaml:7:5

Not reviewed:
  bakery/clusters missing-field apps/oven/pods.yaml:1:1

False:
  bakery/clusters unknown-field apps/my oven/pods.yaml:3:1

By rule:
  label-key-syntax: 0 true, 0 false, 1 not reviewed
  missing-field: 0 true, 0 false, 1 not reviewed
  selects-nothing: 0 true, 0 false, 1 not reviewed
  unknown-field: 0 true, 1 false

2 repositories, 500 objects, 2 s
errors: 0 true, 1 false, 1 not reviewed; 2.00 false per 1,000 objects
warnings: 0 true, 0 false, 2 not reviewed; 0.00 false per 1,000 objects`,
    ));

  it('keeps the verdicts about findings that are still reported', () =>
    assert.equal(
      formatReview(updateReview(review, compared)),
      `\
bakery/clusters 1111111
  ? label-key-syntax apps/oven/pods.yaml:9:3
  ? missing-field apps/oven/pods.yaml:1:1
  false unknown-field apps/my oven/pods.yaml:3:1
bakery/shop 3333333
  ? selects-nothing service.yaml:1:1
`,
    ));
});
