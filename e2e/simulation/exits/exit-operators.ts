/** What operators do to convert shares into dollars: the same functions that the calls of the product go through. */

import { changeExitSettings } from '@dutchbook/server/books/exits/settings.ts';
import { recordAction } from '@dutchbook/server/platform/audit/record.ts';
import { type CashNowParts, decideCashNow, recordCashNow } from '@dutchbook/server/trading/chain-steps/cash-now.ts';
import type { LotScope } from '@dutchbook/server/trading/chain-steps/free-lots.ts';
import { recordApprovals } from '@dutchbook/server/trading/chain-steps/record.ts';
import { recordRedeem, redeemPlan } from '@dutchbook/server/trading/chain-steps/record-redeem.ts';
import { decideRedeem } from '@dutchbook/server/trading/chain-steps/redeem.ts';
import { isArmedUntilEnd } from '@dutchbook/server/trading/trading-controls/store.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { OPERATOR } from '../operators.ts';
import type { Product } from '../product.ts';

const NO_CHAIN = 'refused: there is no chain';

/** Of a batch, or of all that is held of some markets. */
export async function cashNow(product: Product, lots: LotScope): Promise<string> {
  const parts = partsOf(product);
  if (parts === null) return NO_CHAIN;
  const { runtime } = product;
  const decision = await decideCashNow(parts, { lots, only: null }, 'trading');
  if (decision.plan.submissions.length === 0) return 'refused: nothing can be converted into dollars';
  const requested = { requestId: runtime.random.uuid(), purpose: 'cash_now' as const, ...BY_HAND };
  const refusal = await recordCashNow(parts, decision, requested, (tx) =>
    recordAction(tx, runtime, OPERATOR, { action: 'chain.cash_now' }),
  );
  return refusal ?? kindsOf(decision.plan.submissions);
}

/** Of all that is held of an event, or of a market that stands alone. */
export async function cashNowOfEvent(product: Product, eventId: string): Promise<string> {
  const [event] = await product.venue.catalogue.eventsById([eventId], 'display');
  return await cashNow(product, { marketIds: event?.members.map(({ marketId }) => marketId) ?? [eventId] });
}

/** Whatever has won. */
export async function redeem(product: Product): Promise<string> {
  const parts = partsOf(product);
  const { runtime, venue } = product;
  if (parts === null || venue.trading === null) return NO_CHAIN;
  const { chain, catalogue } = parts;
  const decision = await decideRedeem(runtime.db, { ...parts, catalogue, trading: venue.trading }, null, 'trading');
  const submissions = redeemPlan(decision, chain.callsMax);
  if (submissions.length === 0) return 'refused: nothing can be redeemed';
  const requested = { requestId: runtime.random.uuid(), ...BY_HAND };
  const refusal = await recordRedeem(parts, decision, chain, requested, (tx) =>
    recordAction(tx, runtime, OPERATOR, { action: 'chain.redeemed' }),
  );
  return refusal ?? kindsOf(submissions);
}

/** Lets contracts convert shares, or takes that back: all that is not so yet. */
export async function approve(product: Product, isAllowed: boolean): Promise<string> {
  const { runtime, venue } = product;
  const approvals = (await venue.chain?.approvals()) ?? [];
  const other = approvals.filter(({ purpose, amount }) => purpose === 'conversion' && amount > 0 !== isAllowed);
  const calls = other.slice(0, venue.chain?.callsMax ?? 0).map((approval) => ({ ...approval, isAllowed }));
  if (calls.length === 0) return 'refused: it is so already';
  return await runtime.db.transaction(async (tx) => {
    if (!(await isArmedUntilEnd(tx, runtime.config.venueMode, 'polymarket'))) return 'refused: Trading is disarmed.';
    await recordApprovals(tx, runtime, { venue: 'polymarket', requestId: runtime.random.uuid(), ...BY_HAND }, calls);
    await recordAction(tx, runtime, OPERATOR, { action: 'chain.approved' });
    return 'requested';
  });
}

/** `least`: dollars below which nothing is converted automatically; null: nothing is. */
export async function setAutomatic({ runtime, exitSettings }: Product, least: number | null): Promise<string> {
  if (exitSettings === null) return NO_CHAIN;
  const isOn = least !== null;
  const minimum = isOn ? { auto_cash_now_min_usd: (least * 1_000_000) as Usd } : {};
  const changes = { auto_cash_now: isOn, auto_redeem: isOn, ...minimum };
  await changeExitSettings(runtime, exitSettings, { actor: OPERATOR, user: OPERATOR }, changes);
  return 'done';
}

const BY_HAND = { automatic: false, requestedBy: OPERATOR.email };

function partsOf({ runtime, trading, venue, controls: [controls] }: Product): CashNowParts | null {
  const { chain, catalogue } = venue;
  return chain === null || controls === undefined
    ? null
    : { runtime, chain, catalogue, quotes: trading.quotes, controls };
}

function kindsOf(submissions: readonly (readonly { kind: string; dollars: number }[])[]): string {
  return submissions.map((steps) => steps.map(({ kind, dollars }) => `${kind} ${dollars}`).join(', ')).join('; ');
}
