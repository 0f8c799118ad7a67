import { microsPerSecond } from '../base/clock.ts';
import { leaveCompiledCode } from '../base/compiled-code.ts';
import { SystemClock } from '../base/system-clock.ts';
import { printedPerSecondMax } from './printout.ts';

/** Members that reach beyond the thread although a strategy has no use for them: signals, the environment, other handles. */
const reaches = ['kill', '_kill', '_debugProcess', '_debugEnd', '_getActiveHandles', '_getActiveRequests'];

/**
 * Prepares this thread for the code of a strategy, which is loaded afterwards: takes from `process` what reaches beyond
 * the thread, and bounds what can wait to be printed. Text waits in the memory of both threads, so the bound stands here,
 * in front of it; it is above that of `Printout`, which says that something was left out.
 */
export function closeThread(): void {
  leaveCompiledCode();
  for (const name of reaches) Object.defineProperty(process, name, { value: undefined });
  // It lists the environment of the whole process.
  Object.defineProperty(process, 'report', { value: undefined });
  const clock = new SystemClock();
  boundWrites(process.stdout, clock);
  boundWrites(process.stderr, clock);
}

function boundWrites(stream: NodeJS.WriteStream, clock: SystemClock): void {
  const write = stream.write.bind(stream);
  let second = -1;
  let allowance = 0;
  let dropped = 0;
  stream.write = ((chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    const now = Math.floor(clock.uptime() / microsPerSecond);
    if (now !== second) {
      second = now;
      if (dropped > 0) write(`${dropped} characters more were left out\n`);
      dropped = 0;
      allowance = 2 * printedPerSecondMax;
    }
    const done = typeof encoding === 'function' ? encoding : callback;
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8');
    const kept = text.slice(0, allowance);
    allowance -= kept.length;
    dropped += text.length - kept.length;
    if (kept === '' && text !== '') {
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    }
    return write(kept, typeof done === 'function' ? () => done() : undefined);
  }) as typeof stream.write;
}
