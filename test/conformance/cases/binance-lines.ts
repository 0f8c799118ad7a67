import { BinanceReader } from '../../../src/data/binance/raw.ts';
import { surveyBinance } from '../../../src/data/binance/survey.ts';
import { readLines } from '../../../src/data/recording/lines.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ConformanceCase } from '../case.ts';
import { data } from '../recorded.ts';

const files = [
  'usdm_btcusdt_20240718.gz',
  'usdm_btcusdt_20240719.gz',
  'usdm_btcusdt_20240808.gz',
  'spot_btcusdt_20240808.gz',
  'spot_btcusdt_20240809.gz',
  'cm_btcusd_perp_20240808.gz',
  'cm_btcusd_perp_20240809.gz',
];

/** Both readings of every recorded line tell the same. */
export const cases: readonly ConformanceCase[] = files.map((file) => ({
  name: `binance lines: bytes and JSON tell the same of ${file}`,
  needs: [`binance-raw/${file}`],
  run: async () => {
    const path = `${data}binance-raw/${file}`;
    const { specs } = await surveyBinance([path]);
    const instruments = new Instruments(specs);
    const scanned: Event[] = [];
    const parsed: Event[] = [];
    const bytes = new BinanceReader({ instruments, publish: (event) => scanned.push(event) });
    const json = new BinanceReader({ instruments, publish: (event) => parsed.push(event), reading: 'json' });
    bytes.startFile(path, 0);
    json.startFile(path, 0);
    for await (const { number, lines } of readLines(path)) {
      for (const [index, line] of lines.entries()) {
        bytes.accept(line, number + index);
        json.accept(line, number + index);
        const [a, b] = [scanned.map(wordsOf).join(), parsed.map(wordsOf).join()];
        if (a !== b) throw new Error(`${file}:${number + index}: bytes tell ${a}, JSON tells ${b}`);
        scanned.length = 0;
        parsed.length = 0;
      }
    }
  },
}));

/** All of an event, levels written out. */
function wordsOf(event: Event): string {
  if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') return JSON.stringify(event);
  const levels = event.levels.subarray(event.start, event.end).join(' ');
  return `${event.kind} ${event.instrument} ${event.sequence} ${event.exchangeTime} ${event.receiveTime} ${levels}`;
}
