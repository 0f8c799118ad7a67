import type { Cancel, Micros, Clock } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { Server, ServerOptions } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { BadInput } from '../../core/base/errors.ts';
import { hostName } from '../../core/base/host-name.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Random } from '../../core/base/random.ts';
import type { ErrorPlace } from '../../venues/hitbtc/wire/index.ts';
import type { Faults } from '../base/index.ts';
import { sendAndClose } from './send-and-close.ts';

/** A request as it came, before anything is believed. */
export interface RestRequest {
  readonly method: string;
  /** Exactly as requested, trailing slash included: part of the signed text. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly time: Micros;
  /** Another time that a signature may be of: that of the machine, where `time` is not. */
  readonly otherTime?: Micros | undefined;
  /** Has `task` run once if the caller's connection ends before the returned function is called. */
  readonly onGone: (task: () => void) => Cancel;
}

/** An answer ready to leave. `reason` becomes the header of that name on errors. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly reason: string | undefined;
}

/** A method and a path (fastify's spelling of parameters), and who answers there. */
export interface RestBinding {
  readonly method: string;
  readonly path: string;
  /** Whether it places, replaces or cancels orders; not when left out. */
  readonly changesOrders?: boolean;
  answer(request: RestRequest): HttpAnswer | Promise<HttpAnswer>;
}

/** Answer where no binding is, and when a request is broken before it reaches one. */
export interface RestFallback {
  notFound(request: RestRequest): HttpAnswer;
  broken(request: RestRequest, why: string): HttpAnswer;
  unreadable(place: ErrorPlace, why: string): HttpAnswer;
  failed(request: RestRequest): HttpAnswer;
}

/** Bounds of a server that is not for everybody. */
export interface HttpBounds {
  /** Names and addresses by which it may be asked, without ports. */
  readonly names: ReadonlySet<string>;
  /** Open connections, sockets included; more are cut. */
  readonly connectionsMax: number;
  /** Milliseconds after which a connection is closed on which nothing happens. */
  readonly idleMs: number;
}

interface HttpDeps {
  /** None when left out: the exchange serves whoever reaches it. */
  readonly bounds?: HttpBounds | undefined;
  /** Certificate and key of HTTPS; plain HTTP when left out. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly clock: Clock;
  /** Clock of the machine, where `clock` is another. */
  readonly wall?: Clock | undefined;
  readonly random: Random;
  readonly bindings: readonly RestBinding[];
  readonly fallback: RestFallback;
  readonly faults: Faults;
  readonly log: Logger;
}

const contentType = 'application/json; charset=UTF-8';

/** The status of what could not be read, by the reason that Node gives; 400 for all others. */
const unreadable: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

const bodyBytesMax = 1_048_576;
const requestMsMax = 30_000;

/**
 * HTTP as fastify does it, and nothing of the API: requests become `RestRequest`, answers become responses.
 * Bodies are taken as text whatever their type says; their meaning is the wire's business.
 */
export class Http {
  readonly #app: FastifyInstance;
  readonly #setup: HttpDeps;
  readonly #run: string;
  #count = 0;
  #date = '';
  #dateSecond = -1;

