import type { HttpAnswer } from '../../exchange/http/index.ts';

/** The three ways between the trader and the exchange. */
export type Road = 'market' | 'trading' | 'rest';
export const roads: readonly Road[] = ['market', 'trading', 'rest'];

/** Fate of one message to the trader: its text, and how much later than others it comes, in microseconds. */
export interface Delivery {
  readonly text: string;
  readonly later: number;
}

/** State of a road now; faults change it. Times are true time in microseconds. */
export interface RoadState {
  delayMin: number;
  delayMean: number;
  /** Nothing arrives before this time. */
  upHeldTo: number;
  downHeldTo: number;
  /** Bytes vanish without a word until then. */
  upLostTo: number;
  downLostTo: number;
  /** Bytes that a connection carries to the trader in a second; the rest waits, connection by connection. */
  downBytesPerSecond: number;
  /** Connections are refused until then. */
  refusedTo: number;
  /** Times at which connections broke last, and before that. */
  brokenAt: number;
  brokenBefore: number;
  /** Share of requests that die on the way there, and of answers on the way back. */
  requestLoss: number;
  replyLoss: number;
}

/** Looks at a message on its way to the trader and says what arrives instead; undefined: as it is. */
export type Tamper = (road: Road, text: string) => readonly Delivery[] | undefined;

/** Looks at a message on its way to the exchange and gives the answer in its place; undefined: it arrives. */
export type Refuser = (road: Road, text: string) => string | undefined;

/** Fate of a request, by `METHOD path`, before the exchange sees it, and of its answer. */
export interface Meddler {
  /** The answer in the exchange's place; undefined: it answers itself. */
  instead?(request: string): HttpAnswer | undefined;
  /** The answer that arrives. */
  changed?(request: string, answer: HttpAnswer): HttpAnswer;
  /** Milliseconds by which the answer leaves later than others; asked before `changed`. */
  laterMs?(request: string): number;
}

export class Weather {
  /** Milliseconds by which the latest of late answers came later than others. */
  latestAnswerMs = 0;
  readonly roads: Readonly<Record<Road, RoadState>> = { market: calm(), trading: calm(), rest: calm() };
  readonly tampers = new Set<Tamper>();
  readonly refusers = new Set<Refuser>();
  readonly meddlers = new Set<Meddler>();

  /** The part of a message to the trader that arrives. */
  arriving(road: Road, text: string): readonly Delivery[] {
    for (const tamper of this.tampers) {
      const changed = tamper(road, text);
      if (changed !== undefined) return changed;
    }
    return [{ text, later: 0 }];
  }

  /** The answer to a message that the exchange never sees. */
  refused(road: Road, text: string): string | undefined {
    for (const refuser of this.refusers) {
      const answer = refuser(road, text);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** The answer to a request in the exchange's place, if there is one. */
  instead(request: string): HttpAnswer | undefined {
    for (const meddler of this.meddlers) {
      const answer = meddler.instead?.(request);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** Milliseconds by which the answer to a request leaves later than others. */
  laterMs(request: string): number {
    let ms = 0;
    for (const meddler of this.meddlers) ms += meddler.laterMs?.(request) ?? 0;
    return ms;
  }

  /** The exchange's answer as it arrives. */
  answered(request: string, answer: HttpAnswer): HttpAnswer {
    let received = answer;
    for (const meddler of this.meddlers) received = meddler.changed?.(request, received) ?? received;
    return received;
  }
}

function calm(): RoadState {
  return {
    delayMin: 2_000,
    delayMean: 3_000,
    upHeldTo: 0,
    downHeldTo: 0,
    upLostTo: 0,
    downLostTo: 0,
    downBytesPerSecond: Number.POSITIVE_INFINITY,
    refusedTo: 0,
    brokenAt: 0,
    brokenBefore: 0,
    requestLoss: 0,
    replyLoss: 0,
  };
}
