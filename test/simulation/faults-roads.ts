import type { FaultRow, FaultStage } from './fault.ts';
import type { Road, RoadState } from './weather.ts';
import { roads } from './weather.ts';

/** Faults of the network. */
export const roadFaults = {
  slow: row('N6', (stage) => {
    stage.mark();
    const road = roadOf(stage);
    const { delayMean } = road;
    road.delayMean = delayMean + stage.force * 150_000;
    return () => {
      road.delayMean = delayMean;
    };
  }),
  stall: row('N7 N10', (stage) => {
    stage.mark();
    const road = roadOf(stage);
    const until = endOf(stage, 6_000);
    if (stage.dice.chance(0.7)) road.downHeldTo = until;
    if (stage.dice.chance(0.7)) road.upHeldTo = until;
  }),
  freeze: row('N2', (stage) => {
    stage.mark();
    const road = roadOf(stage);
    road.upLostTo = road.downLostTo = endOf(stage, 20_000);
    // A real connection that lost bytes never goes on: it is dead from here.
    stage.after(Math.min(stage.forMs, 19_000), () => stage.house.network.cutLost());
  }),
  deadLink: row('N2 W8', (stage) => {
    stage.mark();
    const { house, force } = stage;
    const { trading } = house.network.weather.roads;
    const ms = 15_000 + force * 30_000;
    trading.upLostTo = trading.downLostTo = house.time.now() + ms * 1_000;
    house.disturb(ms + 6_000);
    stage.after(ms, () => house.network.cutLost());
  }),
  mute: row('N3 X5', (stage) => {
    stage.mark();
    const name = stage.dice.pick(['trading', 'rest'] as const);
    const road = stage.house.network.weather.roads[name];
    road.downLostTo = endOf(stage, 12_000);
    stage.after(Math.min(stage.forMs, 12_000), () => stage.house.network.cut(name));
  }),
  deaf: row('N3 N5', (stage) => {
    stage.mark();
    const name = stage.dice.pick(['trading', 'rest'] as const);
    const road = stage.house.network.weather.roads[name];
    road.upLostTo = endOf(stage, 12_000);
    stage.after(Math.min(stage.forMs, 12_000), () => stage.house.network.cut(name));
  }),
  cut: row('N4 N5', (stage) => {
    stage.mark();
    stage.house.network.cut(stage.dice.pick(['market', 'trading'] as const));
  }),
  cutAfterOrder: row('N4 N5 N15', (stage) => {
    const { house, dice } = stage;
    const { orderHooks } = house.tower;
    const hook = (): void => {
      orderHooks.delete(hook);
      stage.mark();
      house.disturb(6_000);
      stage.after(dice.between(0, 6), () => house.network.cut('trading'));
    };
    orderHooks.add(hook);
  }),
  refuse: row('N1 N12', (stage) => {
    stage.mark();
    const until = endOf(stage, 20_000);
    for (const road of roads) {
      if (!stage.dice.chance(0.6)) continue;
      stage.house.network.weather.roads[road].refusedTo = until;
      stage.house.network.cut(road);
    }
  }),
  flap: row('N13', (stage) => {
    stage.mark();
    const road = stage.dice.pick(['market', 'trading'] as const);
    for (let i = 0; i < 8; i++) stage.after(i * 500, () => stage.house.network.cut(road));
  }),
  clog: row('N9', (stage) => {
    stage.mark();
    const { market } = stage.house.network.weather.roads;
    market.downBytesPerSecond = 300 + stage.force * 700;
    // A backlog takes a while to grow.
    const ms = 15_000 + stage.forMs;
    stage.house.disturb(ms + 6_000);
    stage.after(ms, () => {
      market.downBytesPerSecond = Number.POSITIVE_INFINITY;
    });
  }),
  requestLoss: row('N5', (stage) => {
    stage.mark();
    const { rest } = stage.house.network.weather.roads;
    rest.requestLoss = 0.2 + stage.force * 0.6;
    return () => {
      rest.requestLoss = 0;
    };
  }),
  replyLoss: row('N4', (stage) => {
    stage.mark();
    const { rest } = stage.house.network.weather.roads;
    rest.replyLoss = 0.2 + stage.force * 0.6;
    return () => {
      rest.replyLoss = 0;
    };
  }),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

function roadOf({ house, dice }: FaultStage): RoadState {
  const name: Road = dice.pick(roads);
  return house.network.weather.roads[name];
}

/** When the fault ends, true time. */
function endOf({ house, forMs }: FaultStage, mostMs: number): number {
  return house.time.now() + Math.min(forMs, mostMs) * 1_000;
}
