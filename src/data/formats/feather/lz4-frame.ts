const magic = 0x184d2204;

/** Bits of the descriptor of a frame. */
const hasBlockChecksum = 0x10;
const hasContentSize = 0x08;
const hasDictionary = 0x01;

const uncompressedBit = 0x80000000;
const matchMin = 4;

/**
 * Unpacks an LZ4 frame of `length` bytes of content, with blocks that stand alone or go on in one another. Checksums are not compared.
 * Throws an `Error` where the frame is damaged. Source: LZ4 frame format 1.6, LZ4 block format.
 */
export function unpackLz4Frame(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== magic) throw new Error('a buffer that is no LZ4 frame');
  const flags = view.getUint8(4);
  if ((flags & hasDictionary) !== 0) throw new Error('an LZ4 frame that needs a dictionary');
  let at = 7 + ((flags & hasContentSize) === 0 ? 0 : 8);
  const content = new Uint8Array(length);
  let end = 0;
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const bytes = size & ~uncompressedBit;
    if (at + bytes > frame.length) throw new Error('an LZ4 frame that is cut short');
    const block = frame.subarray(at, at + bytes);
    if (size >= uncompressedBit) {
      content.set(block, end);
      end += bytes;
    } else {
      end = unpackBlock(block, content, end);
    }
    at += bytes + ((flags & hasBlockChecksum) === 0 ? 0 : 4);
  }
  if (end !== length) throw new Error(`an LZ4 frame of ${end} bytes instead of ${length}`);
  return content;
}

/** Unpacks one block behind what came before it, which its matches may name; answers where it ends. */
function unpackBlock(block: Uint8Array, content: Uint8Array, begin: number): number {
  let from = 0;
  let to = begin;
  const lengthFrom = (short: number): number => {
    let length = short;
    if (short < 15) return length;
    for (;;) {
      const more = block[from++];
      if (more === undefined) throw new Error('an LZ4 block that is cut short');
      length += more;
      if (more < 255) return length;
    }
  };
  while (from < block.length) {
    const token = block[from++] as number;
    const literals = lengthFrom(token >> 4);
    if (from + literals > block.length || to + literals > content.length)
      throw new Error('an LZ4 block that is longer than its content');
    content.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has literals alone.
    if (from === block.length) break;
    const distance = (block[from] as number) | ((block[from + 1] ?? 0) << 8);
    from += 2;
    const length = lengthFrom(token & 15) + matchMin;
    if (distance === 0 || distance > to || to + length > content.length)
      throw new Error('an LZ4 block with a match outside of its content');
    // A match may repeat what it has just written, so it is copied byte by byte.
    for (let i = 0; i < length; i++, to++) content[to] = content[to - distance] as number;
  }
  return to;
}
