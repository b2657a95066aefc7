import type { Instant } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { type Member, moveCash, SHARDS } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';

/** A subaccount on a shard. */
export interface Place {
  readonly subaccount: number;
  readonly shard: number;
}

/** Dollars that an account has moved from one of its pockets to another. */
export interface Transfer {
  readonly id: string;
  readonly member: string;
  readonly source: Place;
  readonly destination: Place;
  readonly usd: Usd;
  readonly createdAt: Instant;
  /** The owner's name for a transfer between subaccounts; null between shards, where there is none. */
  readonly clientId: string | null;
  /** Whether they have come; one whose later step fails never has. */
  isComplete: boolean;
  /** Where dollars will come to that have left another pocket; null while none are on their way. */
  inTransitTo: Place | null;
}

export interface Allocation {
  readonly shard: number;
  readonly percent: number;
}

/** How often the venue moves cash to where the target allocation wants it. */
const SWEEP_EVERY_MS = 60_000;
const CENT = usdFromText('0.01');

/**
 * Moves of cash between pockets of one member. Between shards nothing names them before they are made, and one that is made again is
 * another one; between subaccounts a name is moved once.
 */
export class Transfers {
  readonly all: Transfer[] = [];
  /** How long dollars have left one shard before they are on the other; a test sets it. */
  pendingMs = 0;
  /** Which part of the cash of a member the venue itself keeps where, by the member's id. */
  readonly #allocations = new Map<string, readonly Allocation[]>();
  #isSweeping = false;
  /** Whether a transfer that was made can be looked up: of some the venue says that there is none. */
  isHidden = false;
  /** Called with each pocket whose cash has changed, and with each transfer that is made or has come. */
  onMoved: (pocket: string) => void = () => {};
  onTransfer: (transfer: Transfer) => void = () => {};
  readonly #venue: KalshiVenue;

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
  }

  allocationsOf(memberId: string): readonly Allocation[] {
    return this.#allocations.get(memberId) ?? [];
  }

  /** Has the venue keep these parts of a member's cash where they say, as far as they are a hundred per cent. */
  allocate(memberId: string, allocations: readonly Allocation[]): void {
    this.#allocations.set(memberId, allocations);
    if (this.#isSweeping || !isWhole(allocations)) return;
    this.#isSweeping = true;
    this.#sweepLater();
  }

  of({ id }: Member): Transfer[] {
    return this.all.filter(({ member }) => member === id);
  }

  /** Takes back one from a journal; what was on its way then comes now. */
  restore(transfer: Transfer): void {
    this.all.push(transfer);
    const { inTransitTo: to } = transfer;
    const member = this.#venue.members.named(transfer.member);
    if (to !== null && member !== undefined)
      this.#venue.engine.clock.schedule(0, () => this.#arrive(member, transfer, to));
  }

  /** Null where the pocket has less. A name that was given before moves nothing again. */
  move(
    member: Member,
    of: Pick<Transfer, 'source' | 'destination' | 'usd'>,
    clientId: string | null = null,
  ): Transfer | null {
    const { engine, orders } = this.#venue;
    const known = clientId === null ? undefined : this.of(member).find((each) => each.clientId === clientId);
    if (known !== undefined) return known;
    if (orders.freeCash(pocketOf(member, of.source)) < of.usd) return null;
    const transfer: Transfer = {
      ...of,
      ...{ id: `transfer-${this.all.length + 1}`, member: member.id, clientId },
      createdAt: engine.clock.now(),
      isComplete: false,
      inTransitTo: null,
    };
    this.all.push(transfer);
    this.#step(member, transfer, stepsOf(transfer));
    return transfer;
  }

  /** Steps are made one after the other: what was made stays made when a later one cannot be. */
  #step(member: Member, transfer: Transfer, [step, ...later]: readonly Step[]): void {
    if (step === undefined) return;
    const { engine, orders, states } = this.#venue;
    const { from, to } = step;
    const isOpen = [from, to].every(({ shard }) => states.shard(shard).transfersActive);
    const isFirst = from === transfer.source;
    if (!isFirst && (!isOpen || orders.freeCash(pocketOf(member, from)) < transfer.usd)) return;
    transfer.inTransitTo = to;
    moveCash(engine.balances, pocketOf(member, from), -transfer.usd as Usd);
    this.onMoved(pocketOf(member, from));
    this.onTransfer(transfer);
    const arrive = () => {
      this.#arrive(member, transfer, to);
      this.#step(member, transfer, later);
    };
    if (this.pendingMs === 0 || from.shard === to.shard) arrive();
    else engine.clock.schedule(this.pendingMs, arrive);
  }

  #arrive(member: Member, transfer: Transfer, at: Place): void {
    moveCash(this.#venue.engine.balances, pocketOf(member, at), transfer.usd);
    const { subaccount, shard } = transfer.destination;
    transfer.inTransitTo = null;
    transfer.isComplete = at.subaccount === subaccount && at.shard === shard;
    this.onMoved(pocketOf(member, at));
    this.onTransfer(transfer);
  }

  #sweepLater(): void {
    this.#venue.engine.clock.schedule(SWEEP_EVERY_MS, () => {
      for (const member of this.#venue.members.all()) this.#sweep(member);
      this.#sweepLater();
    });
  }

  /** Brings the free cash of a member to where its allocation wants it, in whole cents. */
  #sweep(member: Member): void {
    const allocations = this.allocationsOf(member.id);
    if (!isWhole(allocations)) return;
    const open = SHARDS.map(({ index }) => ({ subaccount: 0, shard: index }));
    const free = new Map(open.map((place) => [place.shard, this.#venue.orders.freeCash(pocketOf(member, place))]));
    const total = [...free.values()].reduce((sum, usd) => sum + Math.max(0, usd), 0);
    const lacking = open.map(({ shard }) => {
      const percent = allocations.find((each) => each.shard === shard)?.percent ?? 0;
      return { shard, usd: Math.floor((total * percent) / 100 / CENT) * CENT - (free.get(shard) ?? 0) };
    });
    for (const to of lacking)
      for (const from of lacking) {
        const part = Math.floor(Math.min(to.usd, -from.usd) / CENT) * CENT;
        if (part <= 0 || ![from, to].every(({ shard }) => this.#venue.states.shard(shard).transfersActive)) continue;
        const [source, destination] = [from, to].map(({ shard }) => ({ subaccount: 0, shard })) as [Place, Place];
        if (this.move(member, { source, destination, usd: part as Usd }) === null) continue;
        to.usd -= part;
        from.usd += part;
      }
  }
}

function isWhole(allocations: readonly Allocation[]): boolean {
  return allocations.reduce((sum, { percent }) => sum + percent, 0) === 100;
}

interface Step {
  readonly from: Place;
  readonly to: Place;
}

/** From a subaccount of one shard to one of another dollars go through the account itself on both. */
function stepsOf({ source, destination }: Pick<Transfer, 'source' | 'destination'>): Step[] {
  if (source.shard === destination.shard) return [{ from: source, to: destination }];
  const leaving = source.subaccount === 0 ? source : { subaccount: 0, shard: source.shard };
  const coming = destination.subaccount === 0 ? destination : { subaccount: 0, shard: destination.shard };
  return [
    ...(leaving === source ? [] : [{ from: source, to: leaving }]),
    { from: leaving, to: coming },
    ...(coming === destination ? [] : [{ from: coming, to: destination }]),
  ];
}

function pocketOf(member: Member, { subaccount, shard }: Place): string {
  return member.pocket(subaccount, shard);
}

/** The call between shards gives an amount in hundredths of a cent, that between subaccounts in cents. */
export function usdFromCenticents(amount: number): Usd {
  return (amount * CENTICENT) as Usd;
}

export function usdFromCents(amount: number): Usd {
  return (amount * CENT) as Usd;
}

/** @returns whole cents */
export function centsIn(usd: Usd): number {
  return Math.floor(usd / CENT);
}

const CENTICENT = usdFromText('0.0001');
