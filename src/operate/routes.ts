import { z } from 'zod';
import type { Clock, Micros } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import { BadInput, NotFound } from '../core/base/errors.ts';
import type { ClientOrderId } from '../core/model/order.ts';
import type { OperatorAct } from '../core/model/operator.ts';
import type { Role } from './access.ts';
import { unguessable } from './access.ts';
import type { Curve } from './curve.ts';
import { obstacles } from './readiness.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import type { Acted, AskedAct } from './schemas.ts';
import * as schemas from './schemas.ts';

/** Something asked that cannot be answered: the status, a code and one sentence. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** One row: what is asked, who may, and what is answered. The OpenAPI document is made of these rows. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** In fastify's spelling: `/api/books/:symbol`. */
  readonly path: string;
  /** Nobody is asked for a token where it is `undefined`. */
  readonly role: Role | undefined;
  readonly summary: string;
  readonly body?: z.ZodType | undefined;
  readonly answer: z.ZodType;
  answers(asked: { readonly parameters: Readonly<Record<string, string>>; readonly body: unknown }): unknown;
}

/** How long the code of a first step may be sent again. */
const confirmWithin = seconds(60);

/** All rows but that of live state and of metrics, which answer no JSON. */
export function routesOf(run: OperatedRun, view: RunView, curve: Pick<Curve, 'text'>): readonly Route[] {
  const acts = new Acts(run, view);
  return [
    ...openRoutes(run),
    ...singleRoutes(run, view),
    ...listRoutes(view),
    {
      method: 'GET',
      path: '/api/curve',
      role: 'read',
      summary:
        'profit and drawdown since the start, and the profit of each strategy, at most 2,880 points of equal distance',
      answer: schemas.curveSchema,
      answers: () => curve.text(),
    },
    {
      method: 'POST',
      path: '/api/acts',
      role: 'operate',
      summary: 'does something; what clears a latch takes two steps',
      body: schemas.actSchema,
      answer: schemas.actedSchema,
      answers: ({ body }) => acts.take(body as AskedAct),
    },
  ];
}

/** For supervisors: they need no token, and learn no more than whether it works. */
function openRoutes(run: OperatedRun): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/health',
      role: undefined,
      summary: 'whether the process answers',
      answer: schemas.healthSchema,
      answers: () => ({ status: 'ok', why: '' }),
    },
    {
      method: 'GET',
      path: '/ready',
      role: undefined,
      summary: 'whether orders can leave: sessions up, the account compared, trading not halted',
      answer: schemas.healthSchema,
      answers: () => ready(run),
    },
  ];
}

function singleRoutes(run: OperatedRun, view: RunView): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/status',
      role: 'read',
      summary: 'the run in one answer',
      answer: schemas.statusSchema,
      answers: () => view.status(),
    },
    {
      method: 'GET',
      path: '/api/versions',
      role: 'read',
      summary: 'what runs',
      answer: schemas.versionsSchema,
      answers: () => run.versions,
    },
    {
      method: 'GET',
      path: '/api/books/:symbol',
      role: 'read',
      summary: 'the best 50 levels of each side',
      answer: schemas.bookSchema,
      answers: ({ parameters: { symbol = '' } }) =>
        view.book(symbol) ?? notFound(`there is no symbol ${shown(symbol)} in this run`),
    },
    {
      method: 'GET',
      path: '/api/orders/:id',
      role: 'read',
      summary: 'one order, also when it has ended',
      answer: schemas.orderSchema,
      answers: ({ parameters: { id = '' } }) =>
        view.order(id) ?? notFound(`there is no order ${shown(id)} in this run`),
    },
    {
      method: 'GET',
      path: '/api/orders/:id/explain',
      role: 'read',
      summary: 'one order of the journal, step by step, as godwit explain',
      answer: schemas.explainedSchema,
      answers: ({ parameters: { id = '' } }) => explained(run, id),
    },
  ];
}

async function explained(run: OperatedRun, id: string): Promise<schemas.Explained> {
  try {
    return await run.explain(id);
  } catch (error) {
    if (error instanceof NotFound) return notFound(`the journal names no order ${shown(id)}`);
    if (error instanceof BadInput) throw new Refused(503, 'NOT_EXPLAINED', error.message);
    throw error;
  }
}

