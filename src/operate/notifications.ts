import { request } from 'undici';
import type { Cancel, Clock } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';
import { endText, summaryText } from './bot-texts.ts';
import { daily } from './daily.ts';
import type { NewsKind } from './news.ts';
import { NewsWatch, keptNews } from './news.ts';
import type { NotifyOptions } from './options.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import type { NewsPlace, NewsStore } from './sender.ts';
import { NewsSender, PlaceBusy } from './sender.ts';
import { TelegramCommands, telegramCall } from './telegram.ts';
import { outwardTo } from './outward.ts';

export interface NotificationsDeps {
  readonly options: NotifyOptions;
  /** Read where secrets are read. */
  readonly secrets: { readonly webhook: string | undefined; readonly telegram: string | undefined };
  /** Store that keeps news of a place over a restart; a name holds no secret. */
  readonly storeOf: (place: string) => NewsStore;
  readonly run: OperatedRun;
  readonly view: RunView;
  readonly clock: Clock;
  readonly log: Logger;
}

const answerMs = 10_000;

interface Receiver {
  /** Name of the place, over changes of its address. */
  readonly name: string;
  readonly sender: NewsSender;
  readonly kinds: ReadonlySet<NewsKind>;
}

/** Tells the places of the configuration what an operator should know. A place that does not answer holds nothing up. */
export class Notifications {
  readonly #setup: Omit<NotificationsDeps, 'options' | 'secrets'>;
  readonly #watch: NewsWatch;
  readonly #unwatch: Cancel;
  #receivers: readonly Receiver[] = [];
  #commands: TelegramCommands | undefined;
  #cancelSummary: Cancel = () => {};

  constructor({ options, secrets, ...setup }: NotificationsDeps) {
    const { run } = setup;
    this.#setup = setup;
    this.#open({ options, secrets });
    for (const { name, sender } of this.#receivers) sender.adopt(setup.storeOf(name).earlier());
    this.#watch = new NewsWatch(run, ({ kind, text }) => this.send(kind, text));
    this.#unwatch = run.trader.watchLanes(
      (data) => {
        if (data.kind === 'bookSnapshot') this.#watch.observe(data);
      },
      ({ event }) => this.#watch.observe(event),
    );
    const { mode, modeWhy } = run.trader.view;
    const halted = mode === 'active' ? '' : `; trading is ${mode}: ${modeWhy}`;
    this.send('started', `started, ${run.mode}, run ${run.run}, at ${run.venue}${halted}`);
  }

  /** Other places from now on. What waits for those of before is sent to them; what is kept and does not arrive goes to the new ones. */
  renew(places: Pick<NotificationsDeps, 'options' | 'secrets'>): void {
    this.#cancelSummary();
    this.#commands?.close();
    this.#commands = undefined;
    const before = this.#receivers;
    this.#open(places);
    for (const { name, sender } of before) {
      const next = this.#receivers.find((one) => one.name === name)?.sender;
      void sender.close().then((left) => next?.adopt(left));
      if (next === undefined) this.#setup.storeOf(name).keep([]);
    }
  }

  #open({ options, secrets }: Pick<NotificationsDeps, 'options' | 'secrets'>): void {
    const { run, view, clock, log, storeOf } = this.#setup;
    const receivers: Receiver[] = [];
    const add = (name: string, place: NewsPlace, kinds: readonly NewsKind[]): void => {
      const sender = new NewsSender(place, storeOf(name), clock, log);
      receivers.push({ name, sender, kinds: new Set(kinds) });
    };
    if (options.webhook !== undefined && secrets.webhook !== undefined)
      add('webhook', webhook(secrets.webhook, options.name), options.webhook.kinds);
    if (options.telegram !== undefined && secrets.telegram !== undefined) {
      const { telegram, name } = options;
      const call = telegramCall(telegram.address, secrets.telegram);
      for (const chat of new Set(telegram.chats)) {
        const place: NewsPlace = {
          name: 'telegram',
          send: async (texts) => {
            await call('sendMessage', { chat_id: chat, text: `${name}: ${texts.join('\n')}` });
          },
        };
        add(`telegram ${chat}`, place, telegram.kinds);
      }
      if (telegram.commands)
        this.#commands = new TelegramCommands({ call, chats: telegram.chats, run, view, clock, log });
    }
    this.#receivers = receivers;
    this.#cancelSummary = daily({ clock, at: options.summaryAt }, () =>
      this.send('summary', summaryText(view, run.clock.now())),
    );
  }

  async close(why: string): Promise<void> {
    this.#unwatch();
    this.#watch.close();
    this.#cancelSummary();
    this.#commands?.close();
    this.send('stopped', `stopped: ${why}. ${endText(this.#setup.view)}`);
    await Promise.all(this.#receivers.map(({ sender }) => sender.close()));
  }

  /** Tells every place that wants news of this kind. */
  send(kind: NewsKind, text: string): void {
    for (const { sender, kinds } of this.#receivers)
      if (kinds.has(kind)) sender.add(text, keptNews.has(kind));
  }
}

/** A POST of `{ name, texts }`. The address may hold a secret, so no error names it. */
function webhook(address: string, name: string): NewsPlace {
  const way = outwardTo(address);
  return {
    name: 'webhook',
    send: async (texts) => {
      const answer = await request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, texts }),
        signal: AbortSignal.timeout(answerMs),
        ...way,
      }).catch(() => {
        throw new Error('the webhook does not answer');
      });
      await answer.body.dump();
      const why = `the webhook answered ${answer.statusCode}`;
      const wait = Number(answer.headers['retry-after']);
      if (answer.statusCode >= 300) throw wait > 0 ? new PlaceBusy(why, wait) : new Error(why);
    },
  };
}
