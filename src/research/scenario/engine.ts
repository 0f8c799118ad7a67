import { multiply, parseAmount } from '../../core/base/amount.ts';
import { assert } from '../../core/base/assert.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { LoadedScenario } from './load.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { EngineSetup, OpenEngine } from '../../sim/engine.ts';
import { FeeSchedule } from '../../sim/fee-schedule.ts';
import type { Funded } from '../../sim/funding-rules.ts';
import { isL3Rule } from '../../sim/l3-fifo.ts';
import type { LiquidationLog } from '../../sim/liquidation-log.ts';
import { PerpetualAccount } from '../../sim/perpetual-account.ts';
import { PerpetualFunding } from '../../sim/perpetual-funding.ts';
import { PerpetualLiquidation } from '../../sim/perpetual-liquidation.ts';
import type { OpenFillModel } from '../../sim/fill-models/model.ts';
import type { ModelEngineSetup } from '../../sim/model-engine.ts';
import { ModelEngine } from '../../sim/model-engine.ts';
import type { QueueEngineSetup } from '../../sim/fill-models/queue/engine.ts';
import { openQueueEngine } from '../../sim/fill-models/queue/engine.ts';
import { lotOf } from '../../sim/queue-model.ts';
import { queueRuleOf } from '../../sim/fill-models/queue/position.ts';
import { ShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import { SpotAccount } from '../../sim/account.ts';
import type { FundingTerms } from './position-terms.ts';
import type { Scenario } from './scenario.ts';
import type { QueueFills } from './tick-fills.ts';

/** Who hears of what a venue does to positions. */
export interface PositionEvents {
  readonly funded: Funded;
  readonly liquidations: LiquidationLog;
}

/** The fill model of a scenario that is driven by books and trades; `model` is that of its module, where it names one. Throws `ConfigError` on what does not go together. */
export function engineOf(
  { scenario, file }: LoadedScenario,
  positions: PositionEvents,
  model: OpenFillModel | undefined,
): OpenEngine {
  const { fills, instrument } = scenario;
  switch (fills.model) {
    case 'shadow':
      refuseFor(isContract(instrument), `${file}: instrument.kind: ${instrument?.kind}`);
      refuseFor((instrument?.fees?.tiers.length ?? 0) > 0, `${file}: instrument.fees.tiers`);
      return (setup) => new ShadowEngine(setup);
    case 'queue':
      return (setup) =>
        openQueueEngine(setup, {
          ...venueOf(setup, scenario, positions),
          ruleOf: ruleOf(fills),
          partial: fills.partial,
          impact: fills.impact,
        });
    case 'module':
      assert(model !== undefined, 'a fill model that was not loaded');
      return (setup) => new ModelEngine(setup, { ...venueOf(setup, scenario, positions), model });
    default:
      throw new ConfigError(
        `${file}: fills.model: expected shadow or queue for data with books, found ${fills.model}`,
      );
  }
}

/** The fill model in words, for the head of a report. */
export function fillText({ fills, instrument }: Scenario): string {
  switch (fills.model) {
    case 'shadow':
      return `queue ${fills.queue}, recorded market as shadow orders`;
    case 'queue':
      return `queue ${isL3Rule(fills.queue) ? '' : 'estimate '}${fills.queue}, ${fills.partial ? 'partial fills' : 'whole fills only'}, ${fills.impact ? 'takes depth' : 'no impact'}${positionText(instrument)}`;
    case 'module':
      return `module ${fills.module}${positionText(instrument)}`;
    default:
      return fills.model;
  }
}

function positionText(instrument: Scenario['instrument']): string {
  const liquidation = instrument?.liquidation;
  const closed = liquidation === undefined ? '' : `, ${liquidationText(liquidation.rate)}`;
  return closed + fundingText(instrument?.funding);
}

/** In words. */
export function liquidationText(rate: string): string {
  return `liquidation at ${rate} of the margin`;
}

/** In words, as more of a fill model. */
export function fundingText(terms: FundingTerms | undefined): string {
  return terms === undefined ? '' : `, funding ${terms.rate} every ${terms.every / 60_000_000} min`;
}

function isContract(instrument: Scenario['instrument']): boolean {
  return instrument !== undefined && instrument.kind !== 'spot';
}

function refuseFor(isSaid: boolean, what: string): void {
  if (!isSaid) return;
  throw new ConfigError(
    `${what}: expected fills: {model: queue} with it, because model shadow settles spot with one fee`,
  );
}

/** The account that pays, its fees, and what positions cost. */
function venueOf(
  { instruments, balances }: EngineSetup,
  { instrument: said }: Scenario,
  positions: PositionEvents,
): Omit<ModelEngineSetup, 'model'> {
  const contracts = isContract(said)
    ? new PerpetualAccount(instruments, balances, said?.leverage)
    : undefined;
  const tiers = (said?.fees?.tiers ?? []).map(({ volume, maker, taker }) => ({
    volume: parseAmount(volume),
    makeRate: parseAmount(maker),
    takeRate: parseAmount(taker),
  }));
  const { fixed = '0', perUnit = '0' } = said?.fees ?? {};
  const feesOf = (instrument: Instrument) =>
    instrument.symbol === said?.symbol
      ? new FeeSchedule(instrument, tiers, {
          fixed: parseAmount(fixed),
          perLot: multiply(parseAmount(perUnit), instrument.quantityAmount(1 as Lots)),
        })
      : new FeeSchedule(instrument, []);
  return {
    account: contracts ?? new SpotAccount(balances),
    funding: fundingOf(said?.funding, contracts, positions.funded),
    liquidation: liquidationOf(said, contracts, positions.liquidations),
    fees: instruments.all.map(feesOf),
  };
}

function fundingOf(
  terms: FundingTerms | undefined,
  account: PerpetualAccount | undefined,
  funded: Funded,
): QueueEngineSetup['funding'] {
  if (terms === undefined || account === undefined) return undefined;
  const rules = { rate: parseAmount(terms.rate), every: terms.every };
  return (markets) => new PerpetualFunding(rules, { account, markets, funded });
}

function liquidationOf(
  said: Scenario['instrument'],
  account: PerpetualAccount | undefined,
  log: LiquidationLog,
): QueueEngineSetup['liquidation'] {
  if (said?.liquidation === undefined || said.leverage === undefined || account === undefined)
    return undefined;
  const { leverage } = said;
  const rules = { rate: parseAmount(said.liquidation.rate), leverage: parseAmount(String(leverage)) };
  return (venue) => new PerpetualLiquidation(rules, { ...venue, account, log });
}

function ruleOf({ queue, power }: QueueFills): QueueEngineSetup['ruleOf'] {
  if (isL3Rule(queue)) return queue;
  return (instrument) => queueRuleOf(queue, power, lotOf(instrument));
}
