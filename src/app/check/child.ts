import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { leaveCompiledCode } from '../../core/base/compiled-code.ts';
import { BadInput, GodwitError } from '../../core/base/errors.ts';
import { moduleUrl } from '../../core/base/module-url.ts';
import type { RunTimeline } from '../../research/checks/index.ts';
import { CallSites } from './call-sites.ts';
import { runChecked } from './run.ts';
import { Environment } from './environment.ts';
import type { CheckRequest, CheckTask, FromCheck, ToCheck, Touch } from './task.ts';
import { blockExit, exitProcess } from '../process/exit.ts';

/** The process of a check: takes one task, then runs it as often as it is asked to. It ends with its parent. */
class CheckProcess {
  readonly #task: CheckTask;
  readonly #bytes: Uint8Array;
  readonly #sites: CallSites;
  readonly #environment: Environment;

  constructor(task: CheckTask) {
    this.#task = task;
    const found = readFileSync(task.pack);
    this.#bytes = new Uint8Array(new SharedArrayBuffer(found.length));
    this.#bytes.set(found);
    this.#sites = new CallSites([...task.sources, ...task.imports]);
    this.#environment = new Environment(this.#sites);
    this.#sites.install();
    this.#environment.install(task.strange);
  }

  async answer(request: CheckRequest): Promise<FromCheck> {
    const { threads } = request;
    const timelines =
      threads === undefined
        ? [await runChecked({ task: this.#task, bytes: this.#bytes, sites: this.#sites }, request)]
        : await Promise.all(Array.from({ length: threads }, () => this.#inThread(request)));
    return { answer: { timelines, touches: this.touches() } };
  }

  /** Things that strategies have reached for since the last answer. */
  touches(): readonly Touch[] {
    return this.#environment.take();
  }

  #inThread(request: CheckRequest): Promise<RunTimeline> {
    const ended = Promise.withResolvers<RunTimeline>();
    const worker = new Worker(moduleUrl(new URL('./thread.ts', import.meta.url)), {
      workerData: { task: this.#task, bytes: this.#bytes, request },
      stdout: true,
    });
    worker.stdout.resume();
    worker.once('message', (timeline: RunTimeline) => ended.resolve(timeline));
    worker.once('error', (error: unknown) => ended.reject(error));
    worker.once('exit', (code) =>
      ended.reject(new BadInput(`a thread of the check was ended before its run was (exit code ${code})`)),
    );
    return ended.promise;
  }
}

let begun: CheckProcess | undefined;

async function take(message: ToCheck): Promise<FromCheck> {
  try {
    if ('task' in message) {
      // Before the first strategy is loaded.
      if (message.task.strange) leaveCompiledCode();
      begun = new CheckProcess(message.task);
      return { ready: true };
    }
    if (begun === undefined) throw new Error('expected a task before the first request');
    return await begun.answer(message.request);
  } catch (error) {
    const touches = begun?.touches() ?? [];
    if (error instanceof GodwitError) return { failed: error.message, code: error.code, touches };
    const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { failed, code: undefined, touches };
  }
}

blockExit();
// Kept before a strategy is loaded: what it does to the process must not reach the answers.
const send = process.send?.bind(process);
const answer = (said: FromCheck): void => {
  send?.(said);
  // It ends by a kill, at which Node keeps nothing that it compiled. A sealed process keeps nothing here, either.
  flushCompileCache();
};
process.on('message', (message) => void take(message as ToCheck).then(answer));
process.on('disconnect', () => exitProcess(0));
