import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

/** Runs a command in a mount of its own, with a file system of so many mebibytes at `$1`. */
const mounted = (mib: number): string[] => [
  '-Urm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${mib}m tmpfs "$1" && shift && exec "$@"`,
  'sh',
];
const seen = z.strictObject({
  said: z.array(z.string().nullable()),
  during: z.strictObject({
    acknowledged: z.number(),
    mark: z.string().optional(),
    isTriedAgain: z.boolean(),
  }),
  after: z.strictObject({
    acknowledged: z.number(),
    mark: z.string().optional(),
    failures: z.array(z.string()),
  }),
  read: z.number(),
  last: z.number(),
  files: z.number(),
  restart: z.strictObject({ tail: z.number(), loss: z.string().optional(), cut: z.string().optional() }),
});

/** A full disk takes the mark of a failure, and no word of it. */
const mark = 'the disk was full';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-full-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Not every machine lets a user mount: then the full disks of the simulation are what shows this. */
function mayMount(): boolean {
  const { status } = spawnSync('unshare', [...mounted(1), tmpdir(), 'true']);
  return status === 0;
}

/** What the journal went through on a file system of five mebibytes. */
function filled(end: 'room' | 'close'): z.infer<typeof seen> {
  const program = fileURLToPath(new URL('./support/filler.ts', import.meta.url));
  const command = [...mounted(5), directory, process.execPath, program, directory, end];
  return seen.parse(JSON.parse(execFileSync('unshare', command, { encoding: 'utf8' })));
}

describe.runIf(mayMount())('a journal whose disk is full', () => {
  test('waits with all its records, and goes on by itself once there is room, without one missing', () => {
    const { said, during, after, read, last, files, restart } = filled('room');
    expect(said).toEqual(['the disk has no room for the journal: database or disk is full', null]);
    expect(during).toEqual({ acknowledged: 55, mark, isTriedAgain: true });
    expect(after).toEqual({ acknowledged: 135, failures: [] });
    expect([read, last, restart]).toEqual([135, 135, { tail: 135 }]);
    // A new segment was due while there was no room for it.
    expect(files).toBeGreaterThan(1);
  });

  test('that is closed meanwhile ends with what was durable, and the next run says so', () => {
    const { during, after, read, last, restart } = filled('close');
    expect(after.acknowledged).toBe(55);
    expect([during.mark, after.mark]).toEqual([mark, mark]);
    expect(after.failures).toEqual(['the journal cannot be written: database or disk is full']);
    expect(during.acknowledged).toBe(55);
    expect([read, last, restart]).toEqual([last, restart.tail, { tail: read }]);
    expect(read).toBeGreaterThanOrEqual(55);
  });
});
