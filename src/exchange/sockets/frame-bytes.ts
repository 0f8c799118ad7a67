/** First byte of an unfragmented text frame. Source: RFC 6455, section 5.2. */
const textFrame = 0x81;

/** Bytes of a whole, unmasked text frame with a payload of `length` bytes. */
export function frameSize(length: number): number {
  if (length < 126) return length + 2;
  return length < 65_536 ? length + 4 : length + 10;
}

/** Writes the header of a text frame into `target` at `at`; returns where the payload begins. */
export function writeFrameHeader(target: Buffer, at: number, length: number): number {
  target[at] = textFrame;
  if (length < 126) {
    target[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    target[at + 1] = 126;
    target.writeUInt16BE(length, at + 2);
    return at + 4;
  }
  target[at + 1] = 127;
  target.writeBigUInt64BE(BigInt(length), at + 2);
  return at + 10;
}

/** A text as one whole frame: built once, written to every subscriber. */
export function textFrameOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(frameSize(length));
  frame.write(text, writeFrameHeader(frame, 0, length), 'utf8');
  return frame;
}
