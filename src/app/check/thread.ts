import { parentPort, workerData } from 'node:worker_threads';
import { CallSites } from './call-sites.ts';
import { runChecked } from './run.ts';
import type { CheckRequest, CheckTask } from './task.ts';
import { blockExit } from '../process/exit.ts';

/** A thread of a check: runs one request and posts its timeline. */
const { task, bytes, request } = workerData as {
  readonly task: CheckTask;
  readonly bytes: Uint8Array;
  readonly request: CheckRequest;
};
blockExit();
const sites = new CallSites([...task.sources, ...task.imports]);
sites.install();
parentPort?.postMessage(await runChecked({ task, bytes, sites }, request), []);
