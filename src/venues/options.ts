import { z } from 'zod';

const ms = (value: number, what: string) =>
  z.int().min(1).max(600_000).default(value).describe(`${what}, ms`);

const proxy = z
  .boolean()
  .default(true)
  .describe('connects through the proxy that HTTPS_PROXY or HTTP_PROXY names, but not to hosts of NO_PROXY');

/** Timeouts and caps of the connections to the venue. */
export const clientOptions = z.strictObject({
  rest: z
    .strictObject({
      connections: z.int().min(1).max(64).default(16).describe('kept-alive connections at most'),
      inFlightMax: z
        .int()
        .min(1)
        .max(10_000)
        .default(1_000)
        .describe('requests waiting or unanswered at most'),
      timeoutMs: ms(5_000, 'a request without a whole answer by then is given up'),
      bodyBytesMax: z.int().min(1_024).default(33_554_432).describe('longest answer that is read'),
      readAttempts: z.int().min(1).max(10).default(3).describe('how often a read is tried'),
      retryMs: ms(200, 'first pause between attempts of a read; doubles, with jitter'),
      proxy,
      windowMs: ms(10_000, 'for how long after its timestamp the venue may accept a signed request'),
    })
    .prefault({}),
  socket: z
    .strictObject({
      proxy,
      connectMs: ms(5_000, 'a connection not open by then is given up'),
      pingMs: ms(3_000, 'after that long without a byte a ping is sent'),
      silenceMs: ms(8_000, 'after that long without a byte the connection is cut'),
      retryMs: ms(250, 'first pause before a new connection; doubles, with jitter'),
      retryMsMax: ms(30_000, 'longest pause before a new connection'),
      attemptsPerMinute: z.int().min(1).max(60).default(10).describe('new connections a minute at most'),
      stableMs: ms(10_000, 'a connection that lasted that long resets the pause'),
      payloadBytesMax: z.int().min(1_024).default(4_194_304).describe('longest message that is accepted'),
      accountBytesMax: z
        .int()
        .min(1_024)
        .default(33_554_432)
        .describe(
          'the same on a connection that is logged in: a subscription of reports is answered with every open order',
        ),
      backlogBytesMax: z
        .int()
        .min(1_024)
        .default(4_194_304)
        .describe('unsent bytes after which the connection is cut'),
      stayAwake: z
        .boolean()
        .default(false)
        .describe(
          'does not let the processor sleep between messages that come often: orders leave sooner, a core is busy',
        ),
      awakeMs: ms(10, 'with stayAwake: after that long without a message the processor may sleep'),
    })
    .prefault({}),
  start: z
    .strictObject({
      waitMs: z
        .int()
        .min(0)
        .max(604_800_000)
        .default(86_400_000)
        .describe(
          'trade in modes live and paper waits so long for a venue that does not answer; 0: not at all',
        ),
      retryMs: ms(1_000, 'first pause before it is asked again; doubles, with jitter'),
      retryMsMax: ms(30_000, 'longest such pause'),
    })
    .prefault({}),
  calls: z
    .strictObject({
      pendingMax: z.int().min(1).default(10_000).describe('commands without an answer at most'),
      deadlineMs: ms(5_000, 'a command without an answer by then is settled as unanswered'),
      loginMs: ms(5_000, 'a login or subscription without an answer by then cuts the connection'),
    })
    .prefault({}),
  market: z
    .strictObject({
      symbolsPerRequest: z
        .int()
        .min(1)
        .max(1_000)
        .default(50)
        .describe('symbols in one subscription message'),
      snapshotMs: ms(
        5_000,
        'a book without a snapshot by then is subscribed again; one that the connection had before costs the connection',
      ),
      // Within two seconds, the timers of a busy loop included.
      crossedMs: ms(
        1_900,
        'a book whose best bid is not below its best ask for that long is subscribed anew',
      ),
      silenceMs: ms(9_500, 'a live book without an update for that long is taken for dead'),
      silenceMsMax: ms(60_000, 'the same for a book that proved to be quiet'),
      lateMs: ms(
        5_000,
        'market data later than orders.marketLagMsMax for so long end the connection; a new one begins without the backlog',
      ),
      retryMs: ms(250, 'first pause before a book is subscribed again; doubles, with jitter'),
      retryMsMax: ms(30_000, 'longest pause before a book is subscribed again'),
      statusMs: ms(5_000, 'how often the status of the symbols in use is read'),
      history: z
        .int()
        .min(0)
        .max(1_000)
        .default(100)
        .describe('trades and candles asked for on subscription'),
    })
    .prefault({}),
});
export type ClientOptions = z.infer<typeof clientOptions>;
export type ClientOptionsInput = z.input<typeof clientOptions>;

/** Options of a socket that is logged in. */
export function accountSocket({ socket }: Pick<ClientOptions, 'socket'>): ClientOptions['socket'] {
  return { ...socket, payloadBytesMax: Math.max(socket.payloadBytesMax, socket.accountBytesMax) };
}
