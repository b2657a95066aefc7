import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { JournalFile } from '../../matching-engine/journal-file.ts';
import { isStanding, type OrderRecord } from '../../matching-engine/records.ts';
import type { AccountMove } from './account/account-moves.ts';
import type { Allocation, Transfer } from './account/transfers.ts';
import type { MemberKind } from './fees.ts';
import type { SettlementRow } from './lifecycle.ts';
import type { Member } from './members.ts';
import type { Fill } from './orders/fills.ts';
import type { VenueOrder } from './orders/order.ts';
import type { MarketState } from './states.ts';
import type { KalshiVenue, MirroredVenue } from './venue.ts';

type KeptKey = { id: string; publicKey: string; scopes: readonly string[]; subaccount: number | null };
type KeptSettings = {
  subaccounts: readonly number[];
  withoutNetting: readonly number[];
  allocations: readonly Allocation[];
  marginReservation: 'max' | 'sum';
};
type KeptOrder = Omit<VenueOrder, 'member'> & { member: string; inBook: OrderRecord | null };
type KeptFill = Omit<Fill, 'order'> & { orderId: string };

/** The latest known value of something with an id. The last record of an id wins. */
type KeptRecord =
  | { kind: 'listing'; id: string; value: Instant }
  | { kind: 'key'; id: string; value: { member: string; memberKind: MemberKind; key: KeptKey } }
  | { kind: 'name'; id: string; value: { member: string; clientId: string } }
  | { kind: 'order'; id: string; value: KeptOrder }
  | { kind: 'fill'; id: string; value: KeptFill }
  | { kind: 'pocket'; id: string; value: { usd: Usd; tokens: readonly (readonly [string, Shares])[] } }
  | { kind: 'market'; id: string; value: MarketState }
  | { kind: 'settlement'; id: string; value: SettlementRow }
  | { kind: 'move'; id: string; value: AccountMove }
  | { kind: 'transfer'; id: string; value: Transfer }
  | { kind: 'settings'; id: string; value: KeptSettings }
  | { kind: 'mirrored'; id: string; value: unknown };

/** Defaults for orders in older journals. */
const BEFORE_AMENDMENTS = { postOnly: false, filledBefore: SHARES_ZERO };

/** Two days of quarters of an hour. */
const LISTINGS_MAX = 200;

/** Keeps what members own and did in a file, so that a restart or a kill loses nothing that was answered. */
export class KalshiJournal {
  readonly #file: JournalFile;
  readonly #records: Map<string, KeptRecord>;
  readonly #changed = new Map<string, () => KeptRecord>();
  readonly #mirrored = new Set<string>();

