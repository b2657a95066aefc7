import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { hashId, uuidOf } from '../../../catalogue/ids.ts';
import type { Member } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';
import type { Fill } from './fills.ts';
import type { VenueOrder } from './order.ts';

/** The window of a group's limit. */
const WINDOW_MS = 15_000;

/** The venue's own bound for one member, which all members share here. */
const GROUPS_MAX = 100_000;

/** A brake over several orders of one shard. It ends with the exchange: no journal has it. */
export interface OrderGroup {
  readonly id: string;
  readonly member: Member;
  readonly subaccount: number;
  readonly shard: number;
  /** Size that may match within fifteen seconds; null without a limit. */
  limit: Shares | null;
  /** All its orders are canceled, and new ones are refused until it is reset. */
  isTriggered: boolean;
  matches: { readonly at: Instant; readonly size: Shares }[];
}

/** The order groups of all members. */
export class OrderGroups {
  readonly #venue: KalshiVenue;
  readonly #byId = new Map<string, OrderGroup>();
  #count = 0;

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
    venue.fills.listen({ traded: () => {}, filled: (fill) => this.#countMatch(fill) });
  }

  /** Null where there are as many as the venue keeps. */
  create(of: Pick<OrderGroup, 'member' | 'subaccount' | 'shard' | 'limit'>): OrderGroup | null {
    if (this.#byId.size >= GROUPS_MAX) return null;
    this.#count += 1;
    const id = uuidOf(hashId('order group', this.#venue.engine.clock.now(), this.#count));
    const group: OrderGroup = { ...of, id, isTriggered: false, matches: [] };
    this.#byId.set(id, group);
    return group;
  }

  byId(id: string): OrderGroup | undefined {
    return this.#byId.get(id);
  }

  of(member: Member): OrderGroup[] {
    return [...this.#byId.values()].filter((group) => group.member === member);
  }

  ordersOf({ id, member }: OrderGroup): VenueOrder[] {
    return this.#venue.orders.of(member).filter(({ groupId }) => groupId === id);
  }

  /** A limit that what was matched is beyond triggers the group at once. */
  setLimit(group: OrderGroup, limit: Shares | null): void {
    group.limit = limit;
    this.#triggerBeyondLimit(group);
  }

  reset(group: OrderGroup): void {
    group.isTriggered = false;
    group.matches = [];
  }

  trigger(group: OrderGroup): void {
    group.isTriggered = true;
    for (const order of this.ordersOf(group)) this.#venue.orders.cancel(order);
  }

  remove(group: OrderGroup): void {
    this.trigger(group);
    this.#byId.delete(group.id);
  }

  #countMatch({ order: { groupId }, size, at }: Fill): void {
    const group = groupId === null ? undefined : this.#byId.get(groupId);
    if (group === undefined) return;
    group.matches.push({ at, size });
    // Orders are not taken off a book while it matches.
    this.#venue.engine.clock.schedule(0, () => this.#triggerBeyondLimit(group));
  }

  #triggerBeyondLimit(group: OrderGroup): void {
    const since = this.#venue.engine.clock.now() - WINDOW_MS;
    group.matches = group.matches.filter(({ at }) => at > since);
    const matched = group.matches.reduce((sum, { size }) => sum + size, 0);
    if (group.limit !== null && matched > group.limit && !group.isTriggered) this.trigger(group);
  }
}
