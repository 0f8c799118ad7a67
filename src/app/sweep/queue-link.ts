import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ObjectStore } from '@nats-io/obj';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';

/** The queue of a sweep cannot be used: its packages are not installed, or its server cannot be reached. */
export class QueueFailed extends GodwitError {
  override readonly code = 'GW_QUEUE_FAILED';
}

/** A line to a NATS server: runs wait in a work queue, results stand by key, packs as objects. */
export interface QueueLink {
  readonly connection: NatsConnection;
  readonly streams: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly results: KV;
  readonly packs: ObjectStore;
}

export interface LinkSetting {
  readonly url: string;
  readonly clock: Clock;
  /** How long to wait for a server that is not there yet; a refusal ends it at once when left out. */
  readonly patience?: Micros | undefined;
}

export const runsStream = 'godwit-runs';
export const runsSubject = 'godwit.runs';
export const runsConsumer = 'workers';

/** A run that is not confirmed for this long is given to another worker. */
export const ackWaitMs = 3_000;
const weekMs = 7 * 86_400_000;
const nanosPerMilli = 1_000_000;
/** Runs that were handed in twice within this time are one. */
const duplicateWindowMs = 3_600_000;

/** Opens the line and whatever stands behind it. Throws `QueueFailed` in one sentence. */
export async function openQueue({ url, clock, patience }: LinkSetting): Promise<QueueLink> {
  const { connect, jetstream, kv, obj } = await packages();
  const waits = patience !== undefined;
  const connecting = connect({
    servers: url,
    name: 'godwit',
    timeout: 5_000,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: waits,
  });
  const connection = await within(connecting, { clock, patience, url });
  try {
    const manager = await jetstream.jetstreamManager(connection);
    await manager.streams.add({
      name: runsStream,
      subjects: [runsSubject],
      retention: 'workqueue',
      duplicate_window: duplicateWindowMs * nanosPerMilli,
      max_age: weekMs * nanosPerMilli,
    });
    await manager.consumers.add(runsStream, {
      durable_name: runsConsumer,
      ack_policy: 'explicit',
      ack_wait: ackWaitMs * nanosPerMilli,
      max_deliver: -1,
    });
    const streams = jetstream.jetstream(connection);
    return {
      connection,
      streams,
      manager,
      results: await new kv.Kvm(streams).create('godwit-results', { ttl: weekMs, history: 1 }),
      packs: await new obj.Objm(streams).create('godwit-packs', { ttl: weekMs * nanosPerMilli }),
    };
  } catch (error) {
    await connection.close();
    throw new QueueFailed(`${url}: expected a NATS server with JetStream, ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The client's packages are optional: a sweep on one machine needs none of them. */
async function packages() {
  try {
    const { connect } = await import('@nats-io/transport-node');
    const [jetstream, kv, obj] = await Promise.all([
      import('@nats-io/jetstream'),
      import('@nats-io/kv'),
      import('@nats-io/obj'),
    ]);
    return { connect, jetstream, kv, obj };
  } catch (error) {
    throw new QueueFailed(
      '--queue needs the optional packages @nats-io/transport-node, @nats-io/jetstream, @nats-io/kv and @nats-io/obj: npm install --include=optional',
      { cause: error },
    );
  }
}

async function within(
  connecting: Promise<NatsConnection>,
  { url, clock, patience }: LinkSetting,
): Promise<NatsConnection> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    if (patience !== undefined)
      cancel = clock.after(patience, () => reject(new Error(`no answer within ${patience / 1e6} s`)));
  });
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    throw new QueueFailed(`${url}: the queue cannot be reached: ${reasonOf(error)}`, { cause: error });
  } finally {
    cancel();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
