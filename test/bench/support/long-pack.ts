import type { Micros } from '../../../src/core/base/clock.ts';
import { openPack } from '../../../src/data/pack/event.ts';
import { PackWriter } from '../../../src/data/pack/writer.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';

/** A recording of a pack, repeated until it has `changesMin` level changes and trades, in shared memory. */
export function longPack(
  path: string,
  changesMin: number,
): { readonly bytes: Uint8Array; readonly changes: number } {
  const pack = openPack(path);
  const events = [...pack.batches()].flat();
  const specs = pack.header.instruments;
  pack.close();
  const parts: Uint8Array[] = [];
  const writer = new PackWriter((bytes) => parts.push(bytes), { instruments: specs, codec: 'none' });
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) throw new Error('the pack is empty');
  const span = last.receiveTime - first.receiveTime + 1_000_000;
  let changes = 0;
  for (let round = 0; changes < changesMin; round++) {
    const by = round * span;
    for (const event of events) {
      writer.add({
        ...event,
        exchangeTime: (event.exchangeTime + by) as Micros,
        receiveTime: (event.receiveTime + by) as Micros,
      } as Event);
      changes += changesIn(event);
    }
  }
  writer.finish();
  const bytes = new Uint8Array(new SharedArrayBuffer(writer.length));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, changes };
}

function changesIn(event: Event): number {
  if (event.kind === 'trades') return event.trades.length;
  return event.kind === 'bookUpdate' || event.kind === 'bookSnapshot'
    ? (event.end - event.start) / levelStride
    : 0;
}
