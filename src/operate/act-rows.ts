import { z } from 'zod';
import type { ClientOrderId } from '../core/model/order.ts';
import type { OperatorAct } from '../core/model/operator.ts';
import { Refused, shownText } from './refused.ts';
import type { RunView } from './run-view.ts';

const named = z.string().min(1).max(64).describe('one strategy');
const allOrOne = z.string().min(1).max(64).nullable().default(null).describe('null: all of them');
const confirm = z.string().max(64).optional().describe('the code that the first call answered');

/** Command that asks for an act. Its options come from what the act takes. */
interface ActCommand {
  readonly name: string;
  /** One line of the help. */
  readonly text: string;
  readonly example: string;
}

/** Button of the page. */
export interface ActButton {
  /** Label of the button for all strategies, and of that at each strategy. */
  readonly all?: string;
  readonly each?: string;
  /** Whether it is the red one, beside the name of the run. */
  readonly isRed?: boolean;
  /** Question that is asked before it is sent, or before the second step of an act without `explains`. `NAME`: the strategy. */
  readonly question?: string;
  /** Question where it is for all strategies, if it differs. */
  readonly questionOfAll?: string;
  /** Sentence below the question: it is asked before anything is sent. */
  readonly explains?: string;
  /** Question of the second step, where that is another one. */
  readonly second?: string;
}

/**
 * One act of the operator. The schema of `/api/acts`, its command, its buttons and what is answered are made from it; what it does stands in
 * the trader, or in `acts.ts` where it is no event of the trader.
 */
interface ActRow<Params extends z.ZodRawShape> {
  readonly params: Params;
  /** Without one `cli/operate-commands.ts` has its command, which does more: `asks` is how that is called for it. */
  readonly command?: ActCommand;
  readonly asks?: string;
  readonly button?: ActButton;
  /** Command of the bot: its line in the menu, its answer, and whether it asks the question of the button for all before. */
  readonly bot?: { readonly text: string; readonly done: string; readonly asks?: true };
  /** Act of the trader. Throws `Refused` where it names what is not there. Without it the trader is asked for the name alone. */
  readonly intends?: (asked: z.output<z.ZodObject<Params>>, run: ActedRun) => OperatorAct;
  /** Answer once the trader was asked; without it `acts.ts` carries it out. */
  readonly done?: (asked: z.output<z.ZodObject<Params>>) => string;
}

/** Run in which an act looks things up. */
export interface ActedRun {
  readonly view: RunView;
  /** Throws `Refused` where there is no such strategy. */
  strategy(name: string | null): string | undefined;
}

const row = <Params extends z.ZodRawShape>(one: ActRow<Params>): ActRow<Params> => one;

const ofStrategies = (name: string | null): string => (name === null ? 'all strategies' : `strategy ${name}`);