  constructor(setup: HttpDeps) {
    this.#setup = setup;
    this.#run = setup.random.fork('requests').uint32().toString(16).padStart(8, '0');
    // Requests for an HTTP/2 upgrade are ignored and served as HTTP/1.1.
    const server: ServerOptions = {
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    };
    this.#app = fastify({
      logger: false,
      ...(setup.tls === undefined
        ? { http: server }
        : { https: { ...server, ...setup.tls, handshakeTimeout: requestMsMax } }),
      bodyLimit: bodyBytesMax,
      requestTimeout: requestMsMax,
      forceCloseConnections: true,
      ...(setup.bounds !== undefined && { connectionTimeout: setup.bounds.idleMs }),
      routerOptions: {
        ignoreTrailingSlash: true,
        maxParamLength: 256,
        // The query is read once, by the wire; the router need not look at it.
        querystringParser: () => ({}),
      },
      frameworkErrors: (error, request, reply) => this.#onError(error, request, reply),
      clientErrorHandler: (error, socket) => this.#onNoRequest(error.code, socket),
    });
    this.#app.removeAllContentTypeParsers();
    this.#app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    this.#app.setErrorHandler((error: FastifyError, request, reply) => this.#onError(error, request, reply));
    this.#app.setNotFoundHandler((request, reply) => {
      const read = this.#request(request);
      this.#send(reply, read, setup.fallback.notFound(read));
    });
    for (const binding of setup.bindings) this.#bind(binding);
    if (setup.bounds !== undefined) this.#keepWithin(setup.bounds);
  }

  get server(): Server {
    return this.#app.server;
  }

  /** Listens; returns the port. Throws `BadInput` when it cannot, because the port is taken for one. */
  async listen(host: string, port: number): Promise<number> {
    try {
      await this.#app.listen({ host, port });
    } catch (cause) {
      const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      throw new BadInput(
        `cannot listen on ${host} port ${port} (${why}): choose another port, or --port 0 for a free one`,
        { cause },
      );
    }
    const address = this.#app.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async close(): Promise<void> {
    await this.#app.close();
  }

  /** A page of another site can lead a browser here under a name of its own: it is served nothing. */
  #keepWithin({ names, connectionsMax }: HttpBounds): void {
    this.#app.server.maxConnections = connectionsMax;
    this.#app.addHook('onRequest', (request, reply, done) => {
      if (names.has(hostName(request.headers.host ?? ''))) return done();
      const read = this.#request(request);
      const why = 'expected a request for this server, found another host';
      this.#send(reply, read, this.#setup.fallback.broken(read, why));
    });
  }

  #bind(binding: RestBinding): void {
    this.#app.route({
      method: binding.method,
      url: binding.path,
      handler: (request, reply) => {
        const read = this.#request(request);
        const deliver = (received: HttpAnswer): void =>
          this.#setup.faults.deliver(() => this.#send(reply, read, received), binding.changesOrders);
        const answer = binding.answer(read);
        if (answer instanceof Promise) {
          answer.then(
            (late) => deliver(late),
            (error: FastifyError) => this.#onError(error, request, reply),
          );
        } else deliver(answer);
      },
    });
  }

  #request(request: FastifyRequest): RestRequest {
    const target = request.raw.url ?? '/';
    const mark = target.indexOf('?');
    this.#count += 1;
    return {
      method: request.method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      pathParameters: (request.params ?? {}) as Readonly<Record<string, string>>,
      contentType: request.headers['content-type'] ?? '',
      body: typeof request.body === 'string' ? request.body : '',
      authorization: request.headers.authorization,
      address: request.socket.remoteAddress ?? 'unknown',
      requestId: `${this.#run}-${this.#count}`,
      time: this.#setup.clock.now(),
      otherTime: this.#setup.wall?.now(),
      onGone: (task) => onceClosed(request.socket, task),
    };
  }

  #send(reply: FastifyReply, request: RestRequest, answer: HttpAnswer): void {
    // Node would send the machine's time; clients that read the exchange's clock from answers need the time of its stamps.
    reply.raw.sendDate = false;
    void reply
      .code(answer.status)
      .header('Request-Id', request.requestId)
      .header('Date', this.#dateText(this.#setup.clock.now()));
    if (answer.reason !== undefined) void reply.header('X-Reason', answer.reason);
    void reply.type(contentType).send(answer.text);
  }

  /** The time as HTTP writes it, made once a second. */
  #dateText(now: Micros): string {
    const second = Math.floor(now / microsPerSecond);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(second * 1_000).toUTCString();
    }
    return this.#date;
  }

  /** Answers what is no request, or too large or slow to be one, in the form of the API as well, and cuts it. */
  #onNoRequest(code: string, socket: Socket): void {
    if (socket.destroyed || !socket.writable) return;
    const status = unreadable.get(code) ?? 400;
    const title = STATUS_CODES[status] ?? '';
    const now = this.#setup.clock.now();
    this.#count += 1;
    const place = { path: '', requestId: `${this.#run}-${this.#count}`, time: now };
    const { text } = this.#setup.fallback.unreadable(place, title);
    const head = `HTTP/1.1 ${status} ${title}\r\nRequest-Id: ${place.requestId}\r\nDate: ${this.#dateText(now)}`;
    const type = `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(text)}`;
    sendAndClose(socket, `${head}\r\n${type}\r\nConnection: close\r\n\r\n${text}`, this.#setup.clock);
  }

  #onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const read = this.#request(request);
    const { fallback, log } = this.#setup;
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      this.#send(reply, read, fallback.broken(read, error.message));
      return;
    }
    log.error({ path: read.path, error: error.stack ?? error.message }, 'a request failed');
    this.#send(reply, read, fallback.failed(read));
  }
}

function onceClosed(socket: Socket, task: () => void): Cancel {
  socket.once('close', task);
  return () => socket.off('close', task);
}
