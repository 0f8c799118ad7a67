import type { Amount } from '../../../core/base/amount.ts';
import type { ContingencyType, ListMark } from '../../../core/model/order-list.ts';

/** What a list must know of its orders. */
export interface ListMember {
  held: Amount;
  inactive: boolean;
}

/**
 * Orders that depend on each other.
 *
 * While the list is `exclusive` at most one of its orders can execute, so that orders paying from the same wallet
 * share what is reserved: the most that one of them needs. Each order's `held` then is its claim on that.
 */
export class ContingentList<Member extends ListMember> {
  readonly id: string;
  readonly contingency: ContingencyType;
  /** Its live orders, oldest first. */
  readonly members: Member[] = [];
  /** The order the others wait for, as long as they do. */
  primary: Member | undefined = undefined;
  /** The first execution of one order ends the others. */
  exclusive = false;
  /** One order has executed; the others end. */
  decided = false;
  readonly #active: ListMark;
  readonly #inactive: ListMark;

  constructor(id: string, contingency: ContingencyType) {
    this.id = id;
    this.contingency = contingency;
    this.#active = { contingency, inactive: false };
    this.#inactive = { contingency, inactive: true };
  }

  mark(inactive: boolean): ListMark {
    return inactive ? this.#inactive : this.#active;
  }

  /** Whether what happens to one order still has a meaning for others. */
  get binds(): boolean {
    return this.exclusive || this.primary !== undefined;
  }

  /** The live orders but one, oldest first; later changes of the list do not reach it. */
  others(member: Member): Member[] {
    return this.members.filter((other) => other !== member);
  }

  leave(member: Member): void {
    const at = this.members.indexOf(member);
    if (at >= 0) this.members.splice(at, 1);
  }
}
