import type { FaultRow, FaultStage } from './fault.ts';

/** Faults of the trader's own machine. */
export const processFaults = {
  crash: narrow('P1', (stage) => {
    if (!stage.house.crash()) return;
    stage.mark();
    startLater(stage, stage.dice.between(200, 6_000));
  }),
  crashNearOrder: narrow('P1', (stage) => {
    const { house, dice } = stage;
    // A few microseconds around the moment an order leaves: before its record is durable, after, on the wire.
    let events = dice.between(0, 12);
    const { eventHooks } = house.tower;
    const hook = (kind: string): void => {
      if (kind !== 'orderPending' && events === 12) return;
      events -= 1;
      if (events > 0) return;
      eventHooks.delete(hook);
      const later = dice.pick([0, 0.05, 0.3, 0.9, 2, 5, 9]);
      stage.after(later, () => {
        if (!house.crash()) return;
        stage.mark();
        startLater(stage, dice.between(200, 3_000));
      });
    };
    eventHooks.add(hook);
  }),
  crashWithClockStep: row('P1 C1', (stage) => {
    const { house, dice } = stage;
    if (!house.crash()) return;
    stage.mark();
    house.clockError.offset += dice.pick([30, -30, 900, 3_600, -3_600]) * 1_000_000;
    startLater(stage, dice.between(500, 4_000));
  }),
  stop: narrow('P2', (stage) => stopAndStart(stage)),
  killThenStop: row('O5 P2', (stage) => {
    const { house, dice } = stage;
    const { diskWeather, tower } = house;
    // While an order waits for the disk.
    diskWeather.syncMin = 120_000;
    const hook = (kind: string): void => {
      if (kind !== 'orderPending') return;
      tower.eventHooks.delete(hook);
      const { trader } = house;
      stage.after(dice.between(1, 90), () => {
        diskWeather.syncMin = 200;
        if (trader === undefined || house.trader !== trader) return;
        trader.trader.halt('killed by the operator');
        stage.after(dice.between(0, 2_000), () => stopAndStart(stage));
      });
    };
    tower.eventHooks.add(hook);
  }),
  longOutage: row('P6', (stage) => {
    if (!stage.house.crash()) return;
    stage.mark();
    startLater(stage, 20_000);
  }),
  slowDisk: row('D7', (stage) => {
    stage.mark();
    const { diskWeather } = stage.house;
    diskWeather.syncMin = 100_000 + stage.force * 1_900_000;
    return () => {
      diskWeather.syncMin = 200;
    };
  }),
  brokenDisk: row('D1 D2', (stage) => {
    const { house } = stage;
    if (house.journal === undefined) return;
    stage.mark();
    house.journal.fail('simulated: the disk is full');
    house.tower.halts.expectHalt('the journal failed');
    // The operator looks into it and starts anew.
    stage.after(7_000, () => {
      if (house.crash()) house.start(true);
    });
  }),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

function narrow(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true };
}

/** A stop in good order, and a start some time later. */
function stopAndStart(stage: FaultStage): void {
  const { house, dice } = stage;
  const { trader } = house;
  if (trader === undefined) return;
  stage.mark();
  house.touch();
  trader.trader.stop('stopped');
  stage.after(dice.between(500, 6_000), () => {
    if (house.trader !== trader || !house.crash()) return;
    startLater(stage, dice.between(200, 4_000));
  });
}

function startLater(stage: FaultStage, ms: number): void {
  const { house } = stage;
  stage.after(ms, () => {
    if (house.trader === undefined) house.start();
  });
}
