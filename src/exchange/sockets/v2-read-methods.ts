import type { Instrument } from '../../core/model/instrument.ts';
import { encodeV2Currency } from '../../venues/hitbtc/wire/v2/currencies.ts';
import { encodeV2Trades } from '../../venues/hitbtc/wire/v2/public-notices.ts';
import { v2PublicMethods as table } from '../../venues/hitbtc/wire/v2/public-requests.ts';
import { encodeV2Symbol } from '../../venues/hitbtc/wire/v2/symbols.ts';
import { currencyOf } from '../market/currencies.ts';
import type { DoorSetup } from '../door-setup.ts';
import { pageOf } from '../http/page.ts';
import { currencyNotFound } from '../refusal.ts';
import type { RpcMethod } from './rpc-session.ts';
import { withParams } from './rpc-session.ts';
import { publicTradeReading } from '../market/trade-reading.ts';
import { v2Instruments, v2InstrumentsNamed, withV2Instrument } from '../market/v2-instruments.ts';

/** Reads of the v2 market data socket. Source: API v2, "Socket methods". */
export function v2ReadMethods(door: DoorSetup): [string, RpcMethod][] {
  return [...currencyMethods(door), ...symbolMethods(door), tradesMethod(door)];
}

function currencyMethods({ options }: DoorSetup): [string, RpcMethod][] {
  const currencies = options.currencies.map(currencyOf);
  const named = (name: string) => currencies.find(({ code }) => code === name.toUpperCase());
  return [
    [
      'getCurrency',
      {
        right: 'open',
        run: withParams(table.getCurrency, ({ currency, extended }) => {
          const found = named(currency);
          return found === undefined ? currencyNotFound() : JSON.stringify(encodeV2Currency(found, extended));
        }),
      },
    ],
    [
      'getCurrencies',
      {
        right: 'open',
        run: withParams(table.getCurrencies, ({ currency, extended }) => {
          const wanted = currency?.flatMap((name) => named(name) ?? []) ?? currencies;
          return JSON.stringify(wanted.map((one) => encodeV2Currency(one, extended)));
        }),
      },
    ],
  ];
}

function symbolMethods({ world: { core } }: DoorSetup): [string, RpcMethod][] {
  const symbolOf = (instrument: Instrument) =>
    encodeV2Symbol({ ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    [
      'getSymbol',
      {
        right: 'open',
        run: withParams(table.getSymbol, ({ symbol }) =>
          withV2Instrument(core, symbol, (instrument) => JSON.stringify(symbolOf(instrument))),
        ),
      },
    ],
    [
      'getSymbols',
      {
        right: 'open',
        run: withParams(table.getSymbols, ({ symbol }) =>
          JSON.stringify(v2InstrumentsNamed(core, symbol).map(symbolOf)),
        ),
      },
    ],
  ];
}

/** Without a symbol the result is a list, one `{data,symbol}` per symbol. */
function tradesMethod({ world: { core } }: DoorSetup): [string, RpcMethod] {
  return [
    'getTrades',
    {
      right: 'open',
      run: withParams(table.getTrades, ({ symbol, page }) => {
        const tradesOf = (instrument: Instrument) =>
          encodeV2Trades(instrument, pageOf(core.market(instrument.id).trades, page, publicTradeReading));
        return symbol === undefined
          ? `[${v2Instruments(core).map(tradesOf).join(',')}]`
          : withV2Instrument(core, symbol, tradesOf);
      }),
    },
  ];
}