  /** @throws JournalError for a file that cannot be read */
  constructor(path: string) {
    this.#file = new JournalFile(path);
    this.#records = new Map();
    for (const operation of this.#file.open() as KeptRecord[][])
      for (const record of operation) this.#records.set(`${record.kind} ${record.id}`, record);
  }

  /** The instants whose markets the catalogue lists: those of earlier starts, and this one. */
  listings(now: Instant): Instant[] {
    const before = this.#of('listing').map(({ value }) => value);
    this.#file.append([{ kind: 'listing', id: String(now), value: now }]);
    return [...before.slice(-LISTINGS_MAX), now];
  }

  /** Gives the venue what the file tells, then writes down every later change. */
  keep(venue: KalshiVenue): void {
    this.#restore(venue);
    this.#listen(venue);
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  #of<Kind extends KeptRecord['kind']>(kind: Kind): Extract<KeptRecord, { kind: Kind }>[] {
    return [...this.#records.values()].filter(
      (each): each is Extract<KeptRecord, { kind: Kind }> => each.kind === kind,
    );
  }

  #restore(venue: KalshiVenue): void {
    for (const { value } of this.#of('mirrored')) venue.mirror?.listings.restore(value);
    for (const { value } of this.#of('key')) venue.members.addKey(value.member, value.memberKind, value.key);
    for (const { id, value } of this.#of('settings')) restoreSettings(venue, id, value);
    for (const { id, value } of this.#of('pocket')) {
      const { balances } = venue.engine;
      balances.setCash(id, value.usd);
      for (const [tokenId, shares] of value.tokens) balances.credit({ account: id, usd: USD_ZERO, tokenId, shares });
    }
    for (const { id, value } of this.#of('market')) {
      const market = venue.market(id);
      if (market === undefined) continue;
      Object.assign(venue.states.of(market), value);
      venue.matched(market).isAccepting = value.status === 'active';
    }
    for (const { value } of this.#of('settlement')) venue.lifecycle.settlements.push(value);
    for (const { value } of this.#of('name')) {
      const member = venue.members.named(value.member);
      if (member !== undefined) venue.orders.spend(member, value.clientId);
    }
    for (const { value } of this.#of('order')) this.#restoreOrder(venue, value);
    for (const { value } of this.#of('fill')) {
      const order = venue.orders.byId(value.orderId);
      if (order !== undefined) venue.fills.restore({ ...value, order });
    }
    for (const { value } of this.#of('move')) venue.moves.restore(value);
    for (const { value } of this.#of('transfer')) venue.transfers.restore(value);
    venue.fills.alignPositions();
  }

  #restoreOrder(venue: KalshiVenue, { member: memberId, inBook, ...kept }: KeptOrder): void {
    const member = venue.members.named(memberId);
    if (member === undefined || venue.market(kept.ticker) === undefined) return;
    member.subaccounts.add(kept.subaccount);
    // Groups end with the exchange.
    venue.orders.restore({ ...BEFORE_AMENDMENTS, ...kept, groupId: null, member });
    if (inBook === null) return;
    venue.engine.register.orders.set(inBook.id, inBook);
    if (isStanding(inBook)) venue.engine.restore(inBook);
  }

  #listen(venue: KalshiVenue): void {
    const { balances, register } = venue.engine;
    const pocket = (id: string) =>
      this.#note('pocket', id, () => ({
        kind: 'pocket',
        id,
        value: {
          usd: balances.cash(id),
          tokens: [...balances.holdings(id)].filter(([, held]) => held !== SHARES_ZERO),
        },
      }));
    const order = (of: VenueOrder) => {
      pocket(of.pocket);
      if (venue.mirror !== undefined) this.#noteMirrored(venue.mirror, of.ticker);
      this.#note('order', of.id, () => {
        const { member, ...rest } = of;
        const inBook = register.orders.get(of.id) ?? null;
        return { kind: 'order', id: of.id, value: { ...rest, member: member.id, inBook } };
      });
    };
    venue.orders.changed.push(order);
    venue.fills.listen({
      traded: () => {},
      filled: ({ order: of, ...rest }) => {
        order(of);
        const id = `${rest.tradeId} ${of.id}`;
        this.#note('fill', id, () => ({ kind: 'fill', id, value: { ...rest, orderId: of.id } }));
      },
    });
    venue.orders.onSpent = ({ id: member }, clientId) => {
      const id = `${member} ${clientId}`;
      this.#note('name', id, () => ({ kind: 'name', id, value: { member, clientId } }));
    };
    venue.lifecycle.listen(({ ticker }) => {
      const market = venue.market(ticker);
      if (market === undefined) return;
      this.#note('market', ticker, () => ({ kind: 'market', id: ticker, value: venue.states.of(market) }));
      for (const member of venue.members.all()) for (const id of member.pockets()) pocket(id);
      for (const row of venue.lifecycle.settlements.filter((each) => each.ticker === ticker)) {
        const id = `${row.pocket} ${ticker}`;
        this.#note('settlement', id, () => ({ kind: 'settlement', id, value: row }));
      }
    });
    venue.transfers.onMoved = pocket;
    venue.transfers.onTransfer = (transfer) =>
      this.#note('transfer', transfer.id, () => ({ kind: 'transfer', id: transfer.id, value: transfer }));
    venue.members.onSettings = (member) =>
      this.#note('settings', member.id, () => ({ kind: 'settings', id: member.id, value: settingsOf(venue, member) }));
    venue.moves.onMade = (move) => this.#note('move', move.name, () => ({ kind: 'move', id: move.name, value: move }));
    venue.onListed = (now) =>
      this.#note('listing', String(now), () => ({ kind: 'listing', id: String(now), value: now }));
    venue.members.onKey = (member, key) => {
      this.#note('key', key.id, () => ({
        kind: 'key',
        id: key.id,
        value: { member: member.id, memberKind: member.kind, key },
      }));
      for (const id of member.pockets()) pocket(id);
    };
  }

  /** Keeps the real venue's listing of a market with orders, so that a restart knows it before the venue is asked. */
  #noteMirrored({ listings }: MirroredVenue, ticker: string): void {
    if (this.#mirrored.has(ticker)) return;
    this.#mirrored.add(ticker);
    this.#note('mirrored', ticker, () => ({ kind: 'mirrored', id: ticker, value: listings.raw(ticker) }));
  }

  /** One operation changes many things in one go: they are written together once it is over. */
  #note(kind: string, id: string, record: () => KeptRecord): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush());
    this.#changed.set(`${kind} ${id}`, record);
  }

  #flush(): void {
    if (this.#changed.size === 0) return;
    this.#file.append([...this.#changed.values()].map((record) => record()));
    this.#changed.clear();
  }
}

function settingsOf({ members, transfers }: KalshiVenue, member: Member): KeptSettings {
  const { marginReservation } = member;
  const subaccounts = [...member.subaccounts];
  const withoutNetting = subaccounts.filter((each) => !members.nets(member.pocket(each, 0)));
  return { subaccounts, withoutNetting, marginReservation, allocations: transfers.allocationsOf(member.id) };
}

function restoreSettings({ members, transfers }: KalshiVenue, memberId: string, kept: KeptSettings): void {
  const member = members.named(memberId);
  if (member === undefined) return;
  for (const subaccount of kept.subaccounts) member.subaccounts.add(subaccount);
  for (const subaccount of kept.withoutNetting) members.setNetting(member, subaccount, false);
  member.marginReservation = kept.marginReservation;
  transfers.allocate(memberId, kept.allocations);
}
