import { formatAmount } from '../../core/base/amount.ts';
import type { Explained } from '../../operate/index.ts';
import type { Config } from '../config/schema.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { JournalSession } from '../run/journal-session.ts';
import type { OrderStep, OrderTrace } from './order-trace.ts';
import { journalDirectory, microText, traceOrder } from './order-trace.ts';
import type { RecordedOrder } from './recorded-order.ts';
import { recordedOrder } from './recorded-order.ts';
import { join } from 'node:path';

export interface ExplainCommand {
  readonly config: Config;
  readonly id: string;
  /** The run directory, when not that of the configuration. */
  readonly journal: string | undefined;
  /** Where the frames are, when not where a run puts them. */
  readonly recording: string | undefined;
  readonly output: Output;
  readonly json: boolean;
}

/** `godwit explain`: one order, step by step. Throws `NotFound` when no journal names it. */
export async function explainCommand(command: ExplainCommand): Promise<number> {
  const { config, id, output } = command;
  const directory = command.journal ?? journalDirectory(config.run.directory);
  const trace = traceOrder(JournalSession.all(directory), id);
  const folders =
    command.recording === undefined
      ? [join(directory, 'recording'), config.record.directory]
      : [command.recording];
  const recorded = await recordedOrder(folders, id, trace);
  const explained = explainedOrder({ id, directory, trace, recorded });
  if (command.json) output.data(JSON.stringify(explained));
  else for (const line of linesOf(explained)) output.data(line);
  return exitCodes.done;
}

interface OrderSources {
  readonly id: string;
  readonly directory: string;
  readonly trace: OrderTrace;
  readonly recorded: RecordedOrder;
}

/** What decides between steps of one time: the way of an order to the venue and back. */
const rank: readonly string[] = ['intent', 'accepted', 'durable', 'budget', 'packet out', 'packet in'];

/** Steps of both sources by time; those of the journal keep their order. */
function inOrder(journal: readonly OrderStep[], recorded: readonly OrderStep[]): readonly OrderStep[] {
  const rankOf = ({ step }: OrderStep): number => {
    const at = rank.indexOf(step);
    return at === -1 ? rank.length : at;
  };
  return [...journal, ...recorded].toSorted((one, other) => {
    if (one.time !== other.time) return one.time - other.time;
    if (one.sequence !== undefined && other.sequence !== undefined) return one.sequence - other.sequence;
    return rankOf(one) - rankOf(other);
  });
}

/** What the journal and the recording say of an order, as it is shown by the command and by the dashboard. */
export function explainedOrder({ id, directory, trace, recorded }: OrderSources): Explained {
  const { request, instrument, declared } = trace;
  const price = (ticks: NonNullable<typeof request>['price']): string | null =>
    ticks === undefined ? null : (instrument?.priceText(ticks) ?? null);
  const steps = inOrder(trace.steps, recorded.steps);
  return {
    order: {
      clientOrderId: id,
      run: trace.run,
      mode: trace.mode,
      strategy: trace.strategy,
      symbol: instrument?.symbol ?? null,
      side: request?.side ?? null,
      type: request?.type ?? null,
      quantity: request === undefined ? null : (instrument?.quantityText(request.quantity) ?? null),
      price: price(request?.price),
      stopPrice: price(request?.stopPrice),
      state: trace.state,
    },
    seen:
      declared === undefined
        ? null
        : {
            time: microText(declared.time),
            after: declared.after,
            mode: declared.mode,
            book: recorded.book ?? null,
            balances: declared.balances.map(({ currency, available, reserved }) => ({
              currency,
              available: formatAmount(available),
              reserved: formatAmount(reserved),
            })),
          },
    steps: steps.map(({ time, step, text, sequence }, at) => ({
      time: microText(time),
      sincePreviousMs: at === 0 ? null : (time - (steps[at - 1]?.time ?? time)) / 1_000,
      step,
      text,
      sequence: sequence ?? null,
    })),
    journal: directory,
    notes: [...trace.notes, ...recorded.notes],
  };
}

function linesOf({ order, seen, steps, journal, notes }: Explained): readonly string[] {
  const { clientOrderId, run, mode, strategy, symbol, state } = order;
  const level = (levels: readonly (readonly [string, string])[]): string =>
    levels.map(([price, quantity]) => `${price} x ${quantity}`).join(', ') || 'none';
  const book = seen?.book ?? undefined;
  return [
    `order     ${clientOrderId}, ${symbol ?? 'symbol not kept'}, ${state || 'state not kept'}`,
    `run       ${run}, mode ${mode}, strategy ${strategy}, journal ${journal}`,
    ...(seen === null
      ? []
      : [
          `seen      trading ${seen.mode}, after ${seen.after}`,
          ...seen.balances.map(
            ({ currency, available, reserved }) =>
              `  ${currency}  available ${available}, reserved ${reserved}`,
          ),
        ]),
    ...(book === undefined
      ? []
      : [
          `  book ${book.status}, sequence ${book.sequence}, ${book.ageMs.toFixed(3)} ms old`,
          `  bids ${level(book.bids)}`,
          `  asks ${level(book.asks)}`,
        ]),
    '',
    ...steps.map(({ time, sincePreviousMs, step, text }) => {
      const since = sincePreviousMs === null ? '' : `+${sincePreviousMs.toFixed(3)} ms`;
      return `${time}  ${since.padStart(14)}  ${step.padEnd(10)}  ${plain(text)}`;
    }),
    ...notes.map((note) => `note: ${note}`),
  ];
}

const textMax = 160;

/** A line for a terminal: control characters of a text that came from outside do not reach it. */
function plain(text: string): string {
  const short = text.length <= textMax ? text : `${text.slice(0, textMax)}…`;
  return short.replaceAll(/\p{Cc}/gu, '?');
}
