import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

type Decode = (bytes: Buffer, limit: { readonly maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some send it without the frame that it should have.
  deflate: (bytes, limit) =>
    (bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (bytes) => bytes,
};

/** No server puts more around an answer. */
const layersMax = 3;

/**
 * An answer without the encodings that its header names. We ask for none; what stands between may add one. Each step is
 * at most `bytesMax` long, so that a small answer cannot become a large one. Returns why it cannot be read instead.
 */
export function withoutEncoding(
  bytes: Buffer,
  header: string | undefined,
  bytesMax: number,
): Buffer | { readonly why: string } {
  const layers = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (layers.length > layersMax)
    return { why: `the answer has ${layers.length} encodings, more than ${layersMax}` };
  let decoded = bytes;
  for (const name of layers.reverse()) {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decode === undefined) return { why: 'the answer has an encoding that is not known' };
    if (decoded.length === 0) return decoded;
    try {
      decoded = decode(decoded, { maxOutputLength: bytesMax });
    } catch (error) {
      const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return { why: isLong ? `the answer is longer than ${bytesMax} bytes` : `the answer is no ${name}` };
    }
  }
  return decoded;
}
