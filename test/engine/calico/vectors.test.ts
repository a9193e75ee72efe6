/** Tests that selectors of Calico are parsed and evaluated as Calico does, line by line. */

import assert from 'node:assert/strict';
import { calicoToSelector, evaluateCalico, parseCalicoSelector } from '../../../server/src/engine/calico/index.ts';
import { evaluate } from '../../../server/src/engine/index.ts';
import { checkVectors, policyVectors } from '../../harness/policy-vectors.ts';

interface Line {
  readonly id: string;
  readonly text: string;
  readonly place?: string;
  readonly valid: boolean;
  readonly matches?: readonly { readonly labels: Record<string, string>; readonly verdict: 'yes' | 'no' }[];
}

const lines = policyVectors<Line>('calico-selectors');

function parse({ text, place }: Line) {
  const global = place === undefined ? 'anywhere' : place === 'rule namespaceSelector' ? 'alone' : 'never';
  return parseCalicoSelector(text, { global });
}

describe('vectors of the selector language of Calico', () => {
  it('accepts the texts that Calico accepts', () => {
    checkVectors(
      lines,
      (line) => parse(line).problems.length === 0,
      ({ valid }) => valid,
    );
  });

  it('matches the labels that Calico matches', () => {
    checkVectors(
      lines.filter(({ matches }) => matches),
      (line) => line.matches?.map(({ labels }) => evaluateCalico(parse(line), { labels })),
      ({ matches }) => matches?.map(({ verdict }) => verdict),
    );
  });

  it('converts selectors without a change of meaning', () => {
    let converted = 0;
    for (const line of lines) {
      const selector = calicoToSelector(parse(line));
      if (selector === undefined) continue;
      converted++;
      for (const { labels, verdict } of line.matches ?? []) {
        assert.equal(evaluate(selector, { labels }), verdict, `${line.id} ${line.text}`);
      }
    }
    assert.ok(converted > 40, `${converted}`);
  });

  it('locates each problem and each token in the text', () => {
    for (const line of lines) {
      const { tokens, problems } = parse(line);
      let position = 0;
      for (const { start, end } of tokens) {
        assert.ok(position <= start && start <= end && end <= line.text.length, line.text);
        position = start;
      }
      for (const { start, end } of problems)
        assert.ok(0 <= start && start <= end && end <= line.text.length, line.text);
    }
  });
});
