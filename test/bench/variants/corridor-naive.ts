import { Decimal } from 'decimal.js';
import { Subject } from 'rxjs';
import { openPack } from '../../../src/data/pack/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';
import { median, cpuMicros, print } from '../support/print.ts';

// How this is written when nobody counts: one Subject of event objects, operators left out, books as maps of decimals,
// prices and sizes decimal.js. No orders, no matching, no journal: it does less than ours. Usage: node corridor-naive.ts PACK...

interface LevelChange {
  readonly kind: 'level';
  readonly side: 'bid' | 'ask';
  readonly price: Decimal;
  readonly size: Decimal;
}

/** Best prices are cached, and looked for anew only when the best level goes. */
class NaiveSide {
  readonly #levels = new Map<string, Decimal>();
  readonly #better: (a: Decimal, b: Decimal) => boolean;
  best: Decimal | undefined;

  constructor(better: (a: Decimal, b: Decimal) => boolean) {
    this.#better = better;
  }

  set({ price, size }: LevelChange): void {
    const key = price.toString();
    if (size.isZero()) {
      this.#levels.delete(key);
      if (this.best?.eq(price) === true) this.#find();
      return;
    }
    this.#levels.set(key, size);
    if (this.best === undefined || this.#better(price, this.best)) this.best = price;
  }

  #find(): void {
    this.best = undefined;
    for (const key of this.#levels.keys()) {
      const price = new Decimal(key);
      if (this.best === undefined || this.#better(price, this.best)) this.best = price;
    }
  }
}

const changesMax = 60_000;
const walls: number[] = [];
let changes = 0;
for (let pass = 0; pass < 3; pass++) {
  changes = 0;
  let wall = 0;
  for (const path of process.argv.slice(2)) {
    const pack = openPack(path);
    const [instrument] = pack.instruments.all;
    if (instrument === undefined) throw new Error('the pack names no instrument');
    const events = [...pack.batches()].flat();
    pack.close();
    const bids = new NaiveSide((a, b) => a.gt(b));
    const asks = new NaiveSide((a, b) => a.lt(b));
    const subject = new Subject<LevelChange>();
    let spread = new Decimal(0);
    subject.subscribe((change) => (change.side === 'bid' ? bids : asks).set(change));
    subject.subscribe(() => {
      if (bids.best !== undefined && asks.best !== undefined) spread = asks.best.minus(bids.best);
    });
    const start = cpuMicros();
    let here = 0;
    for (const event of events) {
      if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
      for (let at = event.start; at < event.end; at += levelStride) {
        subject.next({
          kind: 'level',
          side: event.levels[at] === 0 ? 'bid' : 'ask',
          price: new Decimal(instrument.priceText(event.levels[at + 1] as never)),
          size: new Decimal(instrument.quantityText(event.levels[at + 2] as never)),
        });
        here += 1;
      }
      if (here >= changesMax) break;
    }
    wall += cpuMicros() - start;
    changes += here;
    if (spread.isNaN()) throw new Error('there was no spread');
  }
  walls.push(wall);
}
print({ value: changes / median(walls.slice(1)), levelChanges: changes });
