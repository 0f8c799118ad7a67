/** One frame of a socket, as it was sent and as it is read. */
export interface WireFrame {
  readonly raw: Buffer;
  /** Of a text in one frame; `undefined` of anything else. */
  readonly text: string | undefined;
}

const textCode = 0x81;

/** Takes the frames of RFC 6455 out of a stream of bytes, in one direction of one connection. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  read(bytes: Buffer): readonly WireFrame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: WireFrame[] = [];
    for (;;) {
      const length = lengthOf(this.#rest);
      if (length === undefined || this.#rest.length < length) return frames;
      frames.push(frameOf(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
  }
}

/** Length of the frame that `bytes` begin with, its head included; `undefined` while the head is not whole. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const second = bytes[1] as number;
  const mask = (second & 0x80) === 0 ? 0 : 4;
  const short = second & 0x7f;
  if (short < 126) return 2 + mask + short;
  if (short === 126) return bytes.length < 4 ? undefined : 4 + mask + bytes.readUInt16BE(2);
  return bytes.length < 10 ? undefined : 10 + mask + Number(bytes.readBigUInt64BE(2));
}

function frameOf(raw: Buffer): WireFrame {
  if (raw[0] !== textCode) return { raw, text: undefined };
  const second = raw[1] as number;
  const short = second & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if ((second & 0x80) === 0) return { raw, text: raw.toString('utf8', head) };
  const mask = raw.subarray(head, head + 4);
  const payload = Buffer.from(raw.subarray(head + 4));
  for (let at = 0; at < payload.length; at++)
    payload[at] = (payload[at] as number) ^ (mask[at % 4] as number);
  return { raw, text: payload.toString('utf8') };
}

/** A text in one frame. A client masks what it sends: a mask of zeros changes nothing. */
export function textFrame(text: string, isMasked: boolean): Buffer {
  const payload = Buffer.from(text, 'utf8');
  const { length } = payload;
  const bit = isMasked ? 0x80 : 0;
  const mask = Buffer.alloc(isMasked ? 4 : 0);
  if (length < 126) return Buffer.concat([Buffer.from([textCode, bit | length]), mask, payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = textCode;
  head[1] = bit | (length < 65_536 ? 126 : 127);
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask, payload]);
}
