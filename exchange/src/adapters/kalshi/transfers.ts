import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { moveCash } from './members.ts';
import type { KalshiVenue } from './venue.ts';

/** Dollars that an account has moved from one of its pockets to another. */
export interface Transfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly usd: Usd;
}

export interface Allocation {
  readonly shard: number;
  readonly percent: number;
}

/** Moves of cash between shards: nothing names them before they are made, and one that is made again is another one. */
export class Transfers {
  readonly all: Transfer[] = [];
  /** How long dollars have left one pocket before they are in the other; a test sets it. */
  pendingMs = 0;
  /** Which part of the cash of a member the venue itself keeps where, by the member's id. */
  readonly allocations = new Map<string, readonly Allocation[]>();
  /** Called with each pocket whose cash has changed. */
  onMoved: (pocket: string) => void = () => {};
  readonly #venue: KalshiVenue;

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
  }

  /** Null where the pocket has less. */
  move(from: string, to: string, usd: Usd): Transfer | null {
    const { clock, balances } = this.#venue.engine;
    if (this.#venue.orders.freeCash(from) < usd) return null;
    const transfer = { id: `transfer-${this.all.length + 1}`, from, to, usd };
    this.all.push(transfer);
    moveCash(balances, from, -usd as Usd);
    this.onMoved(from);
    const arrive = () => {
      moveCash(balances, to, usd);
      this.onMoved(to);
    };
    if (this.pendingMs === 0) arrive();
    else clock.schedule(this.pendingMs, arrive);
    return transfer;
  }
}

/** The call gives an amount in hundredths of a cent. */
export function usdFromCenticents(amount: number): Usd {
  return (amount * CENTICENT) as Usd;
}

const CENTICENT = usdFromText('0.0001');
