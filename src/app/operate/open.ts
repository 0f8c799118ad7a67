import { unguessable, Notifications, OperateServer } from '../../operate/index.ts';
import type { NotificationsDeps, OperatedRun, NewsStore } from '../../operate/index.ts';
import type { Config } from '../config/schema.ts';
import { resolveSecret } from '../config/secrets.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { startDrift, NightlyDrift } from '../nightly/index.ts';
import type { DriftComparison } from '../nightly/index.ts';
import { KeptHistoryFiles } from './kept-history.ts';
import { KeptNewsFile } from './kept-news.ts';
import { closePage, dashboardAddress, openPage } from './open-page.ts';
import type { Output } from '../process/output.ts';
import { removeRunFile, writeRunFile } from './run-file.ts';

export interface OpenOperate {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the frames of the run are recorded, if they are. */
  readonly recordTo: string | undefined;
  readonly run: OperatedRun;
  /** Whether the page is opened in a browser once it is served. */
  readonly opensPage?: boolean;
  readonly output: Pick<Output, 'progress'>;
}

/** The operator's interface of a daemon that runs. */
export interface OpenedOperate {
  /** Where it listens. */
  readonly url: string;
  /** Address of the page, with the token in it. */
  readonly dashboard: string;
  alert(text: string): void;
  /** Reads the secrets of other notification settings; returns what lets these hold. Throws `ConfigError`. */
  renews(config: Config): () => void;
  close(why: string): Promise<void>;
}

/** Opens it, unless the configuration says not to, and leaves a file in the run directory by which commands find it. */
export async function openOperate(setting: OpenOperate): Promise<OpenedOperate | undefined> {
  const { config, clock, log } = setting;
  const { enabled, tokens: _tokens, notify, drift: _drift, ...options } = config.operate;
  if (!enabled) return undefined;
  const tokens = tokensOf(setting);
  const secrets = notifySecrets(config, setting.environment);
  const nightly = nightlyOf(setting);
  const run = { ...setting.run, drift: nightly && (() => nightly.state) };
  const { directory } = config.run;
  const history = new KeptHistoryFiles(directory, clock, log);
  const server = await OperateServer.start({ options, tokens, run, kept: history, clock, log });
  const news = new KeptNewsFile(directory, log);
  const storeOf = (place: string): NewsStore => news.storeOf(place);
  const { view } = server;
  const notifications = new Notifications({ options: notify, secrets, storeOf, run, view, clock, log });
  nightly?.start((text) => {
    server.alert(text);
    notifications.send('drift', text);
  });
  writeRunFile(directory, {
    url: server.url,
    token: tokens.operate,
    pid: process.pid,
    run: run.run,
    startedAt: new Date(clock.now() / 1_000).toISOString(),
  });
  const dashboard = dashboardAddress({ url: server.url, token: tokens.operate });
  if (setting.opensPage === true) openPage(dashboard, directory, (line) => setting.output.progress(line));
  return {
    url: server.url,
    dashboard,
    alert: (text) => server.alert(text),
    renews: (other) => {
      const places = { options: other.operate.notify, secrets: notifySecrets(other, setting.environment) };
      return () => notifications.renew(places);
    },
    close: async (why) => {
      removeRunFile(directory);
      closePage(directory);
      await nightly?.close();
      await notifications.close(why);
      news.close();
      await server.close();
      await history.close();
    },
  };
}

/** Compares each day with its backtest, where the configuration asks for it. */
function nightlyOf({ config, clock, log, recordTo }: OpenOperate): NightlyDrift | undefined {
  const { drift: options } = config.operate;
  if (options === undefined || recordTo === undefined) return undefined;
  const { directory } = config.run;
  const { memoryMaxMib } = options;
  const venueModule = config.venue.module;
  const compare = (): DriftComparison =>
    startDrift({ directory, recording: recordTo, memoryMaxMib, venueModule });
  return new NightlyDrift({ options, directory, clock, log, compare });
}

/** Those of the configuration; without one, a token of this run. */
function tokensOf({ config, environment }: OpenOperate): { operate: string; read: string | undefined } {
  const { operate, read } = config.operate.tokens;
  const resolved = (name: keyof Config['operate']['tokens'], reference: string): string =>
    resolveSecret(reference, `operate.tokens.${name}`, environment).reveal();
  return {
    operate: operate === undefined ? unguessable(192) : resolved('operate', operate),
    read: read === undefined ? undefined : resolved('read', read),
  };
}

/** The address of the webhook and the token of the bot, where they are named. */
function notifySecrets(
  config: Config,
  environment: OpenOperate['environment'],
): NotificationsDeps['secrets'] {
  const { webhook, telegram } = config.operate.notify;
  const read = (reference: string | undefined, path: string): string | undefined =>
    reference === undefined ? undefined : resolveSecret(reference, path, environment).reveal();
  return {
    webhook: read(webhook?.url, 'operate.notify.webhook.url'),
    telegram: read(telegram?.token, 'operate.notify.telegram.token'),
  };
}
