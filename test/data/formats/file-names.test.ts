import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { newFolder, writeLines } from './support/files.ts';

const folder = newFolder();

async function marketOf(name: string): Promise<string> {
  const rows = [1, 2, 3].map((day) => `2024-01-0${day},1,2,1,2,5`);
  const { instruments } = await openData(
    writeLines(folder, name, ['date,open,high,low,close,volume', ...rows]),
  );
  const { symbol, baseCurrency, quoteCurrency } = instruments.all[0]?.spec ?? {};
  return `${symbol} ${baseCurrency} ${quoteCurrency}`;
}

describe('the symbol a file is named for', () => {
  test.each([
    ['BINANCE_BTCUSDT, 1D.csv', 'BTCUSDT BTC USDT'],
    ['BINANCE_BTCUSD.csv', 'BTCUSD BTC USD'],
    ['BITSTAMP_ETHEUR, D.csv', 'ETHEUR ETH EUR'],
    ['Binance_BTCUSDT_d.csv', 'BTCUSDT BTC USDT'],
    ['Coinbase_ETHGBP_1h.csv', 'ETHGBP ETH GBP'],
    ['DAT_ASCII_EURUSD_M1_2023.csv', 'EURUSD EUR USD'],
    ['XRP_ETH-1m.csv', 'XRPETH XRP ETH'],
    ['ABC_XYZ.csv', 'ABCXYZ ABC XYZ'],
    ['ETH-EUR.csv', 'ETHEUR ETH EUR'],
    ['bitstampUSD_1-min_data_2012-01-01_to_2021-03-31.csv', 'BTCUSD BTC USD'],
    ['AAPL_D.csv', 'AAPL AAPL USD'],
    ['goog_daily.csv', 'GOOG GOOG USD'],
    ['mine_GOOG.csv', 'GOOG GOOG USD'],
    ['SPY_adj.csv', 'SPY SPY USD'],
    ['trades.csv', 'TRADES TRADES USD'],
  ])('%s is of %s', async (name, market) => {
    expect(await marketOf(name)).toBe(market);
  });

  test.each(['Binance_d.csv', 'D.csv', 'kraken_1h_2024.csv'])(
    'is no venue, no period and no date: %s asks for one',
    async (name) => {
      await expect(marketOf(name)).rejects.toThrow(
        'expected a symbol in a column of the table or in the name of its file, found neither; name it with --symbol SYMBOL',
      );
    },
  );
});
