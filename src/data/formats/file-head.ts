/** How the bytes of a file are packed. */
export type FilePacking = 'plain' | 'gzip' | 'zstd' | 'xz' | 'zip';

/** The beginning of a file, unpacked. */
export interface FileHead {
  readonly packing: FilePacking;
  /** Up to 64 KiB of the content. */
  readonly bytes: Uint8Array;
  /** The same as text; what is no UTF-8 shows as replacement characters. */
  readonly text: string;
  /** The first line that is not empty, without its end; cut where the head ends. */
  readonly line: string;
  /** The name of the file inside a zip; otherwise the last part of the path. */
  readonly name: string;
}
