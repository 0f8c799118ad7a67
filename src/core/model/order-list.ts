/** How the orders of a list depend on each other. Source: API v3, "Spot order", contingency_type. */
export const contingencyTypes = [
  'allOrNone',
  'oneCancelOther',
  'oneTriggerOther',
  'oneTriggerOneCancelOther',
] as const;
export type ContingencyType = (typeof contingencyTypes)[number];

/** The list that an order belongs to. */
export interface ListMark {
  readonly contingency: ContingencyType;
  /** A secondary order that waits for the primary one to be filled. Source: API v3, "Spot order", inactive. */
  readonly inactive: boolean;
}
