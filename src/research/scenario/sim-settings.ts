import type { z } from 'zod';
import { isTree } from '../../core/config/layers.ts';

/** What a scenario says elsewhere, by the name it has in the configuration. */
const saidElsewhere: Readonly<Record<string, string>> = {
  entryLatency: 'latency.entry',
  reportLatency: 'latency.report',
  queueModel: 'fills.queue',
  queuePower: 'fills.power',
};

/** What only the matching core heeds. */
const ofTheCore = ['fatFingerFraction', 'idReuseAfterMs'];

/** Refuses settings of the simulated venue that a scenario would not heed. */
export function refuseUnheededSim(
  {
    config,
    fills,
  }: {
    readonly config?: Readonly<Record<string, unknown>> | undefined;
    readonly fills: { readonly model: string };
  },
  context: z.RefinementCtx,
): void {
  const sim = config?.['sim'];
  if (!isTree(sim)) return;
  for (const name of Object.keys(sim)) {
    const message = whyNot(name, fills.model);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['config', 'sim', name], message });
  }
}

function whyNot(name: string, model: string): string | undefined {
  const place = saidElsewhere[name];
  if (place !== undefined) return `expected ${place} in its place, because a scenario says it there`;
  if (model === 'shadow' || !ofTheCore.includes(name)) return undefined;
  return `expected fills: {model: shadow} with it, because no other model heeds it`;
}