/** Every act by its name, in the order of the buttons. */
export const actRows = {
  startStrategy: row({
    params: { strategy: named },
    command: {
      name: 'start',
      text: 'starts a strategy that was stopped',
      example: 'godwit start maker',
    },
    button: { each: 'Start' },
  }),
  stopStrategy: row({
    asks: 'stop --strategy NAME',
    params: { strategy: named },
    button: {
      each: 'Stop',
      question: 'Stop NAME?',
      explains:
        'Its orders are canceled and its positions stay. It stays stopped, also over a restart, until it is started.',
    },
  }),
  pause: row({
    params: { strategy: allOrOne },
    command: {
      name: 'pause',
      text: 'no new order of strategies leaves; live orders stay',
      example: 'godwit pause --why lunch',
    },
    button: { all: 'Pause all', each: 'Pause' },
    bot: { text: 'no new order leaves; live orders stay', done: 'paused; live orders stay' },
    intends: ({ strategy }, run) => ({ act: 'pause', strategy: run.strategy(strategy) }),
    done: ({ strategy }) => `${ofStrategies(strategy)}: paused; live orders stay`,
  }),
  resume: row({
    params: { strategy: allOrOne },
    command: { name: 'resume', text: 'strategies trade again', example: 'godwit resume --why lunch' },
    button: { all: 'Resume all', each: 'Resume' },
    bot: { text: 'strategies trade again', done: 'trading goes on' },
    intends: ({ strategy }, run) => ({ act: 'resume', strategy: run.strategy(strategy) }),
    done: ({ strategy }) => `${ofStrategies(strategy)}: trading goes on`,
  }),
  cancel: row({
    asks: 'cancel ID',
    params: { clientOrderId: z.string().min(1).max(64) },
    intends: ({ clientOrderId }, { view }) => {
      const order = view.order(clientOrderId);
      if (order === undefined)
        throw new Refused(404, 'NOT_FOUND', `there is no order ${shownText(clientOrderId)} in this run`);
      if (!view.trader.view.openOrders().some((one) => one.clientOrderId === clientOrderId))
        throw new Refused(409, 'ENDED', `order ${clientOrderId} is ${order.state}`);
      return { act: 'cancel', clientOrderId: clientOrderId as ClientOrderId };
    },
    done: ({ clientOrderId }) => `order ${clientOrderId} is being canceled`,
  }),
  cancelAll: row({
    asks: 'cancel --all',
    params: {
      strategy: allOrOne,
      symbol: z.string().min(1).max(64).nullable().default(null).describe('null: all of them'),
    },
    button: {
      all: 'Cancel all',
      question: 'Cancel all orders?',
      explains: 'The live orders of all strategies, which go on and may place new ones.',
    },
    intends: ({ strategy, symbol }, run) => {
      const instrument = symbol === null ? undefined : run.view.trader.instruments.find(symbol);
      if (symbol !== null && instrument === undefined)
        throw new Refused(404, 'NOT_FOUND', `there is no symbol ${shownText(symbol)} in this run`);
      return { act: 'cancelAll', strategy: run.strategy(strategy), instrument: instrument?.id };
    },
    done: ({ strategy }) => `${ofStrategies(strategy)}: orders are being canceled`,
  }),
  flatten: row({
    params: { strategy: allOrOne },
    command: {
      name: 'flatten',
      text: 'pauses, cancels orders and closes positions',
      example: 'godwit flatten --why lunch',
    },
    button: {
      all: 'Flatten all',
      each: 'Flatten',
      question: 'Flatten NAME?',
      questionOfAll: 'Flatten all strategies?',
      explains:
        'Pauses, cancels orders, and closes positions by orders that take what the book offers within one percent.',
    },
    bot: {
      text: 'pauses, cancels orders and closes positions',
      done: 'paused; orders are canceled and positions closed',
      asks: true,
    },
    intends: ({ strategy }, run) => {
      if (run.view.status().trading.mode === 'halted')
        throw new Refused(409, 'HALTED', 'trading is halted, so nothing can be closed: clear the halt first');
      return { act: 'flatten', strategy: run.strategy(strategy) };
    },
    done: ({ strategy }) => `${ofStrategies(strategy)}: paused; orders are canceled and positions closed`,
  }),
  reduce: row({
    params: {},
    command: {
      name: 'reduce',
      text: 'only orders that reduce leave, until it is cleared',
      example: 'godwit reduce --why "a strange market"',
    },
    done: () => 'only orders that reduce leave',
  }),
  halt: row({
    params: {},
    command: {
      name: 'halt',
      text: 'nothing leaves but cancels and reads, until it is cleared; own orders are canceled',
      example: 'godwit halt --why "a strange market"',
    },
    button: {
      all: 'Halt',
      isRed: true,
      question: 'Halt trading?',
      explains: 'Own orders are canceled, and nothing else leaves until the halt is cleared. Positions stay.',
    },
    bot: {
      text: 'cancels own orders; nothing else leaves',
      done: 'halted; own orders are canceled. Clear it at the machine',
    },
    done: () => 'trading is halted; own orders are canceled',
  }),
  clear: row({
    params: { confirm },
    command: {
      name: 'clear',
      text: 'clears a halt and limits on loss that were reached; in two steps',
      example: 'godwit clear',
    },
    button: { all: 'Clear a halt…', question: 'Clear what holds?' },
    done: () => 'halts and limits on loss are cleared',
  }),
  setParams: row({
    asks: 'params',
    params: {
      strategy: named,
      params: z.record(z.string().max(64), z.unknown()).describe('what changes; the rest stays'),
    },
  }),
  reload: row({
    params: {
      confirm: confirm.describe('the code that the first call answered, when limits would be raised'),
    },
    command: {
      name: 'reload',
      text: 'reads the configuration of the daemon again: all of it, or nothing; what raises a limit takes two steps',
      example: 'godwit reload --why "a calmer market"',
    },
    button: {
      all: 'Reload config…',
      question: 'Reload the configuration?',
      explains: 'The daemon reads its files again and takes over all that changed, or nothing.',
      second: 'Raise these limits?',
    },
  }),
  promote: row({
    params: { strategy: named, confirm },
    command: {
      name: 'promote',
      text: 'swaps a strategy with its shadow while it is flat; in two steps',
      example: 'godwit promote maker',
    },
    button: { each: 'Promote shadow', question: 'Promote the shadow of NAME?' },
  }),
  stop: row({ params: {} }),
};

