import { request } from 'undici';
import { z } from 'zod';
import type { Clock, Micros } from '../core/base/clock.ts';
import { later, seconds } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';
import { pause } from '../core/base/pause.ts';
import { unguessable } from './access.ts';
import { everyAct, intendedBy } from './act-rows.ts';
import { alertsText, ordersText, positionsText, profitsText, statusText } from './bot-texts.ts';
import { Refused } from './refused.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import { outwardTo } from './outward.ts';
import { PlaceBusy } from './sender.ts';

/** One call of the bot interface of Telegram. Rejects with a reason that holds no token. */
export type TelegramCall = (
  method: 'sendMessage' | 'getUpdates' | 'answerCallbackQuery' | 'setMyCommands',
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
const fromSchema = z.object({ username: z.string().optional() }).optional().catch(undefined);
const chatSchema = z.object({ id: z.int() });
const updateSchema = z.object({
  message: z
    .object({ date: z.int(), text: z.string().optional(), chat: chatSchema, from: fromSchema })
    .optional(),
  callback_query: z
    .object({
      id: z.string(),
      data: z.string().optional(),
      message: z.object({ chat: chatSchema }).optional(),
      from: fromSchema,
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

/** Time in which a question may be answered. */
const confirmWithin = seconds(60);

/** Commands that read, with their line in the menu. */
const reading: Readonly<
  Record<string, { readonly text: string; readonly answer: (view: RunView) => string }>
> = {
  status: { text: 'the run in a few lines', answer: statusText },
  profit: { text: 'profit by currency, strategy and day', answer: profitsText },
  positions: { text: 'what is held', answer: positionsText },
  orders: { text: 'orders that may be live', answer: ordersText },
  alerts: { text: 'the last alerts', answer: alertsText },
};

/** Acts of the bot. Nothing that raises a limit or clears a latch is among them. */
const acting = everyAct.flatMap(([act, { bot, button }]) =>
  bot === undefined ? [] : [{ act, bot, button }],
);

interface Button {
  readonly text: string;
  /** Command that it stands for. */
  readonly command: string;
}

interface Answer {
  readonly text: string;
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly Button[])[];
}

const menu: readonly (readonly Button[])[] = [
  Object.keys(reading).map((command) => ({ text: capital(command), command })),
  acting.map(({ act, button }) => ({ text: button?.all ?? capital(act), command: act })),
];

/** Commands of the bot, typed or by its buttons: what is read, and what stops orders. */
export class TelegramCommands {
  readonly #setup: TelegramDeps;
  /** Older messages were meant for an earlier run. */
  readonly #since: number;
  #next = 0;
  #closed = false;
  #answered: Promise<unknown> = Promise.resolve();
  /** Code of the last question. */
  #code: { readonly text: string; readonly act: string; readonly until: Micros } | undefined;

  constructor(setup: TelegramDeps) {
    this.#setup = setup;
    this.#since = Math.floor(setup.clock.now() / 1_000_000);
    this.#call('setMyCommands', {
      commands: [
        ...Object.entries(reading).map(([command, { text }]) => ({ command, description: text })),
        ...acting.map(({ act, bot }) => ({ command: act, description: bot.text })),
      ],
    });
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
    const { chats, log, run } = this.#setup;
    const numbered = numberedSchema.safeParse(update);
    if (numbered.success) this.#next = Math.max(this.#next, numbered.data.update_id + 1);
    const read = updateSchema.safeParse(update);
    if (!numbered.success || !read.success) {
      log.warn({ why: reasonOf(numbered.error ?? read.error) }, 'an update of Telegram was passed over');
      return;
    }
    if (this.#closed) return;
    const { message, callback_query: tapped } = read.data;
    const chat = message?.chat.id ?? tapped?.message?.chat.id;
    if (chat === undefined || !chats.includes(chat)) return;
    const who = `telegram ${(message ?? tapped)?.from?.username ?? `chat ${chat}`}`;
    if (tapped !== undefined) {
      // Until this call the button shows that it works.
      this.#call('answerCallbackQuery', { callback_query_id: tapped.id });
      const [command = '', of] = (tapped.data ?? '').split('@');
      if (of === run.run) this.#answer(chat, this.#answerOf(command, who));
      else this.#answer(chat, { text: 'nothing was done: this button is of an earlier run', buttons: menu });
    } else if (message?.text !== undefined && message.date >= this.#since) {
      const text = message.text.trim();
      this.#answer(chat, this.#answerOf(text.replace(/^\/(\w+)@\w+/, '/$1').replace(/^\//, ''), who));
    }
  }

  #answer(chat: number, { text, buttons }: Answer): void {
    const rows = buttons?.map((row) =>
      row.map((one) => ({ text: one.text, callback_data: `${one.command}@${this.#setup.run.run}` })),
    );
    this.#call('sendMessage', {
      chat_id: chat,
      text: text.slice(0, textLengthMax),
      ...(rows !== undefined && { reply_markup: { inline_keyboard: rows } }),
    });
  }

  /** The next command does not wait for this call; the next call does. */
  #call(...asked: Parameters<TelegramCall>): void {
    const { call, log } = this.#setup;
    this.#answered = this.#answered
      .then(() => call(...asked))
      .catch((error) =>
        log.warn({ why: reasonOf(error) }, 'an answer to a command of Telegram was not delivered'),
      );
  }

  /** `text`: a command without its slash, and what stands behind it. */
  #answerOf(text: string, who: string): Answer {
    const [command = '', ...rest] = text.split(/\s+/);
    const why = rest.join(' ').slice(0, 200);
    const read = Object.hasOwn(reading, command) ? reading[command] : undefined;
    if (read !== undefined)
      return { text: read.answer(this.#setup.view), ...(command === 'status' && { buttons: menu }) };
    const found = acting.find(({ act }) => act === command);
    if (found !== undefined) return this.#act(found, who, why);
    if (command === 'no') return { text: 'nothing was done' };
    const known = [...Object.keys(reading), ...acting.map(({ act }) => act)];
    return { text: known.map((name) => `/${name}`).join(', '), buttons: menu };
  }

  /** Carries out an act, or asks before. */
  #act({ act, bot, button }: (typeof acting)[number], who: string, why: string): Answer {
    const { run, view, clock } = this.#setup;
    const code = this.#code;
    this.#code = undefined;
    const isConfirmed = code?.act === act && code.text === why && clock.uptime() <= code.until;
    try {
      // Throws where it cannot be done: then nothing is asked.
      const intended = intendedBy({ act, strategy: null } as never, { view, strategy: () => undefined });
      if (bot.asks === true && !isConfirmed) {
        const text = unguessable(64);
        this.#code = { text, act, until: later(clock.uptime(), confirmWithin) };
        return {
          text: `${button?.questionOfAll ?? button?.question ?? act} ${button?.explains ?? ''}`.trim(),
          buttons: [
            [
              { text: `Yes, ${act}`, command: `${act} ${text}` },
              { text: 'No', command: 'no' },
            ],
          ],
        };
      }
      run.act(intended, who, isConfirmed ? '' : why);
      return { text: bot.done };
    } catch (error) {
      if (error instanceof Refused) return { text: `nothing was done: ${error.message}` };
      throw error;
    }
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
