import type { OperatorAct } from '../../src/core/model/operator.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';

/** Acts of the operator. They are drawn apart: other faults of a seed are the same without them. */
export const operatorFaults = {
  haltAndClear: row('O5', (stage) => {
    operate(stage, () => ({ act: 'halt' }), clear(stage));
  }),
  reduceAndClear: row('O5', (stage) => {
    operate(stage, () => ({ act: 'reduce' }), clear(stage));
  }),
  /** While an order or a replacement waits for the disk. */
  haltWhileWaiting: row('O5 D7', (stage) => {
    whenWaiting(stage, () => operate(stage, () => ({ act: 'halt' }), clear(stage)));
  }),
  reduceWhileWaiting: row('O5 D7', (stage) => {
    whenWaiting(stage, () => operate(stage, () => ({ act: 'reduce' }), clear(stage)));
  }),
  pauseWhileWaiting: row('O5 D7', (stage) => {
    const strategy = oneOrAll(stage);
    whenWaiting(stage, () =>
      operate(
        stage,
        () => ({ act: 'pause', strategy }),
        () => resume(stage, strategy),
      ),
    );
  }),
  pauseAndResume: row('O5', (stage) => {
    const strategy = oneOrAll(stage);
    operate(
      stage,
      () => ({ act: 'pause', strategy }),
      () => resume(stage, strategy),
    );
  }),
  /** A pause that many records follow, and a new process then. */
  pauseOverRestart: row('O5 P1', (stage) => {
    const strategy = oneOrAll(stage);
    const { system, random } = stage;
    operate(
      stage,
      () => ({ act: 'pause', strategy }),
      () => resume(stage, strategy),
      25_000,
    );
    for (const ms of [3_000, 9_000])
      stage.after(ms + random.between(0, 4_000), () => {
        if (system.crash()) stage.after(random.between(200, 2_000), () => startAgain(stage));
      });
  }),
  /** In half of the cases a new process begins meanwhile. */
  stopAndStartStrategy: row('O5 P1', (stage) => {
    const { system, random } = stage;
    const strategy = one(stage);
    const start = (): void => whenRuns(stage, () => system.startStrategy(strategy));
    operate(stage, () => ({ act: 'stopStrategy', strategy }), start, 8_000);
    if (random.chance(0.5))
      stage.after(random.between(2_000, 5_000), () => {
        if (system.crash()) stage.after(random.between(200, 2_000), () => startAgain(stage));
      });
  }),
  cancelOne: row('O5', (stage) => {
    const { system, random } = stage;
    const own = (system.trader?.trader.view.openOrders() ?? []).filter(
      ({ strategy, replacePending }) => strategy !== 'external' && replacePending === undefined,
    );
    const order = own[random.between(0, Math.max(0, own.length - 1))];
    if (order === undefined) return;
    operate(stage, () => ({ act: 'cancel', clientOrderId: order.clientOrderId }));
  }),
  cancelMany: row('O5', (stage) => {
    const { system, random } = stage;
    const strategy = oneOrAll(stage);
    const instrument = random.chance(0.5) ? random.pick(system.instruments.all).id : undefined;
    operate(stage, () => ({ act: 'cancelAll', strategy, instrument }));
  }),
  flattenAndResume: row('O5', (stage) => {
    const strategy = oneOrAll(stage);
    operate(
      stage,
      () => ({ act: 'flatten', strategy }),
      () => resume(stage, strategy),
      8_000,
    );
  }),
  changeParams: row('O4', (stage) => {
    const { system, random } = stage;
    const strategy = one(stage);
    const params = { pace: random.pick([0.3, 0.6, 0.9]) };
    whenRuns(stage, () => {
      if (system.setParams(strategy, params)) stage.mark();
    });
  }),
  /** Limits are changed while orders are judged: all of them at once, or none. */
  reload: row('O4', (stage) => {
    const { system, random } = stage;
    const limits = { messagesPerSecondMax: random.between(1, 4), openOrdersSymbolMax: random.between(2, 6) };
    whenRuns(stage, () => {
      if (system.reload(limits)) stage.mark();
    });
  }),
  haltInReconnect: row('O5', (stage) => {
    const { system, random } = stage;
    system.network.cut('trading');
    system.disturb(6_000);
    stage.after(random.between(0, 900), () => operate(stage, () => ({ act: 'halt' }), clear(stage)));
  }),
  haltInStart: row('O5', (stage) => {
    const { system, random } = stage;
    if (!system.crash()) return;
    stage.after(random.between(200, 1_000), () => {
      startAgain(stage);
      stage.after(random.between(0, 1_500), () => {
        const { trader } = system;
        if (trader === undefined) return;
        stage.mark();
        system.act({ act: 'halt' });
        lasting(stage, 6_000, clear(stage));
      });
    });
  }),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: (stage: FaultStage) => void): FaultRow {
  return { rows, begin, isNarrow: true, isOfOperator: true };
}

/** The operator acts as soon as a trader runs, and takes it back some time later. */
function operate(stage: FaultStage, act: () => OperatorAct, undo?: () => void, forMs = 0): void {
  whenRuns(stage, () => {
    stage.mark();
    stage.system.act(act());
    if (undo !== undefined) lasting(stage, Math.max(forMs, 1_500 + stage.force * 8_000), undo);
  });
}

function clear(stage: FaultStage): () => void {
  return () => whenRuns(stage, () => stage.system.act({ act: 'clear' }));
}

function resume(stage: FaultStage, strategy: string | undefined): void {
  whenRuns(stage, () => stage.system.act({ act: 'resume', strategy }));
}

/** So long he tries. */
const triesMax = 40;

function whenRuns(stage: FaultStage, task: () => void, tries = 0): void {
  if (stage.system.trader?.trader.started === true) task();
  else if (tries < triesMax) stage.after(500, () => whenRuns(stage, task, tries + 1));
}

/** The disk is slow, and an order or a replacement has been admitted a moment ago. */
function whenWaiting(stage: FaultStage, task: () => void): void {
  const { system, random } = stage;
  const { diskWeather, tower } = system;
  const wanted = random.chance(0.5) ? 'replacePending' : 'orderPending';
  diskWeather.syncMin = 150_000;
  const end = (): void => {
    diskWeather.syncMin = 200;
    tower.eventHooks.delete(hook);
  };
  const hook = (kind: string): void => {
    if (kind !== wanted) return;
    tower.eventHooks.delete(hook);
    stage.after(random.between(1, 120), task);
  };
  tower.eventHooks.add(hook);
  lasting(stage, 12_000, end);
}

function one({ system, random }: FaultStage): string {
  return random.pick(system.roles).name;
}

function oneOrAll(stage: FaultStage): string | undefined {
  return stage.random.chance(0.5) ? undefined : one(stage);
}

function startAgain({ system }: FaultStage): void {
  if (system.trader === undefined) system.start();
}
