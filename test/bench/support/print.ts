import type { Printed } from './row.ts';

/** What a program of `variants/` says to the bench that started it. */
export function print(result: Printed): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** The value below which `share` of all lie. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/**
 * Microseconds of processor time this process has used, in all its threads: what the work takes of one core, whoever
 * else is on the machine. Garbage collection and compilation beside the main thread count.
 */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds since an arbitrary start. */
export function nowMicros(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}
