/** Tests the completions in one requirement: an item of `matchExpressions`, a part of a string. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { policy, shop, told } from './completion-shop.ts';

describe('completion of a requirement', () => {
  const requirement = (lines: string) => policy(`        matchExpressions:\n${lines}`);

  it('offers the whole requirement, then each field', async () => {
    const whole = '- key: ⏎      operator: In ⏎      values: []   a requirement';
    assert.deepEqual(await told(requirement('        - \n        # ^ here\n')), [
      whole,
      '- key:',
      '- operator: In',
      '- values: []',
    ]);
  });

  it('offers missing fields', async () => {
    assert.deepEqual(await told(requirement('        - key: tier\n\n         #^ here\n')), [
      'operator: In',
      'values: []',
    ]);
    assert.deepEqual(await told(requirement('        - key: tier\n\n          #^ here\n')), []);
    const exists = '        - {key: tier, operator: Exists, }\n        #                               ^ here\n';
    assert.deepEqual(await told(requirement(exists)), []);
  });

  it('offers keys with the resulting matches', async () => {
    assert.deepEqual(
      await told(
        requirement('        - operator: NotIn\n          values: [front]\n          key: \n          #    ^ here\n'),
      ),
      ['key: app   matches 2', 'key: tier   matches 1', 'key: version   matches 2'],
    );
  });

  it('offers operators with their meaning', async () => {
    const b = await bench(requirement('        - key: tier\n          operator: \n          #         ^ here\n'));
    assert.deepEqual(
      b.completions('here').items.map(({ label, detail, description }) => [label, detail, description]),
      [
        ['In', ' the value is one of these', undefined],
        ['NotIn', ' the value is none of these, or the key is absent', undefined],
        ['Exists', ' the key is present', 'matches 2'],
        ['DoesNotExist', ' the key is absent', 'matches nothing'],
      ],
    );
  });

  it('offers no operator that contradicts the values', async () => {
    assert.deepEqual(
      await told(
        requirement('        - {key: tier, operator: I, values: [front]}\n        #                        ^ here\n'),
      ),
      [
        '- {key: tier, operator: In, values: [front]}   matches 1',
        '- {key: tier, operator: NotIn, values: [front]}   matches 1',
      ],
    );
  });

  it('offers missing values, in every kind of list', async () => {
    const head = '        - key: app\n          operator: In\n';
    const block = await told(
      requirement(`${head}          values:\n          - basket\n          - \n          # ^ here\n`),
    );
    assert.deepEqual(block, ['- prices   matches 2']);
    const flow = await told(requirement(`${head}          values: [basket, ]\n          #                ^ here\n`));
    assert.deepEqual(flow, ['values: [basket, prices]   matches 2']);
    const none = await told(requirement(`${head}          values: \n          #       ^ here\n`));
    assert.deepEqual(none, ['values: [basket]   matches 1', 'values: [prices]   matches 1']);
  });

  it('counts the remaining matches if values are excluded', async () => {
    assert.deepEqual(
      await told(
        requirement(
          '        - {key: app, operator: NotIn, values: [b]}\n        #                                      ^ here\n',
        ),
      ),
      [
        '- {key: app, operator: NotIn, values: [basket]}   matches 1',
        '- {key: app, operator: NotIn, values: [prices]}   matches 1',
      ],
    );
  });

  it('offers no value if the operator has none', async () => {
    assert.deepEqual(
      await told(
        requirement(
          '        - {key: app, operator: Exists, values: []}\n        #                                       ^ here\n',
        ),
      ),
      [],
    );
  });
});

describe('completion of a selector in a string', () => {
  const scale = (line: string) => `${shop}
    ==> shop/scale.yaml <==
    apiVersion: apps/v1
    kind: Scale
    metadata: {name: web, namespace: shop}
    status:
      ${line}
`;

  it('offers keys, operators and values', async () => {
    assert.deepEqual(await told(scale('targetSelector: app=basket,v\n      #                           ^ here')), [
      'targetSelector: app=basket,tier   matches 1',
      'targetSelector: app=basket,version   matches 1',
    ]);
    assert.deepEqual(await told(scale('targetSelector: "tier "\n      #                     ^ here')), [
      'targetSelector: "tier ="',
      'targetSelector: "tier !="',
      'targetSelector: "tier in ()"',
      'targetSelector: "tier notin ()"',
    ]);
    assert.deepEqual(await told(scale('targetSelector: tier in (b)\n      #                         ^ here')), [
      'targetSelector: tier in (back)   matches 1',
      'targetSelector: tier in (front)   matches 1',
    ]);
  });

  it('offers nothing if a template determines the text', async () => {
    assert.deepEqual(
      await told(
        scale('targetSelector: "app={{ .Values.app }},"\n      #                                      ^ here'),
      ),
      [],
    );
  });
});
