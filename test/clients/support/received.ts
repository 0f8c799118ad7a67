import { until } from './waiting.ts';

/** Collects what a callback is called with, in order, so that a conversation can wait for it. */
export class Received<Value> {
  readonly all: { readonly value: Value; readonly type: string }[] = [];

  readonly callback = (value: Value, type?: string): void => {
    this.all.push({ value, type: type ?? '' });
  };

  /** The first value of which `read` makes something, received already or in time. */
  first<Found>(what: string, read: (value: Value, type: string) => Found | undefined): Promise<Found> {
    let next = 0;
    return until(what, () => {
      while (next < this.all.length) {
        const { value, type } = this.all[next++] as { value: Value; type: string };
        const found = read(value, type);
        if (found !== undefined) return found;
      }
      return undefined;
    });
  }
}
