import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file the recorder appends to. */
export interface SegmentFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new file for the recorder. Rejects when it exists already. */
export type OpenSegment = (path: string) => Promise<SegmentFile>;

/** Files of the operating system; missing folders are made. */
export const openSegmentFile: OpenSegment = async (path) => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx');
  return {
    write: async (bytes) => {
      for (let from = 0; from < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, from);
        from += bytesWritten;
      }
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
};
