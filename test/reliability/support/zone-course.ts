import { createHash } from 'node:crypto';
import { seconds, timeText } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { pointInTime } from '../../../src/core/config/time.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { CandleBuilder } from '../../../src/core/state/candle-builder.ts';
import { daily } from '../../../src/operate/daily.ts';
import { abcInstruments } from '../../venues/hitbtc/wire/arbitrary.ts';

// Prints for each zone of the arguments a hash of what is reckoned with times around nights in which clocks change.

const nights = [
  '2026-03-08T00:00:00Z',
  '2026-03-29T00:00:00Z',
  '2026-10-04T00:00:00Z',
  '2026-10-25T00:00:00Z',
];
const instrument = abcInstruments.at(0 as InstrumentId);

function course(): readonly unknown[] {
  const made: unknown[] = [];
  for (const night of nights) {
    const begin = pointInTime.parse(night);
    const clock = new VirtualClock(begin);
    daily({ clock, at: '02:30' }, (due) => made.push(timeText(due)));
    const builders = (['1h', '1d', '1w'] as const).map((period) => new CandleBuilder(instrument, period));
    for (let hour = 0; hour < 50; hour += 1) {
      clock.advance(seconds(3_600));
      const trade = {
        tradeId: `${hour}`,
        price: 100 as Ticks,
        quantity: 1 as Lots,
        side: 'buy',
        time: clock.now(),
      } as const;
      for (const builder of builders) made.push(builder.add(trade)?.time ?? 'open');
      made.push(timeText(clock.now()), new Date(clock.now() / 1_000).toISOString());
    }
  }
  for (const text of ['2026-03-29', '2026-03-29T02:30:00', '2026-03-29T02:30:00+01:00']) {
    const read = pointInTime.safeParse(text);
    made.push(read.success ? read.data : 'refused');
  }
  return made;
}

for (const zone of process.argv.slice(2)) {
  process.env.TZ = zone;
  const offset = new Date(Date.parse('2026-03-29T12:00:00Z')).getTimezoneOffset();
  const hash = createHash('sha256').update(JSON.stringify(course())).digest('hex');
  process.stdout.write(`${offset} ${hash}\n`);
}
