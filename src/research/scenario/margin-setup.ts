import { parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { listed } from '../../core/base/listed.ts';
import type { Instrument, InstrumentSpec, Instruments } from '../../core/model/instrument.ts';
import type { MarginRule } from '../../core/model/margin-math.ts';
import { defaultMarginRule } from '../../core/model/margin-math.ts';
import type { Balance } from '../../core/model/market.ts';
import type { ChargeRow, Charges, ChargeSchedule, MarginDeps } from '../../sim/index.ts';
import { fundingRatesOf } from '../../data/formats/series/index.ts';
import { AnnouncedFunding, constantCharge, listedCharge } from '../../sim/index.ts';
import type { LoadedScenario } from './load.ts';
import { keepsMargin, productsOf } from './margin-checks.ts';
import { pathBeside, readFileBytes } from './read-text.ts';
import type { Scenario } from './scenario.ts';
import type { InstrumentTerms } from './sources.ts';
import { instrumentTerms } from './sources.ts';

/** The margin and futures accounts of a scenario; `undefined` where it trades spot alone. Throws `BadInput` with file and line. */
export function marginSetupOf(
  { scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>,
  instruments: Instruments,
  futures: readonly Balance[],
): MarginDeps | undefined {
  if (!keepsMargin(scenario)) return undefined;
  const charges = instruments.all.flatMap((instrument): Charges[] => {
    const { terms, isOwn } = instrumentTerms(scenario, instrument);
    const { id } = instrument;
    const isContract = instrument.spec.type === 'futures';
    const announced = { instrument: id, kind: 'funding', schedule: new AnnouncedFunding() } as const;
    if (terms === undefined || !isOwn) return isContract ? [announced] : [];
    const { funding, margin } = terms;
    return [
      ...(isContract && funding === undefined ? [announced] : []),
      ...(isContract && funding !== undefined
        ? [
            {
              instrument: id,
              kind: 'funding',
              schedule: fundingOf(funding, file, instrument.symbol),
            } as const,
          ]
        : []),
      ...(margin?.interest === undefined
        ? []
        : [{ instrument: id, kind: 'interest', schedule: constant(margin.interest) } as const]),
    ];
  });
  const rules = instruments.all.map((instrument) => ruleOf(scenario, instrument));
  return { futures, ruleOf: ({ id }) => rules[id], charges };
}

/** The spec of an instrument with what the products of the scenario make of it. */
export function withProducts(
  spec: InstrumentSpec,
  { kind, margin }: InstrumentTerms,
  scenario: Pick<Scenario, 'products'>,
): InstrumentSpec {
  const product = kind === 'spot' ? 'margin' : 'futures';
  if (!productsOf(scenario).includes(product)) return spec;
  const leverage = margin?.leverage ?? spec.maxInitialLeverage ?? '10';
  return {
    ...spec,
    type: product === 'futures' ? 'futures' : spec.type,
    marginTrading: true,
    maxInitialLeverage: leverage,
  };
}

function ruleOf(scenario: Scenario, instrument: Instrument): MarginRule | undefined {
  const usual = defaultMarginRule(instrument);
  const { terms, isOwn } = instrumentTerms(scenario, instrument);
  const said = isOwn ? terms?.margin : undefined;
  const product = instrument.spec.type === 'futures' ? 'futures' : 'margin';
  if (usual === undefined || !productsOf(scenario).includes(product)) return undefined;
  if (said === undefined) return usual;
  return {
    ...usual,
    ...(said.call !== undefined && { callMultiplier: parseAmount(said.call) }),
    liquidationMultiplier: parseAmount(said.liquidation),
    ...(said.forceClose !== undefined && { forceCloseRate: parseAmount(said.forceClose) }),
    ...(said.interest !== undefined && { interestRate: parseAmount(said.interest.rate) }),
  };
}

function fundingOf(
  funding: NonNullable<InstrumentTerms['funding']>,
  file: string,
  symbol: string,
): ChargeSchedule {
  return 'file' in funding
    ? listedCharge(readFundingFile(pathBeside(file, funding.file), symbol))
    : constant(funding);
}

function constant({ rate, every }: { readonly rate: string; readonly every: number }): ChargeSchedule {
  return constantCharge({ rate: parseAmount(rate), every: every as Micros });
}

/** The rates of a file that are of this symbol, or of none. Throws `BadInput` with file and line. */
function readFundingFile(path: string, symbol: string): readonly ChargeRow[] {
  const rates = fundingRatesOf(readFileBytes(path, 'a file of funding rates'), path);
  const own = rates.filter((rate) => rate.symbol === '' || rate.symbol === symbol);
  if (own.length > 0) return own;
  const named = listed([...new Set(rates.map((rate) => rate.symbol))], 4);
  throw new BadInput(`${path}: expected funding rates of ${symbol}, found those of ${named}`);
}
