/** A strategy that ended before its run did, and why. */
export interface StoppedStrategy {
  readonly strategy: string;
  readonly why: string;
}

/** What an account holds and has live, whichever session brought it there. */
export interface AccountState {
  /** Signed, as decimal text; symbols of which nothing is held are left out. */
  readonly positions: readonly {
    readonly symbol: string;
    readonly position: string;
    readonly unit: string;
  }[];
  readonly openOrders: number;
  /** Of these, orders of which nobody knows whether they are live. */
  readonly unknownOrders: number;
  readonly stopped: readonly StoppedStrategy[];
}
