/** The journaled form of each topic, in the engine's units: whole numbers of millionths, instants in milliseconds. */

import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import type { RelationKind } from '@dutchbook/contract/relations.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { Readiness } from '@dutchbook/engine/desk/assess.ts';
import type { FeeSchedule, Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Basis, RelationMember } from '@dutchbook/engine/relation/relation.ts';
import type { Holdings } from '@dutchbook/engine/risk/context.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** The account as an automatic decision saw it. */
export type JournaledAccount = Holdings & { readiness: Readiness };

/**
 * An active opportunity that an engine follows. `aboveTrigger`: it stands at its trigger or above, so that it does not trigger again before it
 * has fallen. `rises`: how many are recorded. Both stand as they did at the instant of the row, which comes up to a second after they
 * have changed: where a replay begins they are taken over, and while it goes on they follow from the books.
 */
export type JournaledOpportunity = {
  targetPrice: Price;
  positions: readonly Position[];
  relationId: string | null;
  /** Basis of that relation; absent in rows of older versions. */
  basis?: Basis | null;
  title: string;
  aboveTrigger: boolean;
  rises: number;
};

/** A member with what is known of its market. `tokenId`: of the first outcome; null where it is not traded. */
export type JournaledMember = RelationMember & {
  tokenId: TokenId | null;
  name: string;
  outcomes: readonly string[];
  feeSchedule: FeeSchedule | null;
  resolved: Price | null;
};

/** A relation that discovery watches, with what settings and approval say of it. */
export type JournaledRelation = {
  kind: RelationKind;
  basis: string;
  state: string;
  isComplete: boolean;
  isVoidSafe: boolean;
  title: string;
  members: readonly JournaledMember[];
};

/**
 * A rise that was recorded, the `rises`th of its opportunity; the row's instant is when it was decided. `seenAt`: when the profit came
 * up, before the change of the books that it came up by is recorded; absent of what was recorded before that was kept. `begunAt`: when
 * it was proposed, until when its prices are those that were seen last; it may wait for its turn after that. `line`: the decision as `decisionLine` writes it, which a rehearsal with
 * unchanged settings repeats to the letter. `account`, `activeBatchId` and the ages of the books in milliseconds by position: what
 * it was taken by; without them where no batch was asked for, as where placing is off, or where the profit had fallen again before
 * that.
 */
export type JournaledDecision = {
  rises: number;
  seenAt?: Instant;
  begunAt: Instant;
  line: string;
  batchId: string | null;
  account: JournaledAccount | null;
  activeBatchId: string | null;
  bookAges: readonly (number | null)[];
};

/** Between `from` and the instant of the row others were dropped, and from then on all that stands is noted again. */
export type JournaledLoss = { from: Instant };

export type JournalData = {
  settings: Settings;
  discovery: DiscoverySettingsForm;
  account: JournaledAccount;
  market: Market;
  opportunity: JournaledOpportunity;
  relation: JournaledRelation;
  decision: JournaledDecision;
  lost: JournaledLoss;
};

/** The words by which two decisions are compared. */
export type DecisionWords = {
  opportunityId: string;
  rises: number;
  currentPrice: Price;
  feesPerSet: Usd;
  profitPct: Percent;
  /** Null where no batch was asked for, or it was refused. */
  size: Shares | null;
  orders: readonly { leg: number; tokenId: TokenId; size: Shares; limitPrice: Price; cost: Usd; fee: Usd }[];
  refusals: readonly string[];
};

/** One line, always the same for the same decision. */
export function decisionLine(words: DecisionWords): string {
  const orders = words.orders.map(({ leg, tokenId, size, limitPrice, cost, fee }) => [
    leg,
    tokenId,
    size,
    limitPrice,
    cost,
    fee,
  ]);
  const { opportunityId, rises, currentPrice, feesPerSet, profitPct, size, refusals } = words;
  return JSON.stringify([opportunityId, rises, currentPrice, feesPerSet, profitPct, size, orders, refusals]);
}
