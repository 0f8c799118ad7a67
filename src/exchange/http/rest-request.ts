import type { Cancel, Micros } from '../../core/base/clock.ts';

/** A request as it came, before anything is believed. */
export interface RestRequest {
  readonly method: string;
  /** Exactly as requested, trailing slash included: part of the signed text. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly time: Micros;
  /** Has `task` run once if the caller's connection ends before the returned function is called. */
  readonly onGone: (task: () => void) => Cancel;
}
