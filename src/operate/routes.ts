import { z } from 'zod';
import { BadInput, NotFound } from '../core/base/errors.ts';
import type { Role } from './access.ts';
import type { Acts } from './acts.ts';
import type { Curve } from './curve.ts';
import { chartPeriods } from './history/index.ts';
import { obstacles } from './readiness.ts';
import { Refused, shownText } from './refused.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import type { AskedAct } from './act-rows.ts';
import { actSchema } from './act-rows.ts';
import * as schemas from './schemas.ts';
import { rowSchema, viewCardSchema } from './view-schemas.ts';
import { LongList } from './long-list.ts';
import { viewCards, views } from './views/all.ts';

/** One row: what is asked, who may, and what is answered. The OpenAPI document is made of these rows. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** In fastify's spelling: `/api/books/:symbol`. */
  readonly path: string;
  /** Nobody is asked for a token where it is `undefined`. */
  readonly role: Role | undefined;
  readonly summary: string;
  readonly body?: z.ZodType | undefined;
  /** Parameters behind the question mark. */
  readonly query?: z.ZodObject | undefined;
  readonly answer: z.ZodType;
  answers(of: Answering, asked: Asked): unknown;
}

/** Parts of the daemon that answers are read from. */
export interface Answering {
  readonly run: OperatedRun;
  readonly view: RunView;
  readonly curve: Pick<Curve, 'text'>;
  readonly acts: Acts;
}

interface Asked {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly query: unknown;
}

const candlesQuery = z.strictObject({
  from: z.coerce
    .number()
    .min(0)
    .optional()
    .describe('milliseconds since 1970: candles that begin at or after it'),
});

/** For supervisors: they need no token, and learn no more than whether it works. */
const openRoutes: readonly Route[] = [
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
    answers: ({ run }) => ready(run),
  },
];

const singleRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/status',
    role: 'read',
    summary: 'the run in one answer',
    answer: schemas.statusSchema,
    answers: ({ view }) => view.status(),
  },
  {
    method: 'GET',
    path: '/api/versions',
    role: 'read',
    summary: 'what runs',
    answer: schemas.versionsSchema,
    answers: ({ run }) => run.versions,
  },
  {
    method: 'GET',
    path: '/api/books/:symbol',
    role: 'read',
    summary: 'the best 50 levels of each side',
    answer: schemas.bookSchema,
    answers: ({ view }, { parameters: { symbol = '' } }) =>
      view.book(symbol) ?? notFound(`there is no symbol ${shownText(symbol)} in this run`),
  },
  {
    method: 'GET',
    path: '/api/candles/:symbol/:period',
    role: 'read',
    summary: `the last 600 candles of a symbol, the one under way last; periods: ${chartPeriods.join(', ')}`,
    query: candlesQuery,
    answer: schemas.candlesSchema,
    answers: ({ view }, { parameters: { symbol = '', period = '' }, query }) =>
      view.candles(symbol, period, (query as z.output<typeof candlesQuery>).from) ??
      notFound(`there are no candles of ${shownText(symbol)} and ${shownText(period)} in this run`),
  },
  {
    method: 'GET',
    path: '/api/orders/:id',
    role: 'read',
    summary: 'one order, also when it has ended',
    answer: schemas.orderSchema,
    answers: ({ view }, { parameters: { id = '' } }) =>
      view.order(id) ?? notFound(`there is no order ${shownText(id)} in this run`),
  },
  {
    method: 'GET',
    path: '/api/orders/:id/explain',
    role: 'read',
    summary: 'one order of the journal, step by step, as godwit explain',
    answer: schemas.explainedSchema,
    answers: ({ run }, { parameters: { id = '' } }) => explained(run, id),
  },
];

const listRoutes: readonly Route[] = [
  ...views.map(({ name, text, fields, rows, long }) =>
    list(`/api/${name}`, text, rowSchema(fields), ({ view }) =>
      long === undefined ? rows(view) : new LongList(long(view)),
    ),
  ),
  list('/api/strategies', 'strategies with their parameters', schemas.strategyRowSchema, ({ view }) =>
    view.strategyRows(),
  ),
  list('/api/views', 'lists that the page draws as cards: titles and columns', viewCardSchema, viewCards),
];

/** All rows but that of live state and of metrics, which answer no JSON. */
export const routes: readonly Route[] = [
  ...openRoutes,
  ...singleRoutes,
  ...listRoutes,
  {
    method: 'GET',
    path: '/api/curve',
    role: 'read',
    summary:
      'profit, drawdown and equity of the whole run, and the profit of each strategy, at most 2,880 points of equal distance',
    answer: schemas.curveSchema,
    answers: ({ curve }) => curve.text(),
  },
  {
    method: 'POST',
    path: '/api/acts',
    role: 'operate',
    summary: 'does something; what clears a latch or raises a limit takes two steps',
    body: actSchema,
    answer: schemas.actedSchema,
    answers: ({ acts }, { body }) => acts.take(body as AskedAct),
  },
];

async function explained(run: OperatedRun, id: string): Promise<schemas.Explained> {
  try {
    return await run.explain(id);
  } catch (error) {
    if (error instanceof NotFound) return notFound(`the journal names no order ${shownText(id)}`);
    if (error instanceof BadInput) throw new Refused(503, 'NOT_EXPLAINED', error.message);
    throw error;
  }
}

function list(path: string, summary: string, row: z.ZodType, answers: Route['answers']): Route {
  return { method: 'GET', path, role: 'read', summary, answer: z.array(row), answers };
}

function ready({ trader }: OperatedRun): z.output<typeof schemas.healthSchema> {
  const missing = obstacles(trader);
  if (missing.length > 0) throw new Refused(503, 'NOT_READY', missing.join('; '));
  return { status: 'ok', why: '' };
}

function notFound(why: string): never {
  throw new Refused(404, 'NOT_FOUND', why);
}
