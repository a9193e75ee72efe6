/** Tests which terms a text mentions: rules about rare terms skip the other files. */

import assert from 'node:assert/strict';
import { mentionsOf } from '../../server/src/manifests/mentions.ts';

describe('the terms that a text mentions', () => {
  it('include a field path unless every kind of source supports it', () => {
    const mentions = (value: string) =>
      mentionsOf(`- valueFrom:\n    fieldRef:\n      fieldPath: ${value}`).includes('fieldPaths');
    for (const value of ['metadata.name', 'metadata.uid\n', 'metadata.namespace \r\n'])
      assert.ok(!mentions(value), value);
    const others = ['metadata.names', 'metadata.name#1', 'spec.nodeName', '"metadata.name"', 'metadata.name }', ''];
    for (const value of others) assert.ok(mentions(value), value);
    assert.ok(mentions('metadata.name\n- valueFrom: {fieldRef: {fieldPath: metadata.nam}}'));
  });

  it('include commands, and not the name of a program in a label', () => {
    const label = 'app.kubernetes.io/managed-by: kustomize\n';
    const isCommand = (text: string) => mentionsOf(`${text}args: [-n, web]`).includes('commands');
    assert.ok(isCommand('run: kustomize edit set label app:web\n'));
    for (const text of [label, label.replace('kustomize', '"kustomize"'), label.replace('\n', ' \r\n')])
      assert.equal(isCommand(text), false, text);
    for (const text of [
      `${label}run: kubectl get pods -l app=web\n`,
      label.replace('\n', ' build\n'),
      'run: kustomize\n',
    ])
      assert.ok(isCommand(text), text);
  });
});
