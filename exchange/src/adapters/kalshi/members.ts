import { createPublicKey, type KeyObject } from 'node:crypto';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { Balances } from '../../matching/balances.ts';
import type { MemberKind } from './fees.ts';

export interface ApiKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  /** The scopes of the key: `read`, `write`, or a part of one as `write::trade`. */
  readonly scopes: readonly string[];
  /** The only part of the account that it may see and use; null: all of them. */
  readonly subaccount: number | null;
}

/** The parts of the exchange, each with its own cash, books and switches. */
export const SHARDS = [
  { index: 0, description: 'Default, economics, politics' },
  { index: 1, description: 'Combos, exotics' },
  { index: 2, description: 'Crypto, commodities' },
  { index: 3, description: 'Tennis, baseball, basketball' },
] as const;

/** Subaccounts are counted from 0, which is the account itself. */
export const SUBACCOUNT_MAX = 63;

/** A new member's cash on each shard by default. */
const STARTING_CASH: Usd = usdFromText('2500');

/** An account at the venue with its keys, and its names in the balances of each shard. */
export class Member {
  readonly id: string;
  readonly kind: MemberKind;
  readonly keys = new Map<string, ApiKey>();
  /** Subaccounts that were opened or used, 0 among them. */
  readonly subaccounts = new Set([0]);
  /** How what resting orders hold counts where the venue moves cash by itself; it is kept, and changes nothing here. */
  marginReservation: 'max' | 'sum' = 'sum';

  constructor(id: string, kind: MemberKind) {
    this.id = id;
    this.kind = kind;
  }

  pocket(subaccount: number, shard: number): string {
    return `${this.id}/${subaccount}#${shard}`;
  }

  /** All of them, of each subaccount that was used. */
  pockets(): string[] {
    return [...this.subaccounts].flatMap((each) => SHARDS.map(({ index }) => this.pocket(each, index)));
  }
}

/** All accounts besides that of the market makers. */
export class Members {
  /** Called with each key that is made known. */
  onKey: (member: Member, key: Omit<ApiKey, 'publicKey'> & { readonly publicKey: string }) => void = () => {};
  /** Called with each member whose subaccounts, or what they are set to, have changed. */
  onSettings: (member: Member) => void = () => {};
  readonly #byKey = new Map<string, Member>();
  readonly #all = new Map<string, Member>();
  readonly #balances: Balances;
  readonly #startingCash: (shard: number) => Usd;
  /** Subaccounts that keep YES and NO of one market. */
  readonly #withoutNetting = new Set<string>();

  /** @param startingCash what a new member has on a shard */
  constructor(balances: Balances, startingCash: (shard: number) => Usd = () => STARTING_CASH) {
    this.#balances = balances;
    this.#startingCash = startingCash;
  }

  /** Makes a key known; with the first key of a member the account is opened. */
  addKey(memberId: string, kind: MemberKind, key: Omit<ApiKey, 'publicKey'> & { readonly publicKey: string }): void {
    const member = this.#all.get(memberId) ?? this.#open(memberId, kind);
    if (key.subaccount !== null) member.subaccounts.add(key.subaccount);
    member.keys.set(key.id, { ...key, publicKey: createPublicKey(key.publicKey) });
    this.#byKey.set(key.id, member);
    this.onKey(member, key);
  }

  withKey(keyId: string): { member: Member; key: ApiKey } | undefined {
    const member = this.#byKey.get(keyId);
    const key = member?.keys.get(keyId);
    return member === undefined || key === undefined ? undefined : { member, key };
  }

  /** Whether YES and NO of one market are turned into dollars in a pocket; so they are unless that was switched off. */
  nets(pocket: string): boolean {
    return !this.#withoutNetting.has(accountOf(pocket));
  }

  setNetting(member: Member, subaccount: number, isOn: boolean): void {
    const account = accountOf(member.pocket(subaccount, 0));
    if (isOn) this.#withoutNetting.delete(account);
    else this.#withoutNetting.add(account);
    this.onSettings(member);
  }

  /** Opens the next subaccount; null where there are as many as the venue has. */
  openSubaccount(member: Member): number | null {
    const next = Math.max(...member.subaccounts) + 1;
    if (next > SUBACCOUNT_MAX) return null;
    member.subaccounts.add(next);
    this.onSettings(member);
    return next;
  }

  first(): Member | undefined {
    return this.#all.values().next().value;
  }

  all(): Member[] {
    return [...this.#all.values()];
  }

  named(id: string): Member | undefined {
    return this.#all.get(id);
  }

  #open(id: string, kind: MemberKind): Member {
    const member = new Member(id, kind);
    this.#all.set(id, member);
    for (const { index } of SHARDS) moveCash(this.#balances, member.pocket(0, index), this.#startingCash(index));
    return member;
  }
}

/** A pocket without its shard. */
function accountOf(pocket: string): string {
  return pocket.split('#', 1)[0] ?? pocket;
}

/** Dollars come to a pocket, or below zero leave it. */
export function moveCash(balances: Balances, pocket: string, usd: Usd): void {
  if (usd !== USD_ZERO) balances.credit({ account: pocket, usd, tokenId: '', shares: SHARES_ZERO });
}
