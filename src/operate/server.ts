import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { ZodType } from 'zod';
import type { Clock } from '../core/base/clock.ts';
import { BadInput } from '../core/base/errors.ts';
import { expectationOf, tellingIssue } from '../core/base/expectation.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Role } from './access.ts';
import { Access } from './access.ts';
import { Acts } from './acts.ts';
import { Connections } from './connections.ts';
import { Curve } from './curve.ts';
import {
  answerExpectation,
  answerUnreadable,
  bodyBytesMax,
  headBytesMax,
  refusedByFramework,
} from './framework-errors.ts';
import type { KeptHistory } from './history/index.ts';
import { LiveState } from './live-state.ts';
import { LongList } from './long-list.ts';
import { Metrics } from './metrics.ts';
import { operatorDocument } from './openapi.ts';
import type { OperateOptions } from './options.ts';
import { contentPolicy, servePage } from './page-files.ts';
import type { Answering, Route } from './routes.ts';
import { addressName, checkReach, loopbackNames, readTls } from './reach.ts';
import { Refused, refusedText } from './refused.ts';
import { RequestTurns } from './request-turns.ts';
import { routes } from './routes.ts';
import type { OperatedRun } from './run.ts';
import { RunView } from './run-view.ts';

export interface OperateSetup {
  readonly options: Omit<OperateOptions, 'enabled'>;
  readonly tokens: { readonly operate: string; readonly read?: string | undefined };
  readonly run: OperatedRun;
  /** Place of what outlives the session. */
  readonly kept: KeptHistory;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Limits for slow heads: a slower sender is cut off. Node looks every half a minute when it is not told. */
const slowness = { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };
/** A handshake slower than this is cut off, in milliseconds. */
const handshakeTimeout = 5_000;
/** How long an idle connection stays open, in milliseconds. */
const keepAliveTimeout = 2_000;
/** Requests without a host are answered as those for another one. */
const head = { ...slowness, maxHeaderSize: headBytesMax, requireHostHeader: false };
const failed = new Refused(500, 'REQUEST', 'the request failed; see the log');
const tokenLengthMin = 16;
const tokenShape = /^[\x21-\x7e]{1,1000}$/;

/** The operator's interface of a running daemon. It listens on loopback, asks every request for a token, and reads the trader's state. */
export class OperateServer {
  /** Where it is asked: `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly #app: FastifyInstance;
  readonly #view: RunView;
  readonly #live: LiveState;
  readonly #metrics: Metrics;
  readonly #curve: Curve;

  private constructor(parts: {
    url: string;
    app: FastifyInstance;
    view: RunView;
    live: LiveState;
    metrics: Metrics;
    curve: Curve;
  }) {
    this.url = parts.url;
    this.#app = parts.app;
    this.#view = parts.view;
    this.#live = parts.live;
    this.#metrics = parts.metrics;
    this.#curve = parts.curve;
  }

  /** Throws `BadInput` in one sentence when it may not or cannot listen. */
  static async start(setup: OperateSetup): Promise<OperateServer> {
    const { options, run, clock, kept } = setup;
    checkSetup(setup);
    const view = new RunView(run, kept);
    const live = new LiveState(view, clock);
    const metrics = new Metrics(run, view);
    const curve = new Curve(view, clock, kept);
    const app = appOf(setup, { view, live, metrics, curve });
    try {
      await app.listen({ host: options.host, port: options.port });
    } catch (error) {
      view.close();
      metrics.close();
      curve.close();
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new BadInput(
        `operate: cannot listen on ${options.host} port ${options.port} (${why}): choose another operate.port, 0 for a free one, or operate.enabled=false`,
      );
    }
    const { port } = app.server.address() as { port: number };
    const url = `${options.tls === undefined ? 'http' : 'https'}://${addressName(options.host)}:${port}`;
    return new OperateServer({ url, app, view, live, metrics, curve });
  }

  /** View of the run. */
  get view(): RunView {
    return this.#view;
  }

  /** Something a person should know at once. */
  alert(text: string): void {
    this.#view.alert(text);
  }

  /** How many read live state. */
  get readers(): number {
    return this.#live.readers;
  }

