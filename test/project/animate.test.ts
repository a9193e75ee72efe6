/** Tests that the animated image of the README is a valid APNG with the given frames. */
import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { animate } from '../host/animate.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}

/** A PNG of one gray pixel, with its data in two chunks. */
function png(gray: number, width = 1): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const data = deflateSync(Buffer.from([0, ...Array(width).fill(gray)]));
  const halves = [data.subarray(0, 3), data.subarray(3)].map((half) => chunk('IDAT', half));
  return Buffer.concat([signature, chunk('IHDR', header), ...halves, chunk('IEND', Buffer.alloc(0))]);
}

describe('an animated image', () => {
  it('contains the frames in their order, with numbered chunks', () => {
    const made = animate([png(10), png(200)], 1_500);
    const types: string[] = [];
    const numbers: number[] = [];
    for (let at = signature.length; at < made.length; ) {
      const length = made.readUInt32BE(at);
      const type = made.toString('latin1', at + 4, at + 8);
      assert.equal(made.readUInt32BE(at + 8 + length), crc32(made.subarray(at + 4, at + 8 + length)), type);
      types.push(type);
      if (type === 'fcTL' || type === 'fdAT') numbers.push(made.readUInt32BE(at + 8));
      at += length + 12;
    }
    assert.deepEqual(types, ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
    assert.deepEqual(numbers, [0, 1, 2]);
  });

  it('has frames of one size only', () => {
    assert.throws(() => animate([png(10), png(10, 2)], 1_500), /different sizes/);
  });
});
