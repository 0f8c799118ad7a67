import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, parseAmount } from '../../core/base/amount.ts';
import { Decimal } from '../../core/base/decimal.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { MarginRule } from '../../core/model/margin-math.ts';
import { defaultMarginRule } from '../../core/model/margin-math.ts';
import type { Instrument, InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { MarginOptions, MarginRuleOptions } from './options.ts';

/** Demands of margin on one instrument: what the core reckons with, and what the configuration shows. */
export interface ShownMarginRule extends MarginRule {
  readonly shown: MarginRuleOptions;
}

/** The rules of every instrument that is traded on margin. Throws `BadInput` when the options name an unknown one. */
export function marginRules(
  instruments: Instruments,
  options: MarginOptions,
): ReadonlyMap<InstrumentId, ShownMarginRule> {
  for (const symbol of Object.keys(options.symbols)) {
    if (instruments.find(symbol) !== undefined) continue;
    throw new BadInput(`exchange option margin.symbols: expected a symbol that is traded, found ${symbol}`);
  }
  const rules = new Map<InstrumentId, ShownMarginRule>();
  for (const instrument of instruments.all) {
    const rule = ruleOf(instrument, options);
    if (rule !== undefined) rules.set(instrument.id, rule);
  }
  return rules;
}

function ruleOf(instrument: Instrument, options: MarginOptions): ShownMarginRule | undefined {
  const plain = defaultMarginRule(instrument);
  if (plain === undefined) return undefined;
  const isContract = instrument.spec.type === 'futures';
  const given = Object.entries(options.symbols[instrument.symbol] ?? {}).filter(
    ([, text]) => text !== undefined,
  );
  const shown: MarginRuleOptions = {
    ...(isContract ? options.futures : options.spot),
    ...Object.fromEntries(given),
  };
  return {
    leverage: plain.leverage,
    callMultiplier: parseAmount(shown.callMultiplier),
    liquidationMultiplier: parseAmount(shown.liquidationMultiplier),
    interestRate: isContract ? undefined : parseAmount(options.interestRate),
    forceCloseRate: parseAmount(shown.forceCloseFee),
    volumeMax: volumeMaxOf(shown, plain.leverage),
    shown,
  };
}

/**
 * limit_base × (greatest leverage / leverage) ^ limit_power, cut to the unit; unlimited up to unlimited_threshold.
 * No source gives a formula: docs/assumptions.md. Each leverage is reckoned once.
 */
function volumeMaxOf(
  { limitBase, limitPower, unlimitedThreshold }: MarginRuleOptions,
  greatest: Amount,
): (leverage: Amount) => Amount | undefined {
  const threshold = parseAmount(unlimitedThreshold);
  const known = new Map<Amount, Amount>();
  return (leverage) => {
    if (leverage <= threshold) return undefined;
    const seen = known.get(leverage);
    if (seen !== undefined) return seen;
    const ratio = new Decimal(formatAmount(greatest)).div(formatAmount(leverage));
    const limit = ratio.pow(limitPower).mul(limitBase).floor().toFixed();
    const amount = parseAmount(limit);
    // Leverage has two decimals and an upper end, so there are not many.
    if (known.size < leveragesMax) known.set(leverage, amount);
    return amount;
  };
}

const leveragesMax = 10_000;