  async close(): Promise<void> {
    this.#live.close();
    this.#view.close();
    this.#metrics.close();
    this.#curve.close();
    await this.#app.close();
  }
}

/** Everything that is answered. */
function appOf(
  { options, tokens, run, clock, log }: OperateSetup,
  {
    view,
    live,
    metrics,
    curve,
  }: { readonly view: RunView; readonly live: LiveState; readonly metrics: Metrics; readonly curve: Curve },
): FastifyInstance {
  const proxies = options.names.map((name) => name.toLowerCase());
  const names = [...loopbackNames, addressName(options.host), ...proxies];
  const access = new Access({ clock, tokens, names, proxies });
  const app = listenerOf(options, (request, reply) => enter(request, reply));
  const connections = new Connections(app.server);
  /** Check that every request goes through first. */
  const enter: Enters = (request, reply) => {
    connections.asked(request.raw, reply.raw);
    secure(reply);
    const { headers, method = '', url = '' } = request.raw;
    return access.foreign({ headers, method, path: url.split('?', 1)[0] ?? '' });
  };
  /** Before anything of a body is read. */
  const allows = (role: Role) => async (request: FastifyRequest) => {
    const found = access.roleOf({ headers: request.headers, address: request.ip });
    if (found instanceof Refused) throw found;
    connections.trust(request.raw);
    if (role === 'operate' && found === 'read')
      throw new Refused(403, 'ROLE', 'expected the token that may operate, found the one that reads');
  };
  const of: Answering = { run, view, curve, acts: new Acts(run, view) };
  for (const route of routes) bind(app, { route, of }, allows);
  app.get('/metrics', { onRequest: allows('read') }, async (_, reply) => {
    const { type, text } = await metrics.text();
    return reply.type(type).send(text);
  });
  const document = operatorDocument(run.versions.godwit);
  servePage(app);
  app.get('/openapi.json', () => document);
  app.get('/api/events', { onRequest: allows('read') }, (_, reply) => {
    if (!live.add(reply.raw)) throw new Refused(503, 'READERS', 'expected at most 200 readers of live state');
    reply.hijack();
  });
  app.setNotFoundHandler((request) => {
    throw new Refused(404, 'NOT_FOUND', `there is nothing at ${request.method} ${request.url.slice(0, 80)}`);
  });
  app.setErrorHandler((error: FastifyError | Refused, request, reply) => {
    const refused = error instanceof Refused ? error : refusedByFramework(error);
    if (refused === undefined)
      log.error({ error: String(error), path: request.url }, 'a request of the operator failed');
    return refuse(reply, refused ?? failed);
  });
  return app;
}

type Enters = (request: FastifyRequest, reply: FastifyReply) => Refused | undefined;

/** Listener that answers unreadable requests itself, and hands the others to `enter` first. */
function listenerOf(options: OperateSetup['options'], enter: Enters): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: 10_000,
    keepAliveTimeout,
    forceCloseConnections: true,
    return503OnClosing: false,
    // Of any length that a head may have: what is asked for is then not found, and that is said as everywhere.
    routerOptions: { maxParamLength: headBytesMax },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      const refused = enter(request, reply) ?? refusedByFramework(error) ?? failed;
      refuse(reply, refused);
    },
    ...(options.tls === undefined
      ? { http: head }
      : { https: { ...head, handshakeTimeout, ...readTls('operate', options.tls) } }),
  }) as unknown as FastifyInstance;
  const turns = new RequestTurns();
  app.addHook('onRequest', (request, reply, next) => {
    const refused = enter(request, reply);
    if (refused === undefined) turns.admit(next);
    else refuse(reply, refused);
  });
  app.server.on('checkExpectation', (_, reply: ServerResponse) => answerExpectation(reply));
  return app;
}

function checkSetup({ options, tokens }: OperateSetup): void {
  checkReach('operate', options);
  for (const [name, token] of Object.entries(tokens)) {
    if (token !== undefined && token.length < tokenLengthMin)
      throw new BadInput(
        `operate.tokens.${name}: expected at least ${tokenLengthMin} characters, found fewer`,
      );
    // Others cannot stand in a header, and who has such a token would never be served.
    if (token !== undefined && !tokenShape.test(token))
      throw new BadInput(
        `operate.tokens.${name}: expected at most 1,000 characters of ASCII without spaces, found others or more`,
      );
  }
  if (tokens.read === tokens.operate)
    throw new BadInput('operate.tokens: expected two different tokens, found the same twice');
}

function bind(
  app: FastifyInstance,
  { route, of }: { readonly route: Route; readonly of: Answering },
  allows: (role: Role) => (request: FastifyRequest) => Promise<void>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    ...(route.role !== undefined && { onRequest: allows(route.role) }),
    handler: (request, reply) => {
      const answer = route.answers(of, {
        parameters: request.params as Record<string, string>,
        body: route.body === undefined ? undefined : readGiven(route.body, 'body', request.body),
        query: route.query === undefined ? undefined : readGiven(route.query, 'query', request.query),
      });
      if (!(answer instanceof LongList)) return answer;
      return reply.type('application/json; charset=utf-8').send(Readable.from(answer.texts()));
    },
  });
}

function readGiven(schema: ZodType, name: string, given: unknown): unknown {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = tellingIssue(read.error.issues);
  const at = issue?.path.join('.') ?? '';
  throw new Refused(
    400,
    name.toUpperCase(),
    `${at === '' ? name : at}: ${expectationOf(issue?.message ?? 'not as described')}`,
  );
}

function secure(reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('x-frame-options', 'DENY');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('cache-control', 'no-store');
  reply.header('content-security-policy', contentPolicy);
}

function refuse(reply: FastifyReply, refused: Refused): FastifyReply {
  return reply.code(refused.status).type('application/json; charset=utf-8').send(refusedText(refused));
}