function listRoutes(view: RunView): readonly Route[] {
  const list = (path: string, summary: string, row: z.ZodType, answers: () => unknown): Route => ({
    method: 'GET',
    path,
    role: 'read',
    summary,
    answer: z.array(row),
    answers,
  });
  return [
    list('/api/feeds', 'every feed with its age', schemas.feedSchema, () => view.feeds()),
    list('/api/orders', 'orders that may be live', schemas.orderSchema, () => view.orders()),
    list('/api/fills', 'the last 1,000 own fills, the newest first', schemas.fillSchema, () => view.fills()),
    list('/api/positions', 'what strategies hold', schemas.positionSchema, () => view.positions()),
    list('/api/balances', 'balances of the account', schemas.balanceSchema, () => view.balances()),
    list('/api/limits', 'how much of each limit is used', schemas.limitSchema, () => view.limits()),
    list('/api/budgets', 'request budgets by lane', schemas.budgetSchema, () => view.budgets()),
    list('/api/strategies', 'strategies with their parameters', schemas.strategyRowSchema, () =>
      view.strategyRows(),
    ),
    list(
      '/api/journal',
      'the last 200 records of the journal, the newest first',
      schemas.journalLineSchema,
      () => view.tail.lines(),
    ),
    list('/api/alerts', 'the last 200 alerts, the newest first', schemas.alertSchema, () => view.alerts()),
  ];
}

function ready({ trader }: OperatedRun): z.output<typeof schemas.healthSchema> {
  const missing = obstacles(trader);
  if (missing.length > 0) throw new Refused(503, 'NOT_READY', missing.join('; '));
  return { status: 'ok', why: '' };
}

type StrategyAct = Extract<AskedAct, { act: 'startStrategy' | 'stopStrategy' | 'setParams' }>;
/** What enters the run as it is asked for. */
type PlainAct = Exclude<AskedAct, StrategyAct | { act: 'stop' }>;

/** Carries out acts. */
class Acts {
  readonly #run: OperatedRun;
  readonly #view: RunView;
  readonly #clock: Clock;
  #code: { readonly text: string; readonly until: Micros } | undefined;

  constructor(run: OperatedRun, view: RunView) {
    this.#run = run;
    this.#view = view;
    this.#clock = run.clock;
  }

