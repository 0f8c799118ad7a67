import type { FeedRequest } from '../../core/strategy/feed-request.ts';
import type { StrategyHost } from '../../core/strategy/host.ts';

/**
 * The place of a strategy that ran in a thread of its own, in a replay: what it said, and when, is in the recording.
 */
export class RecordedHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];

  constructor(name: string, feeds: readonly FeedRequest[]) {
    this.name = name;
    this.feeds = feeds;
  }

  start(): void {}

  notify(): void {}

  notifyMarketData(): void {}

  stop(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}
