import { headerWord } from '../formats/tables/index.ts';
import { barLayouts } from './bar-layouts.ts';
import type { FileLayout } from './layout.ts';
import { venueLayouts } from './venue-layouts.ts';

/** Layouts of trades, books and others. A test opens a sample of each: `test/data/open/layout-samples/trades.ts`. */
const tradeLayouts: readonly FileLayout[] = [
  {
    name: 'Freqtrade trades, feather',
    format: 'feather',
    file: 'BTC_USDT-trades.feather',
    begins: 'timestamp,id,type,side,price,amount,cost',
    writtenBy: 'freqtrade download-data --dl-trades since 2023.3',
  },
  {
    name: 'Freqtrade trades, JSON',
    format: 'freqtrade-trades',
    file: 'XRP_ETH-trades.json.gz',
    begins: '[[1570752000000,"1",null,"buy",0.00098,12.5,0.01225],',
    writtenBy: 'freqtrade download-data --dl-trades --data-format-trades json and jsongz',
  },
  {
    name: 'Binance trades',
    format: 'binance-trades',
    file: 'BTCUSDT-trades-2024-01-01.csv',
    begins: '3351397000,42000.10,0.0125,525.00125,1704067200123,False,True',
    writtenBy: 'data.binance.vision, spot; futures have a header and no last column',
  },
  {
    name: 'Binance aggregate trades',
    format: 'binance-trades',
    file: 'BTCUSDT-aggTrades-2024-01-01.csv',
    begins: '2854103000,42000.10,0.0125,3351397000,3351397001,1704067200123,False,True',
    writtenBy: 'data.binance.vision, spot; futures have a header and no last column',
  },
];

/** Layouts that are read, by the programs and archives that write them. */
export const layouts: readonly FileLayout[] = [...barLayouts, ...tradeLayouts, ...venueLayouts];

/** Share of the columns that must be the same. */
const sharedMin = 0.7;

/** The layout whose header has the most columns of this one; `undefined` where none has most of them. */
export function layoutNearest(header: readonly string[]): FileLayout | undefined {
  const words = new Set(header.map(headerWord).filter((word) => /[a-z]/.test(word)));
  const shares = layouts.map((layout) => ({ layout, share: shareOf(words, layout) }));
  const best = shares.reduce((most, one) => (one.share > most.share ? one : most));
  return best.share >= sharedMin ? best.layout : undefined;
}

/** Columns of both headers, of those that either has. */
function shareOf(words: ReadonlySet<string>, { begins }: FileLayout): number {
  const others = new Set(begins.split(/[,;\t]/).map(headerWord));
  const both = [...words].filter((word) => others.has(word)).length;
  return both / new Set([...words, ...others]).size;
}
