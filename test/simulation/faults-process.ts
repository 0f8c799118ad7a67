import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';

/** Faults of the trader's own machine, and of the strategies on it. */
export const processFaults = {
  /** Half of what strategies ask for is a slip, for a while. */
  careless: {
    rows: 'I19',
    isNarrow: true,
    isOfWorkload: true,
    begin: (stage) => {
      const { hand } = stage.system;
      stage.mark();
      hand.careless = true;
      lasting(stage, 15_000 + stage.force * 30_000, () => {
        hand.careless = false;
      });
    },
  },
  crash: narrow('P1', (stage) => {
    if (!stage.system.crash()) return;
    stage.mark();
    startLater(stage, stage.random.between(200, 6_000));
  }),
  crashNearOrder: narrow('P1', (stage) => {
    const { system, random } = stage;
    // A few microseconds around the moment an order leaves: before its record is durable, after, on the wire.
    let events = random.between(0, 12);
    const { eventHooks } = system.tower;
    const hook = (kind: string): void => {
      if (kind !== 'orderPending' && events === 12) return;
      events -= 1;
      if (events > 0) return;
      eventHooks.delete(hook);
      const later = random.pick([0, 0.05, 0.3, 0.9, 2, 5, 9]);
      stage.after(later, () => {
        if (!system.crash()) return;
        stage.mark();
        startLater(stage, random.between(200, 3_000));
      });
    };
    eventHooks.add(hook);
  }),
  crashWithClockStep: row('P1 C1', (stage) => {
    const { system, random } = stage;
    if (!system.crash()) return;
    stage.mark();
    system.clockError.offset += random.pick([30, -30, 900, 3_600, -3_600]) * 1_000_000;
    startLater(stage, random.between(500, 4_000));
  }),
  stop: narrow('P2', (stage) => stopAndStart(stage)),
  killThenStop: row('O5 P2', (stage) => {
    const { system, random } = stage;
    const { diskWeather, tower } = system;
    // While an order waits for the disk.
    diskWeather.syncMin = 120_000;
    const hook = (kind: string): void => {
      if (kind !== 'orderPending') return;
      tower.eventHooks.delete(hook);
      const { trader } = system;
      stage.after(random.between(1, 90), () => {
        diskWeather.syncMin = 200;
        if (trader === undefined || system.trader !== trader) return;
        trader.trader.halt('killed by the operator');
        stage.after(random.between(0, 2_000), () => stopAndStart(stage));
      });
    };
    tower.eventHooks.add(hook);
  }),
  longOutage: row('P6', (stage) => {
    if (!stage.system.crash()) return;
    stage.mark();
    startLater(stage, 20_000);
  }),
  slowDisk: row('D7', (stage) => {
    stage.mark();
    const { diskWeather } = stage.system;
    diskWeather.syncMin = 100_000 + stage.force * 1_900_000;
    return () => {
      diskWeather.syncMin = 200;
    };
  }),
  /** Full for a while, or broken until somebody has looked. */
  brokenDisk: row('D1 D2', (stage) => {
    const { system } = stage;
    const { journal } = system;
    if (journal === undefined) return;
    stage.mark();
    if (stage.force < 0.4) {
      // It may be over within a second.
      system.tower.halts.expectHalt('the disk is full');
      journal.fill('simulated: the disk is full');
      return () => journal.empty();
    }
    journal.fail('simulated: a sync failed');
    system.tower.halts.expectHalt('the journal failed');
    // The operator looks into it and starts anew.
    stage.after(7_000, () => {
      if (system.crash()) system.start(true);
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
  const { system, random } = stage;
  const { trader } = system;
  if (trader === undefined) return;
  stage.mark();
  system.touch();
  trader.trader.stop('stopped');
  stage.after(random.between(500, 6_000), () => {
    if (system.trader !== trader || !system.crash()) return;
    startLater(stage, random.between(200, 4_000));
  });
}

function startLater(stage: FaultStage, ms: number): void {
  const { system } = stage;
  stage.after(ms, () => {
    if (system.trader === undefined) system.start();
  });
}