type Rows = typeof actRows;
export type ActName = keyof Rows;

/** A reason is kept in the journal with the name of who asked. */
const asker = {
  why: z.string().max(500).default('').describe('the reason; kept in the journal'),
  run: z
    .string()
    .max(64)
    .optional()
    .describe(
      'the run that is meant: another one refuses, so that what was seen of an earlier run is not acted on',
    ),
  who: z.string().min(1).max(64).default('operator').describe('who asks; kept in the journal'),
};

type Taken<Params extends z.ZodRawShape> = keyof Params extends never
  ? object
  : z.output<z.ZodObject<Params>>;

/** Body of `/api/acts` as it is read, by its act. */
export type AskedAct = {
  readonly [Name in ActName]: { readonly act: Name } & Readonly<Taken<Rows[Name]['params']>> &
    Readonly<z.output<z.ZodObject<typeof asker>>>;
}[ActName];

const bodies = Object.entries(actRows).map(([act, { params }]) =>
  z.strictObject({ act: z.literal(act), ...params, ...asker }),
);

/** Schema of a body of `/api/acts`. */
export const actSchema = z.discriminatedUnion('act', bodies as never) as unknown as z.ZodType<AskedAct>;

/** Whether a command of an act names one strategy, may name one, or takes none; and whether it takes the code of a second step. */
export function optionsOf(act: ActName): {
  readonly strategy: 'named' | 'all or one' | 'none';
  readonly confirms: boolean;
} {
  const params: z.ZodRawShape = actRows[act].params;
  const { strategy } = params;
  return {
    strategy: strategy === undefined ? 'none' : strategy === named ? 'named' : 'all or one',
    confirms: 'confirm' in params,
  };
}

/** A row of an act of which no more is known than that it was asked for. */
type AnyRow = Omit<ActRow<z.ZodRawShape>, 'intends' | 'done'> & {
  readonly intends?: (asked: never, run: ActedRun) => OperatorAct;
  readonly done?: (asked: never) => string;
};

/** Every act with its name, as the makers of commands and buttons go through them. */
export const everyAct = Object.entries(actRows) as unknown as readonly (readonly [ActName, AnyRow])[];

/** Act of the trader that an asked one comes to. Throws `Refused` where it names what is not there. */
export function intendedBy(asked: { readonly act: ActName }, run: ActedRun): OperatorAct {
  const { intends }: AnyRow = actRows[asked.act];
  return intends?.(asked as never, run) ?? ({ act: asked.act } as OperatorAct);
}

/** Answer once the trader was asked. */
export function doneText(asked: { readonly act: ActName }): string {
  const { done }: AnyRow = actRows[asked.act];
  return done?.(asked as never) ?? `${asked.act} was asked for`;
}
