import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, parentPort } from 'node:worker_threads';

/**
 * Preloaded into the thread that writes a journal: before every call to the disk while a segment begins or is removed,
 * the directory is copied as a process that is killed there would leave it.
 *
 * IMAGE_FROM is the run directory, IMAGE_TO the folder of the images, IMAGE_SEGMENTS the numbers of the segments whose
 * beginning is looked at. Each image has a file `step.json`: the call, and the last group that was acknowledged.
 */
const { IMAGE_FROM: from = '', IMAGE_TO: to = '', IMAGE_SEGMENTS: segments = '' } = process.env;
const watched = new Set(segments.split(','));
const { cpSync, writeFileSync } = fs;
let isOpen = false;
let acknowledged = 0;
let acknowledgedSince = false;
let images = 0;
let taking = false;

function step(call: string, first: unknown): void {
  if (taking) return;
  const began = /journal-0*(\d+)\.sqlite\.unfinished$/.exec(String(first))?.[1];
  if (began !== undefined && watched.has(began)) isOpen = true;
  if (call === 'rmSync' && /journal(?:-\d+)?\.sqlite$/.test(String(first))) isOpen = acknowledgedSince = true;
  if (call === 'exec' && acknowledgedSince && String(first).startsWith('BEGIN IMMEDIATE')) isOpen = false;
  if (!isOpen) return;
  taking = true;
  const image = join(to, String(images).padStart(3, '0'));
  images += 1;
  cpSync(from, image, { recursive: true });
  writeFileSync(join(image, 'step.json'), JSON.stringify({ call, first: String(first), acknowledged }));
  taking = false;
}

function watch(on: object, name: string): void {
  const methods = on as Record<string, (this: unknown, ...args: unknown[]) => unknown>;
  const original = methods[name];
  if (original === undefined) throw new Error(`expected a method ${name}`);
  methods[name] = function watchedCall(this: unknown, ...args: unknown[]): unknown {
    step(name, args[0]);
    return original.apply(this, args);
  };
}

if (!isMainThread && parentPort !== null) {
  for (const name of ['renameSync', 'rmSync', 'openSync', 'closeSync', 'fsyncSync', 'chmodSync'])
    watch(fs, name);
  syncBuiltinESMExports();
  for (const name of ['exec', 'close', 'prepare']) watch(DatabaseSync.prototype, name);
  watch(StatementSync.prototype, 'run');
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message: { type: string; group: number }) => {
    if (message.type === 'durable') {
      acknowledged = message.group;
      acknowledgedSince = isOpen;
    }
    post(message);
    step('acknowledged', message.group);
  };
}
