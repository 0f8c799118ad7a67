import { multiply, parseAmount } from '../../core/base/amount.ts';
import { assert } from '../../core/base/assert.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { LoadedScenario } from './load.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type {
  EngineDeps,
  OpenEngine,
  Funded,
  LiquidationLog,
  PerpetualLiquidationRules,
  ModelEngineDeps,
  SharedEngine,
  SimAccount,
} from '../../sim/index.ts';
import {
  FeeSchedule,
  isL3Rule,
  PerpetualAccount,
  PerpetualFunding,
  PerpetualLiquidation,
  ModelEngine,
  lotOf,
  SpotAccount,
  JointAccount,
} from '../../sim/index.ts';
import type { OpenFillModel } from '../../sim/fill-models/models.ts';
import type { QueueEngineSetup } from '../../sim/fill-models/queue/index.ts';
import { openQueueEngine, queueRuleOf } from '../../sim/fill-models/queue/index.ts';
import { ShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import { keepsMargin } from './margin-checks.ts';
import type { Scenario } from './scenario.ts';
import { isContract, saidInstruments, instrumentTerms } from './sources.ts';
import type { QueueFills } from './tick-fills.ts';
import { usualQueueFills } from './tick-fills.ts';

/** Listeners to what a venue does to positions. */
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
  const { fills } = scenario;
  switch (fills.model) {
    case 'shadow':
      for (const { kind, fees } of saidInstruments(scenario)) {
        refuseFor(kind !== 'spot' && !keepsMargin(scenario), `${file}: instrument.kind: ${kind}`);
        refuseFor((fees?.tiers.length ?? 0) > 0, `${file}: instrument.fees.tiers`);
      }
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

/**
 * The fill model of a recorded market on which the accounts of an exchange trade, each paid from its own wallets. Of `queue` the
 * terms are those that scenarios begin with; the queue model of `fifo` is that of the simulation.
 */
export function sharedEngineOf(name: 'fifo' | 'queue'): (setup: EngineDeps) => SharedEngine {
  if (name === 'fifo') return (setup) => new ShadowEngine(setup);
  const { partial, impact, ...rule } = usualQueueFills;
  return (setup) => openQueueEngine(setup, { fees: [], ruleOf: ruleOf(rule), partial, impact });
}

function refuseFor(isSaid: boolean, what: string): void {
  if (!isSaid) return;
  throw new ConfigError(
    `${what}: expected fills: {model: queue} with it, because model shadow settles spot with one fee`,
  );
}

/** The account that pays, its fees, and what positions cost. */
function venueOf(
  { instruments, balances }: EngineDeps,
  scenario: Scenario,
  positions: PositionEvents,
): Omit<ModelEngineDeps, 'model'> {
  if (keepsMargin(scenario)) return { account: new SpotAccount(balances), fees: [] };
  const termsFor = (instrument: Instrument) => instrumentTerms(scenario, instrument).terms;
  const contracts = instruments.all.filter((one) => isContract(termsFor(one)));
  const spot = instruments.all.filter((one) => !contracts.includes(one));
  const settled = new Set(contracts.map(({ spec }) => spec.quoteCurrency));
  const margin =
    contracts.length === 0
      ? undefined
      : new PerpetualAccount(
          { all: contracts },
          spot.length === 0 ? balances : balances.filter(({ currency }) => settled.has(currency)),
          (one) => termsFor(one)?.leverage,
        );
  const wallet = new SpotAccount(
    margin === undefined ? balances : balances.filter(({ currency }) => !settled.has(currency)),
  );
  return {
    account: accountOf({ margin, contracts, wallet, spot }),
    funding: margin && fundingOf(scenario, margin, positions.funded),
    liquidation:
      margin && liquidationOf(scenario, contracts, { account: margin, log: positions.liquidations }),
    fees: instruments.all.map((one) => feesOf(scenario, one)),
  };
}

function accountOf(parts: {
  readonly margin: PerpetualAccount | undefined;
  readonly contracts: readonly Instrument[];
  readonly wallet: SpotAccount;
  readonly spot: readonly Instrument[];
}): SimAccount {
  const { margin, contracts, wallet, spot } = parts;
  if (margin === undefined) return wallet;
  if (spot.length === 0) return margin;
  return new JointAccount([
    { account: wallet, pays: spot },
    { account: margin, pays: contracts },
  ]);
}

function feesOf(scenario: Scenario, instrument: Instrument): FeeSchedule {
  const { terms, isOwn } = instrumentTerms(scenario, instrument);
  if (!isOwn) return new FeeSchedule(instrument, []);
  const tiers = (terms?.fees?.tiers ?? []).map(({ volume, maker, taker }) => ({
    volume: parseAmount(volume),
    makeRate: parseAmount(maker),
    takeRate: parseAmount(taker),
  }));
  const { fixed = '0', perUnit = '0' } = terms?.fees ?? {};
  return new FeeSchedule(instrument, tiers, {
    fixed: parseAmount(fixed),
    perLot: multiply(parseAmount(perUnit), instrument.quantityAmount(1 as Lots)),
  });
}

function fundingOf(
  scenario: Scenario,
  account: PerpetualAccount,
  funded: Funded,
): ModelEngineDeps['funding'] {
  const rules = new Map(
    saidInstruments(scenario).flatMap(({ funding }) =>
      funding === undefined || 'file' in funding
        ? []
        : [[funding, { rate: parseAmount(funding.rate), every: funding.every }]],
    ),
  );
  if (rules.size === 0) return undefined;
  const rulesOf = (instrument: Instrument) => {
    const funding = instrumentTerms(scenario, instrument).terms?.funding;
    return funding === undefined || 'file' in funding ? undefined : rules.get(funding);
  };
  return (markets) => new PerpetualFunding(rulesOf, { account, markets, funded });
}

function liquidationOf(
  scenario: Scenario,
  contracts: readonly Instrument[],
  parts: { readonly account: PerpetualAccount; readonly log: LiquidationLog },
): ModelEngineDeps['liquidation'] {
  const rules = new Map<string, PerpetualLiquidationRules>();
  for (const instrument of contracts) {
    const { leverage, liquidation } = instrumentTerms(scenario, instrument).terms ?? {};
    if (leverage === undefined || liquidation === undefined) continue;
    const { quoteCurrency } = instrument.spec;
    rules.set(quoteCurrency, {
      rate: parseAmount(liquidation.rate),
      leverage: parseAmount(String(leverage)),
    });
  }
  if (rules.size === 0) return undefined;
  return (venue) => new PerpetualLiquidation((currency) => rules.get(currency), { ...venue, ...parts });
}

function ruleOf({ queue, power }: Pick<QueueFills, 'queue' | 'power'>): QueueEngineSetup['ruleOf'] {
  if (isL3Rule(queue)) return queue;
  return (instrument) => queueRuleOf(queue, power, lotOf(instrument));
}
