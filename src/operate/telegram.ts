import { request } from 'undici';
import { z } from 'zod';
import type { Clock } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';
import { pause } from '../core/base/pause.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';

/** One call of the bot interface of Telegram. Rejects with a reason that holds no token. */
export type TelegramCall = (
  method: 'sendMessage' | 'getUpdates',
  body: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

const answerMs = 10_000;
/** How long Telegram holds a question for updates open. */
const pollSeconds = 25;

const answerSchema = z.object({ ok: z.boolean(), result: z.unknown().optional() });
const updatesSchema = z.array(
  z.object({
    update_id: z.int(),
    message: z
      .object({
        date: z.int(),
        text: z.string().optional(),
        chat: z.object({ id: z.int() }),
        from: z.object({ username: z.string().optional() }).optional(),
      })
      .optional(),
  }),
);

export function telegramCall(address: string, token: string): TelegramCall {
  return async (method, body) => {
    const limit = method === 'getUpdates' ? pollSeconds * 1_000 + answerMs : answerMs;
    const answer = await request(`${address}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limit),
    }).catch(() => {
      throw new Error('Telegram does not answer');
    });
    const read = answerSchema.safeParse(await answer.body.json().catch(() => undefined));
    if (answer.statusCode !== 200 || !read.success || !read.data.ok)
      throw new Error(`Telegram answered ${answer.statusCode}`);
    return read.data.result;
  };
}

export interface TelegramSetup {
  readonly call: TelegramCall;
  /** Whose commands are carried out; all others are passed over without a word. */
  readonly chats: readonly number[];
  readonly run: OperatedRun;
  readonly view: RunView;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Commands of the bot: what is read, and what stops orders. Nothing that raises a limit or clears a latch is among them. */
export class TelegramCommands {
  readonly #setup: TelegramSetup;
  /** Older messages were meant for an earlier run. */
  readonly #since: number;
  #next = 0;
  #closed = false;

  constructor(setup: TelegramSetup) {
    this.#setup = setup;
    this.#since = Math.floor(setup.clock.now() / 1_000_000);
    void this.#poll();
  }

  close(): void {
    this.#closed = true;
  }

  async #poll(): Promise<void> {
    const { call, clock, log } = this.#setup;
    while (!this.#closed) {
      try {
        const timeout = pollSeconds;
        const updates = updatesSchema.parse(await call('getUpdates', { offset: this.#next, timeout }));
        for (const update of updates) await this.#take(update);
        if (updates.length === 0) await pause(clock, seconds(1));
      } catch (error) {
        if (this.#closed) return;
        const why = error instanceof Error ? error.message : String(error);
        log.warn({ why }, 'commands of Telegram could not be read');
        await pause(clock, seconds(10));
      }
    }
  }

  async #take({ update_id: id, message }: z.output<typeof updatesSchema>[number]): Promise<void> {
    this.#next = id + 1;
    if (this.#closed || message?.text === undefined || message.date < this.#since) return;
    const { chat, text, from } = message;
    if (!this.#setup.chats.includes(chat.id)) return;
    const answer = this.#answerOf(text.trim(), from?.username ?? `chat ${chat.id}`);
    await this.#setup.call('sendMessage', { chat_id: chat.id, text: answer });
  }

  #answerOf(text: string, from: string): string {
    const { run, view } = this.#setup;
    const who = `telegram ${from}`;
    const [command = '', ...rest] = text.split(/\s+/);
    const why = rest.join(' ').slice(0, 200);
    switch (command.replace(/@\w+$/, '')) {
      case '/status': {
        const { mode, trading, sessions, strategies } = view.status();
        const states = strategies.map(({ name, state }) => `${name} ${state}`).join(', ');
        const down = Object.entries(sessions).flatMap(([name, isUp]) => (isUp ? [] : [`${name} down`]));
        return [`${mode}, trading ${trading.mode}`, states, ...down, view.summary()].join('\n');
      }
      case '/profit':
        return view.summary();
      case '/pause':
        run.act({ act: 'pause', strategy: undefined }, who, why);
        return 'paused; live orders stay';
      case '/resume':
        run.act({ act: 'resume', strategy: undefined }, who, why);
        return 'trading goes on';
      case '/halt':
        run.act({ act: 'halt' }, who, why);
        return 'halted; own orders are canceled. Clear it at the machine';
      default:
        return '/status, /profit, /pause, /resume, /halt';
    }
  }
}
