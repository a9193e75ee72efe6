/** Tests that an image is well-formed with any names of objects, and contains nothing but drawn text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { svgImage } from '../../server/src/drawing/svg-image.ts';
import { replaceControls } from '../../server/src/text/control-characters.ts';

function image(name: string): string {
  const node = { kind: 'Service', family: 'service', namespace: name, name, labels: {} } as const;
  const edge = { relation: 'selects', label: name, certain: false, reason: name } as const;
  return svgImage({
    nodes: [
      { ...node, id: 'a' },
      { ...node, id: 'b' },
    ],
    edges: [{ ...edge, from: 'a', to: 'b' }],
  });
}

describe('an SVG image', () => {
  it('is well-formed for hostile names', () => {
    const names = [
      '</text><script>alert(1)</script>',
      '"/><a href="x">',
      ']]>&amp;&#1;',
      '\0\u001B[31m\uFFFF\uD800',
      '\u202Eabc',
    ];
    for (const name of names) {
      assert.match(image(name), /^(?:<[^<>&]*>|[^<>&]|&(?:amp|lt|gt|quot);|@media [^<&]*)*$/);
      assert.equal(replaceControls(image(name), '\n').replaceAll(/[\uFFFE\uFFFF]/g, ''), image(name));
    }
  });

  it('contains only our own elements, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (name) => {
        const elements = new Set([...image(name).matchAll(/<([a-z]+)/g)].map(([, element]) => element));
        assert.deepEqual([...elements].sort(), ['g', 'path', 'rect', 'style', 'svg', 'text', 'title']);
      }),
    );
  });

  it('draws an uncertain edge dashed', () => {
    assert.match(image('web'), /<g class="edge selects uncertain"><title>web<\/title>/);
  });
});
