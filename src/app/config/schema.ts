import { z } from 'zod';
import { budgetOptions } from '../../venues/hitbtc/budgets/options.ts';
import { clientOptions } from '../../venues/options.ts';
import { recorderOptions } from '../../data/recording/options.ts';
import { seriesFiles } from '../../data/series/options.ts';
import { gateOptions } from '../../core/gate/options.ts';
import { journalOptions } from '../../core/journal/options.ts';
import { strategyLimits } from '../../core/orders/base/options.ts';
import { orderOptions } from '../../core/orders/options.ts';
import { exchangeOptions } from '../../exchange/server/options.ts';
import { figureOptions } from '../../research/statistics/options.ts';
import { simOptions } from '../../sim/options.ts';
import { stateOptions } from '../../core/state/options.ts';
import { driftOptions, operateOptions } from '../../operate/options.ts';
import {
  backtestSection,
  gatewaySection,
  logSection,
  notifySection,
  operateTokens,
  programSection,
  runSection,
  sentinelSection,
  shadowSection,
  strategySection,
  venueSection,
} from './sections.ts';

/** The whole configuration: strict, composed of the options of each folder. */
export const configSchema = z.strictObject({
  account: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('name of the account; live trading refuses to start without it'),
  venue: venueSection.prefault({}),
  run: runSection.prefault({}),
  strategies: z
    .array(strategySection.extend({ limits: strategyLimits.prefault({}) }))
    .max(100)
    .default([]),
  programs: z
    .array(programSection.extend({ limits: strategyLimits.omit({ symbols: true }).prefault({}) }))
    .max(100)
    .default([])
    .describe('programs of others that trade through godwit gateway'),
  gateway: gatewaySection.prefault({}),
  series: seriesFiles
    .optional()
    .describe('files of the series that strategies declare, by name; relative to the working directory'),
  shadow: shadowSection.prefault({}),
  orders: orderOptions.prefault({}),
  gate: gateOptions.prefault({}),
  budgets: budgetOptions.prefault({}),
  sim: simOptions.prefault({}),
  backtest: backtestSection.prefault({}),
  report: figureOptions.prefault({}).describe('how the figures of a report are made'),
  exchange: exchangeOptions.prefault({}),
  client: clientOptions.prefault({}),
  journal: journalOptions.prefault({}),
  state: stateOptions.prefault({}),
  record: recorderOptions
    .extend({
      directory: z.string().min(1).default('recordings').describe('where frame logs are written'),
      symbols: z.array(z.string()).max(10_000).default([]).describe('symbols to record'),
    })
    .prefault({}),
  operate: operateOptions
    .extend({
      tokens: operateTokens,
      notify: notifySection,
      drift: driftOptions
        .optional()
        .describe('once a day the last day is compared with its backtest; needs a run that is recorded'),
    })
    .prefault({}),
  sentinel: sentinelSection.prefault({}),
  log: logSection.prefault({}),
});

export type Config = z.output<typeof configSchema>;
