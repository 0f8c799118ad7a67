import { vi } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import { waitMax } from './until.ts';

/** Waits until what is expected holds, as long as `until` does; then the last failure of the expectation is thrown. */
export async function holds(expectation: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(expectation, { timeout: waitMax / millis(1), interval: 20 });
}
