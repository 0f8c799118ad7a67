import type { Status, StrategyRow } from '../../operate/index.ts';
import type { BudgetRow } from '../../operate/views/budgets.ts';
import { budgetsView } from '../../operate/views/budgets.ts';
import type { FeedRow } from '../../operate/views/feeds.ts';
import { feedsView } from '../../operate/views/feeds.ts';
import type { View } from '../../operate/views/view.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import type { OperateTarget } from './client.ts';
import { columns, plainText, profitText, shownRows } from './columns.ts';
import { OperateClient, OperateFailed } from './client.ts';

export interface OperateCommand {
  readonly target: OperateTarget;
  readonly output: Output;
  readonly json: boolean;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** `godwit status`: the run, its feeds and budgets. */
export async function statusCommand({ target, output, json }: OperateCommand): Promise<number> {
  const client = new OperateClient(target);
  const [status, feeds, budgets] = (await Promise.all([
    client.get('/api/status'),
    client.get('/api/feeds'),
    client.get('/api/budgets'),
  ])) as [Status, FeedRow[], BudgetRow[]];
  if (json) {
    output.data(JSON.stringify({ ...status, feeds, budgets }));
    return 0;
  }
  const { trading, sessions, orders } = status;
  const up = (isUp: boolean): string => (isUp ? 'up' : 'down');
  output.data(`run       ${status.run}, ${status.mode}, at ${status.venue}, since ${status.startedAt}`);
  output.data(`trading   ${trading.holds}${trading.causes === '' ? '' : `: ${trading.causes}`}`);
  output.data(`sessions  market ${up(sessions.market)}, trading ${up(sessions.trading)}`);
  output.data(`orders    ${orders.open} open, ${orders.unknown} unknown, ${orders.inFlight} on their way`);
  for (const state of status.safeStates) output.data(`held      ${heldText(state)}`);
  for (const { cause, since } of status.otherGodwits)
    output.data(`others    ${plainText(`${cause} (since ${since})`)}`);
  if (status.sentinel !== null) output.data(`sentinel  ${sentinelText(status.sentinel)}`);
  if (status.drift !== null) output.data(`drift     ${driftText(status.drift)}`);
  const strategies = status.strategies.flatMap(({ shadow, ...live }) =>
    [live, ...(shadow === null ? [] : [shadow])].map(({ kind, state, why, fills, profit }) => ({
      strategy: live.name,
      kind,
      state,
      why,
      symbols: live.symbols.join(' '),
      fills,
      profit: profitText(profit),
    })),
  );
  print(output, strategies, ['strategy', 'kind', 'state', 'symbols', 'fills', 'profit', 'why']);
  print(output, feeds, feedsView.columns);
  print(output, budgets, budgetsView.columns);
  return 0;
}

function heldText({ cause, since, nextLook, endsWhen, kind }: Status['safeStates'][number]): string {
  const began = since === null ? '' : ` (since ${since})`;
  if (kind === 'lossLimit' && nextLook !== null) return plainText(`${cause}${began}; until ${nextLook}`);
  const next = nextLook === null ? '' : `; next look ${nextLook}`;
  return plainText(`${cause}${began}; until ${endsWhen}${next}`);
}

function sentinelText({
  up,
  pid,
  stage,
  since,
  lastLook,
  waitsFor,
  trouble,
  acts,
  canceled,
}: NonNullable<Status['sentinel']>): string {
  const acted = acts === 0 ? '' : `; acted ${acts} ${acts === 1 ? 'time' : 'times'}, cancelled ${canceled}`;
  const wrong = trouble === '' ? '' : `; ${trouble}`;
  if (!up) return plainText(`down${wrong}${acted}`);
  return plainText(
    `${stage} (process ${pid}, since ${since}), last look ${lastLook}; waits for ${waitsFor}${acted}${wrong}`,
  );
}

function driftText({ running, score, limit, to, why, failures }: NonNullable<Status['drift']>): string {
  const last =
    score === null || to === null
      ? 'no day was compared yet'
      : `score ${score} (limit ${limit}) for the day to ${to}`;
  const failed = why === '' ? '' : `; the last comparison failed (${failures} in all): ${why}`;
  return plainText(`${last}${failed}${running ? '; one is under way' : ''}`);
}

/** `godwit health`: whether the daemon answers, with `isReady` whether orders can leave. What it asks needs no token. */
export async function healthCommand(
  { target, output, json }: OperateCommand,
  isReady: boolean,
): Promise<number> {
  const answer = await new OperateClient(target).get(isReady ? '/ready' : '/health');
  output.data(json ? JSON.stringify(answer) : isReady ? 'orders can leave' : 'the daemon answers');
  return 0;
}

/** `godwit dashboard`: the address of the page, with the token, of a daemon that takes it. */
export async function dashboardCommand({ target, output, json }: OperateCommand): Promise<number> {
  const client = new OperateClient(target);
  await client.get('/api/versions');
  output.data(json ? JSON.stringify({ dashboard: client.dashboard }) : client.dashboard);
  return 0;
}

/** `godwit orders`, `positions` and so on: one list of `operate/views`. `all`: also rows that a person is not shown otherwise. */
export async function listCommand(
  { target, output, json }: OperateCommand,
  { name, empty, columns: names, within, shows }: View,
  all = false,
): Promise<number> {
  const sent = (await new OperateClient(target).get(`/api/${name}`)) as Rows;
  if (json) {
    output.data(JSON.stringify(sent));
    return 0;
  }
  const rows = shows === undefined || all ? sent : sent.filter(shows);
  if (rows.length === 0) output.data(empty);
  print(output, rows, names);
  if (within !== undefined)
    print(
      output,
      rows.flatMap((row) => row[within.field] as Rows),
      within.columns,
    );
  return 0;
}

/** `godwit params STRATEGY`: what it runs with, and what each parameter may be. */
export async function paramsCommand(
  { target, output, json }: OperateCommand,
  strategy: string,
): Promise<number> {
  const rows = (await new OperateClient(target).get('/api/strategies')) as StrategyRow[];
  const row = rows.find(({ name }) => name === strategy);
  if (row === undefined)
    throw new OperateFailed(
      `there is no strategy ${JSON.stringify(strategy)} in this run`,
      exitCodes.notFound,
    );
  const { params, schema } = row;
  if (json) {
    output.data(JSON.stringify({ strategy, params, schema }));
    return 0;
  }
  const properties = (schema['properties'] ?? {}) as Readonly<
    Record<string, Readonly<Record<string, unknown>>>
  >;
  const names = [...new Set([...Object.keys(properties), ...Object.keys(params)])];
  if (names.length === 0) output.data('no params');
  const lines = names.map((param) => ({
    param,
    value: params[param],
    default: properties[param]?.['default'],
    type: properties[param]?.['type'],
    description: properties[param]?.['description'],
  }));
  // A value may be copied: no digit of it is left out.
  if (lines.length > 0) output.data('');
  for (const line of columns(lines, ['param', 'value', 'default', 'type', 'description'])) output.data(line);
  return 0;
}

/** Who asks for an act, where that is said, and why. */
export interface Asker {
  readonly why?: string | undefined;
  readonly who?: string | undefined;
}

/** An act with who asks for it: the user of the shell when nobody is named. */
export function askedBy(
  act: Readonly<Record<string, unknown>>,
  { why, who }: Asker,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, unknown>> {
  return { ...act, ...(why !== undefined && { why }), who: who ?? environment['USER'] ?? 'operator' };
}

/** `godwit pause`, `halt` and the like. What takes two steps prints the code of the second. */
export async function actCommand(
  { target, output, json }: OperateCommand,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { actedSchema } = await import('../../operate/schemas.ts');
  const acted = actedSchema.parse(await new OperateClient(target).act(body));
  if (json) {
    output.data(JSON.stringify(acted));
    return 0;
  }
  output.data(acted.confirm === undefined ? acted.text : `${acted.text}: --confirm ${acted.confirm}`);
  for (const { name, from, to } of acted.changes ?? [])
    output.data(`  ${name}: ${from ?? 'not set'} → ${to ?? 'not set'}`);
  return 0;
}

function print(output: Output, rows: Rows, names: readonly string[]): void {
  if (rows.length === 0) return;
  output.data('');
  for (const line of columns(shownRows(rows), names)) output.data(line);
}
