import { request } from 'undici';
import { z } from 'zod';
import type { Clock } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';
import { pause } from '../core/base/pause.ts';
import { everyAct, intendedBy } from './act-rows.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import { outwardTo } from './outward.ts';
import { PlaceBusy } from './sender.ts';

/** One call of the bot interface of Telegram. Rejects with a reason that holds no token. */
export type TelegramCall = (
  method: 'sendMessage' | 'getUpdates',
  body: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

const answerMs = 10_000;
/** How long Telegram holds a question for updates open. */
const pollSeconds = 25;

/** Telegram takes longer texts of no message. */
const textLengthMax = 4_000;

const answerSchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  parameters: z.object({ retry_after: z.number().positive() }).optional().catch(undefined),
});
const rowsSchema = z.array(z.unknown());
const numberedSchema = z.object({ update_id: z.int() });
const updateSchema = z.object({
  message: z
    .object({
      date: z.int(),
      text: z.string().optional(),
      chat: z.object({ id: z.int() }),
      from: z.object({ username: z.string().optional() }).optional().catch(undefined),
    })
    .optional(),
});

export function telegramCall(address: string, token: string): TelegramCall {
  const way = outwardTo(address);
  return async (method, body) => {
    const limit = method === 'getUpdates' ? pollSeconds * 1_000 + answerMs : answerMs;
    const answer = await request(`${address}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limit),
      ...way,
    }).catch(() => {
      throw new Error('Telegram does not answer');
    });
    const read = answerSchema.safeParse(await answer.body.json().catch(() => undefined));
    if (answer.statusCode === 200 && read.success && read.data.ok) return read.data.result;
    const why = `Telegram answered ${answer.statusCode}`;
    const wait = read.data?.parameters?.retry_after;
    throw wait === undefined ? new Error(why) : new PlaceBusy(why, wait);
  };
}

export interface TelegramDeps {
  readonly call: TelegramCall;
  /** Chats whose commands are carried out; all others are passed over without a word. */
  readonly chats: readonly number[];
  readonly run: OperatedRun;
  readonly view: RunView;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Commands of the bot: what is read, and what stops orders. Nothing that raises a limit or clears a latch is among them. */
export class TelegramCommands {
  readonly #setup: TelegramDeps;
  /** Older messages were meant for an earlier run. */
  readonly #since: number;
  #next = 0;
  #closed = false;
  #answered: Promise<unknown> = Promise.resolve();

  constructor(setup: TelegramDeps) {
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
        const asked = { offset: this.#next, timeout: pollSeconds };
        const updates = rowsSchema.parse(await call('getUpdates', asked));
        const before = this.#next;
        for (const update of updates) this.#take(update);
        // Rows that have no number come again: without a pause they would be asked for without end.
        if (this.#next === before) await pause(clock, seconds(1));
      } catch (error) {
        if (this.#closed) return;
        log.warn({ why: reasonOf(error) }, 'commands of Telegram could not be read');
        await pause(clock, error instanceof PlaceBusy ? error.wait : seconds(10));
      }
    }
  }

  /** Carries out one update. One that cannot be read is passed over, so that it keeps none after it from being carried out. */
  #take(update: unknown): void {
    const { call, chats, log } = this.#setup;
    const numbered = numberedSchema.safeParse(update);
    if (numbered.success) this.#next = Math.max(this.#next, numbered.data.update_id + 1);
    const read = updateSchema.safeParse(update);
    if (!numbered.success || !read.success) {
      log.warn({ why: reasonOf(numbered.error ?? read.error) }, 'an update of Telegram was passed over');
      return;
    }
    const { message } = read.data;
    if (this.#closed || message?.text === undefined || message.date < this.#since) return;
    const { chat, text, from } = message;
    if (!chats.includes(chat.id)) return;
    const answer = this.#answerOf(text.trim(), from?.username ?? `chat ${chat.id}`);
    // The next command does not wait for the answer of this one; the next answer does.
    this.#answered = this.#answered
      .then(() => call('sendMessage', { chat_id: chat.id, text: answer.slice(0, textLengthMax) }))
      .catch((error) =>
        log.warn({ why: reasonOf(error) }, 'an answer to a command of Telegram was not delivered'),
      );
  }

  #answerOf(text: string, from: string): string {
    const { view } = this.#setup;
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
      default:
        return this.#act(command.replace(/@\w+$/, ''), who, why);
    }
  }

  /** Carries out the act of a command, or says which commands there are. */
  #act(command: string, who: string, why: string): string {
    const { run, view } = this.#setup;
    const found = everyAct.find(([act, { bot }]) => `/${act}` === command && bot !== undefined);
    if (found === undefined) {
      const known = everyAct.filter(([, { bot }]) => bot !== undefined).map(([act]) => `/${act}`);
      return ['/status', '/profit', ...known].join(', ');
    }
    const [act, { bot = '' }] = found;
    const asked = { act, strategy: null };
    run.act(intendedBy(asked, { view, strategy: () => undefined }), who, why);
    return bot;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