  take(asked: AskedAct): Acted | Promise<Acted> {
    const { run } = this.#run;
    if (asked.run !== undefined && asked.run !== run)
      throw new Refused(
        409,
        'RUN',
        `nothing was done: this was meant for run ${shown(asked.run)}, and the daemon was started again as run ${run}; look at it, then ask again`,
      );
    if (asked.act === 'startStrategy' || asked.act === 'stopStrategy' || asked.act === 'setParams')
      return this.#onStrategy(asked);
    if (asked.act === 'stop') {
      this.#run.stop(asked.why === '' ? `stopped by ${asked.who}` : `${asked.why}, by ${asked.who}`);
      return done('the daemon stops: it cancels its orders and ends');
    }
    if (asked.act === 'clear' && !this.#isConfirmed(asked.confirm)) return this.#firstStep();
    this.#run.act(this.#actOf(asked), asked.who, asked.why);
    return done(this.#textOf(asked));
  }

  /** Throws `Refused` when the strategy is not there, is not as the act expects, or does not take what it is given. */
  async #onStrategy(asked: StrategyAct): Promise<Acted> {
    const { strategy, who, why } = asked;
    this.#strategy(strategy);
    const { trader, strategyActs } = this.#run;
    const stopped = trader.view.stopped(strategy);
    if (!trader.started)
      throw new Refused(409, 'STARTING', 'strategies have not started: the account is not compared yet');
    if (asked.act === 'startStrategy' && stopped === undefined)
      throw new Refused(409, 'RUNNING', `strategy ${strategy} runs already`);
    if (asked.act === 'stopStrategy' && trader.view.off(strategy) !== undefined)
      throw new Refused(409, 'STOPPED', `strategy ${strategy} is stopped already`);
    try {
      if (asked.act === 'stopStrategy') {
        strategyActs.stop(strategy, who, why);
        return done(`strategy ${strategy}: stopped until it is started; its orders are canceled`);
      }
      if (asked.act === 'startStrategy') {
        await strategyActs.start(strategy, who, why);
        return done(`strategy ${strategy}: started`);
      }
      await strategyActs.setParams(strategy, asked.params, who, why);
      const now = 'begins anew with them; orders of before are canceled';
      const names = Object.keys(asked.params).join(', ');
      return done(
        `strategy ${strategy}: ${names} changed; it ${stopped === undefined ? now : 'has them once it is started'}`,
      );
    } catch (error) {
      if (error instanceof BadInput) throw new Refused(400, 'PARAMS', error.message);
      throw error;
    }
  }

  /** Throws `Refused` when it names what is not there. */
  #actOf(asked: PlainAct): OperatorAct {
    switch (asked.act) {
      case 'pause':
      case 'resume':
      case 'flatten': {
        if (asked.act === 'flatten' && this.#view.status().trading.mode === 'halted')
          throw new Refused(
            409,
            'HALTED',
            'trading is halted, so nothing can be closed: clear the halt first',
          );
        return { act: asked.act, strategy: this.#strategy(asked.strategy) };
      }
      case 'cancelAll': {
        const instrument =
          asked.symbol === null ? undefined : this.#run.trader.instruments.find(asked.symbol);
        if (asked.symbol !== null && instrument === undefined)
          throw new Refused(404, 'NOT_FOUND', `there is no symbol ${shown(asked.symbol)} in this run`);
        return { act: 'cancelAll', strategy: this.#strategy(asked.strategy), instrument: instrument?.id };
      }
      case 'cancel': {
        const order = this.#view.order(asked.clientOrderId);
        if (order === undefined)
          throw new Refused(404, 'NOT_FOUND', `there is no order ${shown(asked.clientOrderId)} in this run`);
        if (
          !this.#run.trader.view
            .openOrders()
            .some(({ clientOrderId }) => clientOrderId === asked.clientOrderId)
        )
          throw new Refused(409, 'ENDED', `order ${asked.clientOrderId} is ${order.state}`);
        return { act: 'cancel', clientOrderId: asked.clientOrderId as ClientOrderId };
      }
      default:
        return { act: asked.act };
    }
  }

  #strategy(name: string | null): string | undefined {
    if (name === null) return undefined;
    if (this.#run.strategies.some((one) => one.name === name)) return name;
    throw new Refused(404, 'NOT_FOUND', `there is no strategy ${shown(name)} in this run`);
  }

  #firstStep(): Acted {
    const text = unguessable(64);
    this.#code = { text, until: (this.#clock.uptime() + confirmWithin) as Micros };
    const { trading, lossLimits } = this.#view.status();
    const held = [
      ...(trading.mode === 'active' ? [] : [`trading is ${trading.mode}: ${trading.why}`]),
      ...lossLimits.map(({ why }) => why),
    ];
    return {
      done: false,
      text: `${held.join('; ') || 'nothing holds'}. Send the code within a minute to clear it`,
      confirm: text,
    };
  }

  #isConfirmed(confirm: string | undefined): boolean {
    const code = this.#code;
    if (confirm === undefined) return false;
    this.#code = undefined;
    if (code !== undefined && confirm === code.text && this.#clock.uptime() <= code.until) return true;
    throw new Refused(
      409,
      'CONFIRM',
      'expected the code that the first step answered within the last minute',
    );
  }

  #textOf(asked: PlainAct): string {
    const of = (name: string | null): string => (name === null ? 'all strategies' : `strategy ${name}`);
    switch (asked.act) {
      case 'pause':
        return `${of(asked.strategy)}: paused; live orders stay`;
      case 'resume':
        return `${of(asked.strategy)}: trading goes on`;
      case 'flatten':
        return `${of(asked.strategy)}: paused; orders are canceled and positions closed`;
      case 'reduce':
        return 'only orders that reduce leave';
      case 'halt':
        return 'trading is halted; own orders are canceled';
      case 'clear':
        return 'halts and limits on loss are cleared';
      case 'cancel':
        return `order ${asked.clientOrderId} is being canceled`;
      case 'cancelAll':
        return `${of(asked.strategy)}: orders are being canceled`;
    }
  }
}

function done(text: string): Acted {
  return { done: true, text };
}

function notFound(why: string): never {
  throw new Refused(404, 'NOT_FOUND', why);
}

/** What somebody typed, short, as it may stand in a sentence. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
