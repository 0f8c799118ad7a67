import type { Event } from '../../src/core/model/event.ts';

type EventOf<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

/** Keeps every event, and lets a test wait for the one it needs. */
export class Watcher {
  readonly events: Event[] = [];
  readonly #waiting = new Set<() => void>();

  readonly take = (event: Event): void => {
    this.events.push(event);
    for (const check of this.#waiting) check();
  };

  all<Kind extends Event['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  kinds(): readonly string[] {
    return this.events.map((event) => event.kind);
  }

  clear(): void {
    this.events.length = 0;
  }

  /** The first event of that kind that fits, past or to come. */
  until<Kind extends Event['kind']>(
    kind: Kind,
    fits: (event: EventOf<Kind>) => boolean = () => true,
  ): Promise<EventOf<Kind>> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.all(kind).find(fits);
        if (found === undefined) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}
