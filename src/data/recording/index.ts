/** Our own recordings: contract, reading and merging. */
export type { Block, BlockCodec, BlockKind } from './block-file.ts';
export { encodeBlock, encodeFileHead, pack, packLater, unpack } from './block-file.ts';
export type { ByteSource, Ending } from './block-reader.ts';
export { BlockReader, openBytes, openFile } from './block-reader.ts';
export { foldBookStates } from './book-states.ts';
export { ByteReader } from './byte-reader.ts';
export { ByteWriter, isBase } from './byte-writer.ts';
export type { BookProof, Recording, RecordingOptions } from './contract.ts';
export { FileSeams, FilesOverlap, OneFileAFeed } from './file-order.ts';
export { FinerSizes, finerShare } from './finer-sizes.ts';
export type { LineBatch } from './lines.ts';
export {
  firstBytes,
  headOf,
  lineBytesMax,
  linesOf,
  textsOf,
  readLines,
  readPieces,
  thrownBy,
  unreadableFile,
  unwritable,
  withoutMark,
} from './lines.ts';
export { mergeEvents, mergeFiles, mergeOrdered } from './merge.ts';
export type { RecorderOptions } from './options.ts';
export type { Printing } from './printing.ts';
export { printPrice, printQuantity } from './printing.ts';
export { givenSpecs, readSpecList } from './specs.ts';
