import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { parseAmount } from '../base/amount.ts';
import { Exchange } from '../matching/exchange.ts';
import type { InstrumentSpec } from '../model/instrument.ts';
import { Instruments } from '../model/instrument.ts';
import { Accounts } from './accounts.ts';
import { Core } from './core.ts';
import { Expiries } from './expiries.ts';
import { Flow } from './flow.ts';
import type { ExchangeOptions, SymbolOptions } from './options.ts';
import { OrderEntry } from './order-entry.ts';
import { Rates } from './rates.ts';
import { Reports } from './reports.ts';

/** Order and trade numbers of live hosts lie above 2^40; clients must cope, so ours do too. Source: v3-gaps, section 2.3. */
const orderNumberStart = 1_200_000_000_001;
const tradeNumberStart = 2_000_000_001;

/** The exchange without its doors: accounts, core, market flow, and what turns requests into commands. */
export interface World {
  readonly accounts: Accounts;
  readonly core: Core;
  readonly entry: OrderEntry;
  readonly rates: Rates;
  readonly reports: Reports;
  readonly flow: Flow | undefined;
  readonly expiries: Expiries;
}

/** Builds the exchange as the options say, with opening balances paid in. Nothing runs yet. */
export function makeWorld(options: ExchangeOptions, clock: Clock, random: Random): World {
  const instruments = new Instruments(options.symbols.map(specOf));
  const accounts = new Accounts(options.accounts, random.fork('keys'));
  const exchange = new Exchange({ instruments, options: { orderNumberStart, tradeNumberStart } });
  const core = new Core({ instruments, exchange, accounts, clock, history: options.history });
  for (const { name, balances } of options.accounts) {
    for (const [currency, amount] of Object.entries(balances)) {
      core.handle({
        kind: 'adjustBalance',
        account: accounts.get(name).id,
        currency,
        change: parseAmount(amount),
      });
    }
  }
  const reports = new Reports(clock, options.publish.balanceBatchMs);
  core.listen(reports);
  const flow = options.flow.enabled
    ? new Flow({
        core,
        accounts,
        clock,
        random: random.fork('flow'),
        currencies: options.currencies,
        options: options.flow,
      })
    : undefined;
  return {
    accounts,
    core,
    entry: new OrderEntry(core, random.fork('order ids')),
    rates: new Rates(core),
    reports,
    flow,
    expiries: new Expiries(core, clock),
  };
}

function specOf(symbol: SymbolOptions): InstrumentSpec {
  const { maxInitialLeverage, ...rest } = symbol;
  return {
    ...rest,
    type: 'spot',
    feeCurrency: symbol.quoteCurrency,
    ...(maxInitialLeverage !== undefined && { maxInitialLeverage }),
  };
}
