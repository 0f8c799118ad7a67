import type { FaultRow, FaultStage } from './fault.ts';
import type { Road, RoadState } from '../../src/app/virtual/weather.ts';
import { roads } from '../../src/app/virtual/weather.ts';

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
    if (stage.random.chance(0.7)) road.downHeldTo = until;
    if (stage.random.chance(0.7)) road.upHeldTo = until;
  }),
  freeze: row('N2', (stage) => {
    stage.mark();
    const road = roadOf(stage);
    road.upLostTo = road.downLostTo = endOf(stage, 20_000);
    // A real connection that lost bytes never goes on: it is dead from here.
    stage.after(Math.min(stage.forMs, 19_000), () => stage.system.network.cutLost());
  }),
  deadLink: row('N2 W8', (stage) => {
    stage.mark();
    const { system, force } = stage;
    const { trading } = system.network.weather.roads;
    const ms = 15_000 + force * 30_000;
    trading.upLostTo = trading.downLostTo = system.time.now() + ms * 1_000;
    system.disturb(ms + 6_000);
    stage.after(ms, () => system.network.cutLost());
  }),
  mute: row('N3 X5', (stage) => {
    stage.mark();
    const name = stage.random.pick(['trading', 'rest'] as const);
    const road = stage.system.network.weather.roads[name];
    road.downLostTo = endOf(stage, 12_000);
    stage.after(Math.min(stage.forMs, 12_000), () => stage.system.network.cut(name));
  }),
  deaf: row('N3 N5', (stage) => {
    stage.mark();
    const name = stage.random.pick(['trading', 'rest'] as const);
    const road = stage.system.network.weather.roads[name];
    road.upLostTo = endOf(stage, 12_000);
    stage.after(Math.min(stage.forMs, 12_000), () => stage.system.network.cut(name));
  }),
  cut: row('N4 N5', (stage) => {
    stage.mark();
    stage.system.network.cut(stage.random.pick(['market', 'trading'] as const));
  }),
  cutAfterOrder: row('N4 N5 N15', (stage) => {
    const { system, random } = stage;
    const { orderHooks } = system.tower;
    const hook = (): void => {
      orderHooks.delete(hook);
      stage.mark();
      system.disturb(6_000);
      stage.after(random.between(0, 6), () => system.network.cut('trading'));
    };
    orderHooks.add(hook);
  }),
  refuse: row('N1 N12', (stage) => {
    stage.mark();
    const until = endOf(stage, 20_000);
    for (const road of roads) {
      if (!stage.random.chance(0.6)) continue;
      stage.system.network.weather.roads[road].refusedTo = until;
      stage.system.network.cut(road);
    }
  }),
  flap: row('N13', (stage) => {
    stage.mark();
    const road = stage.random.pick(['market', 'trading'] as const);
    for (let i = 0; i < 8; i++) stage.after(i * 500, () => stage.system.network.cut(road));
  }),
  clog: row('N9', (stage) => {
    stage.mark();
    const { market } = stage.system.network.weather.roads;
    market.downBytesPerSecond = 300 + stage.force * 700;
    // A backlog takes a while to grow.
    const ms = 15_000 + stage.forMs;
    stage.system.disturb(ms + 6_000);
    stage.after(ms, () => {
      market.downBytesPerSecond = Number.POSITIVE_INFINITY;
    });
  }),
  requestLoss: row('N5', (stage) => {
    stage.mark();
    const { rest } = stage.system.network.weather.roads;
    rest.requestLoss = 0.2 + stage.force * 0.6;
    return () => {
      rest.requestLoss = 0;
    };
  }),
  replyLoss: row('N4', (stage) => {
    stage.mark();
    const { rest } = stage.system.network.weather.roads;
    rest.replyLoss = 0.2 + stage.force * 0.6;
    return () => {
      rest.replyLoss = 0;
    };
  }),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

function roadOf({ system, random }: FaultStage): RoadState {
  const name: Road = random.pick(roads);
  return system.network.weather.roads[name];
}

/** When the fault ends, true time. */
function endOf({ system, forMs }: FaultStage, mostMs: number): number {
  return system.time.now() + Math.min(forMs, mostMs) * 1_000;
}
