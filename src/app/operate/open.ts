import { unguessable } from '../../operate/access.ts';
import type { NotificationsSetup } from '../../operate/notifications.ts';
import { Notifications } from '../../operate/notifications.ts';
import type { OperatedRun } from '../../operate/run.ts';
import { OperateServer } from '../../operate/server.ts';
import type { Config } from '../config/schema.ts';
import { resolveSecret } from '../config/secrets.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { dashboardAddress, removeRunFile, writeRunFile } from './run-file.ts';

export interface OpenOperate {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly run: OperatedRun;
}

/** The operator's interface of a daemon that runs. */
export interface OpenedOperate {
  /** Where it listens. */
  readonly url: string;
  /** Address of the page, with the token in it. */
  readonly dashboard: string;
  alert(text: string): void;
  close(why: string): Promise<void>;
}

/** Opens it, unless the configuration says not to, and leaves a file in the run directory by which commands find it. */
export async function openOperate(setting: OpenOperate): Promise<OpenedOperate | undefined> {
  const { config, clock, log, run } = setting;
  const { enabled, tokens: _tokens, notify, ...options } = config.operate;
  if (!enabled) return undefined;
  const tokens = tokensOf(setting);
  const secrets = notifySecrets(setting);
  const server = await OperateServer.start({ options, tokens, run, clock, log });
  const notifications = new Notifications({ options: notify, secrets, run, view: server.view, clock, log });
  const { directory } = config.run;
  writeRunFile(directory, {
    url: server.url,
    token: tokens.operate,
    pid: process.pid,
    run: run.run,
    startedAt: new Date(clock.now() / 1_000).toISOString(),
  });
  return {
    url: server.url,
    dashboard: dashboardAddress({ url: server.url, token: tokens.operate }),
    alert: (text) => server.alert(text),
    close: async (why) => {
      removeRunFile(directory);
      await notifications.close(why);
      await server.close();
    },
  };
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
function notifySecrets({ config, environment }: OpenOperate): NotificationsSetup['secrets'] {
  const { webhook, telegram } = config.operate.notify;
  const read = (reference: string | undefined, path: string): string | undefined =>
    reference === undefined ? undefined : resolveSecret(reference, path, environment).reveal();
  return {
    webhook: read(webhook?.url, 'operate.notify.webhook.url'),
    telegram: read(telegram?.token, 'operate.notify.telegram.token'),
  };
}
