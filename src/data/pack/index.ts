/** Packs: recordings in one binary file. */
export { isPackable } from './block.ts';
export { EventPool } from './event-pool.ts';
export { packMagic, packOfBytes } from './event.ts';
export type { PackedFile } from './file.ts';
export { writePackFile } from './file.ts';
export { openPackRecording } from './recording.ts';
export { PackWriter } from './writer.ts';
