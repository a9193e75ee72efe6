/**
 * Writes an animated PNG (APNG, PNG specification, third edition, section 11.3.6) from PNG files of the same size and
 * color type, such as screenshots: it takes their compressed data as it is.
 */
import { crc32 } from 'node:zlib';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the animation of some PNG files, which shows each for some milliseconds and repeats forever. */
export function animate(frames: readonly Buffer[], milliseconds: number): Buffer {
  const parsed = frames.map(chunksOf);
  const header = parsed[0]?.find(({ type }) => type === 'IHDR');
  if (header === undefined) throw new Error('An animation needs at least one PNG.');
  let sequence = 0;
  const shown = parsed.flatMap((chunks, index): readonly Chunk[] => {
    if (!chunks.some(({ type, data }) => type === 'IHDR' && data.equals(header.data)))
      throw new Error('The frames have different sizes or color types.');
    const control = frameControl(sequence++, header.data, milliseconds);
    const data = Buffer.concat(chunks.flatMap((chunk) => (chunk.type === 'IDAT' ? [chunk.data] : [])));
    // The first frame is also the image for programs that show no animations.
    const content =
      index === 0 ? { type: 'IDAT', data } : { type: 'fdAT', data: Buffer.concat([uint32(sequence++), data]) };
    return [control, content];
  });
  const animation = { type: 'acTL', data: Buffer.concat([uint32(frames.length), uint32(0)]) };
  const all = [header, animation, ...shown, { type: 'IEND', data: Buffer.alloc(0) }];
  return Buffer.concat([signature, ...all.map(written)]);
}

function frameControl(sequence: number, header: Buffer, milliseconds: number): Chunk {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(milliseconds, 0);
  delay.writeUInt16BE(1000, 2);
  // The size of the frame is that of the image, at its origin.
  const place = Buffer.concat([header.subarray(0, 8), uint32(0), uint32(0)]);
  return { type: 'fcTL', data: Buffer.concat([uint32(sequence), place, delay]) };
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += length + 12;
  }
  return chunks;
}

function written({ type, data }: Chunk): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
