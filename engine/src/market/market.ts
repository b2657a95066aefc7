import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

/** One side of a market; `tokenId` names its order book at the venue. */
export type MarketOutcome = { outcome: string; tokenId: string };

/** The event a market belongs to. In a negative-risk event exactly one market resolves to its first outcome. */
export type MarketEvent = {
  id: string;
  title: string;
  negRisk: boolean;
  /** An augmented event has an outcome that no listed market covers: its listed ones are not a complete set. */
  augmented: boolean;
  marketIds: string[];
};

/** What a venue says of one market, in our words and units. */
export type Market = {
  /** The venue's condition id. */
  id: string;
  question: string;
  event: MarketEvent | null;
  outcomes: MarketOutcome[];
  negRisk: boolean;
  endDate: Instant | null;
  closed: boolean;
  acceptingOrders: boolean;
  tick: Tick;
  minOrderSize: Shares;
  /** Taker fee rate; null when the venue does not say, which is an error wherever a fee is needed, never zero. */
  feeRate: Fraction | null;
};
