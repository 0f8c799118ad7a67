import type { Instrument } from '../../../core/model/instrument.ts';
import type { EngineDeps } from '../../engine.ts';
import { FifoMarket } from './known.ts';
import type { L3Rule } from '../../l3-fifo.ts';
import { l3Fifo, needOrders } from '../../l3-fifo.ts';
import type { ModelEngineDeps } from '../../model-engine.ts';
import { ModelEngine } from '../../model-engine.ts';
import { QueueMarket } from './estimated.ts';
import type { QueueRule } from './position.ts';
import type { TakeRules } from '../walk-book.ts';

/** Settings that distinguish one such engine from another. */
export interface QueueEngineSetup extends TakeRules, Omit<ModelEngineDeps, 'model'> {
  /** How places are estimated on an instrument; a rule by name when the recording has single orders, so that places are known. */
  readonly ruleOf: ((instrument: Instrument) => QueueRule) | L3Rule;
}

/**
 * Orders have places in queues beside a recorded book: see `QueueMarket` for places that are estimated, `FifoMarket` for
 * those that are known. Throws `BadInput` when places need single orders and the data has none.
 */
export function openQueueEngine(engine: EngineDeps, setup: QueueEngineSetup): ModelEngine {
  const { ruleOf, partial, impact } = setup;
  if (typeof ruleOf !== 'string') {
    return new ModelEngine(engine, {
      ...setup,
      model: ({ instrument, fill }) => new QueueMarket({ rule: ruleOf(instrument), partial, impact, fill }),
    });
  }
  needOrders(engine.orders);
  const passing = ruleOf === l3Fifo;
  return new ModelEngine(engine, {
    ...setup,
    model: ({ fill }) => new FifoMarket({ passing, partial, impact, fill }),
  });
}
