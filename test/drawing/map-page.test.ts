/** Tests what the page of the map shows of a graph, and which of its messages the extension accepts. */
import assert from 'node:assert/strict';
import { pageMessage } from '../../client/src/webview/messages.ts';
import { relationsText } from '../../client/src/webview/relations-text.ts';
import { filtered, isSelector, shownForm, storedChoices } from '../../client/src/webview/view-state.ts';

const graph = {
  nodes: [
    { id: 'a', kind: 'Service', family: 'service', namespace: 'shop', name: 'web', labels: { app: 'web' } },
    { id: 'b', kind: 'Deployment', family: 'workload', namespace: 'shop', name: 'web', labels: { app: 'web' } },
    { id: 'c', kind: 'Deployment', family: 'workload', name: 'db', labels: {} },
  ],
  edges: [
    { from: 'a', to: 'b', relation: 'selects', label: 'spec.selector', certain: true, reason: '' },
    { from: 'b', to: 'c', relation: 'connects', label: 'TCP 1', certain: true, reason: '' },
  ],
} as const;

const choices = storedChoices(undefined);

function shown(changes: Partial<typeof choices>): string {
  const { nodes, edges } = filtered(graph, { ...choices, ...changes });
  return [...nodes.map(({ id }) => id), ...edges.map(({ from, to }) => `${from}-${to}`)].join(' ');
}

describe('the filters of the map', () => {
  it('show everything at first', () => {
    assert.equal(shown({}), 'a b c a-b b-c');
  });

  it('hide kinds and namespaces, with the edges of what is hidden', () => {
    assert.equal(shown({ hiddenKinds: ['Service'] }), 'b c b-c');
    assert.equal(shown({ hiddenNamespaces: [''] }), 'a b a-b');
  });

  it('match labels with a selector, and filter nothing while it is invalid', () => {
    assert.equal(shown({ labels: 'app=web' }), 'a b a-b');
    assert.equal(shown({ labels: '!app' }), 'c');
    assert.equal(shown({ labels: 'app in (' }), shown({}));
    assert.deepEqual(['', 'app', 'app in ('].map(isSelector), [true, true, false]);
  });

  it('are restored if they are valid, and otherwise reset', () => {
    const stored = { ...choices, around: 'scope', grouping: 'none', hiddenKinds: ['Pod'], labels: 'a', form: 'list' };
    assert.deepEqual(storedChoices(JSON.parse(JSON.stringify(stored))), stored);
    for (const other of [null, 1, 'x', { around: 1, hiddenKinds: 'Pod', collapsed: [1], labels: {}, grouping: 'x' }])
      assert.deepEqual(storedChoices(other), choices);
  });
});

describe('the form of the map', () => {
  const many = (count: number, relation: 'connects' | 'selects') => ({
    nodes: Array.from({ length: count }, (_, index) => ({ ...graph.nodes[1], id: `${index}` })),
    edges: [{ ...graph.edges[0], from: '0', to: '1', relation }],
  });

  it('is a table for the connections of 40 objects, unless the user chooses', () => {
    assert.equal(shownForm(many(39, 'connects'), choices), 'drawing');
    assert.equal(shownForm(many(40, 'connects'), choices), 'table');
    assert.equal(shownForm(many(40, 'selects'), choices), 'drawing');
    assert.equal(shownForm(many(40, 'connects'), { form: 'drawing' }), 'drawing');
    assert.equal(shownForm(many(2, 'selects'), { form: 'list' }), 'list');
  });

  it('says in words what lines lead to and from an object', () => {
    assert.equal(relationsText('a', graph.edges), 'selects 1');
    assert.equal(relationsText('b', graph.edges), 'selected by 1, may connect to 1');
    assert.equal(relationsText('x', graph.edges), 'without a line');
  });
});

describe('the messages of the map', () => {
  it('are accepted if they are as declared', () => {
    const messages = [
      { kind: 'ask', around: 'object', connections: true, references: false },
      { kind: 'open', serial: 1, what: 'nodes', index: 0 },
      { kind: 'save', format: 'svg', content: '<svg/>' },
    ];
    for (const message of messages) assert.deepEqual(pageMessage({ ...message, more: 1 }), message);
  });

  it('are rejected otherwise', () => {
    const others = [
      null,
      'open',
      {},
      { kind: 'run', command: 'x' },
      { kind: 'ask', around: 'all', connections: true, references: true },
      { kind: 'ask', around: 'object', connections: true },
      { kind: 'open', serial: 1, what: 'constructor', index: 0 },
      { kind: 'open', serial: 1, what: 'nodes', index: 0.5 },
      { kind: 'save', format: 'exe', content: '' },
      { kind: 'save', format: 'svg', content: 1 },
    ];
    for (const other of others) assert.equal(pageMessage(other), undefined);
  });
});
