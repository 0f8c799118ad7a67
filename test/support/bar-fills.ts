import type { z } from 'zod';
import type { BarFills } from '../../src/research/scenario/bar-fills.ts';
import { barFills } from '../../src/research/scenario/bar-fills.ts';

export type BarFillsInput = z.input<(typeof barFills)[0]>;

/** What a scenario says of bars, checked; throws a `ZodError` otherwise. `model` may be left out. */
export function readBarFills(text: Omit<BarFillsInput, 'model'>): BarFills {
  return barFills[0].parse({ model: 'bars', ...text });
}
