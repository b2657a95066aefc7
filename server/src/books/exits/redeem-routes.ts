import { type Redeemable, type RedeemSimulation, redeem } from '@dutchbook/contract/exits.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import { oncePerKey, requestUnderKey } from '../../trading/batches/idempotency.ts';
import { DISARMED } from '../../trading/chain-steps/cash-now.ts';
import { readQuota } from '../../trading/chain-steps/quota.ts';
import { recordRedeem, redeemPlan } from '../../trading/chain-steps/record-redeem.ts';
import { decideRedeem, paidFor, type RedeemDecision, type ResolvedToken } from '../../trading/chain-steps/redeem.ts';
import { type ConvertingParts, convertingAt, type ExitCalls, submittedNow } from './exit-parts.ts';
import { highestGas } from './highest-gas.ts';
import { presentPlannedStep } from './present-plan.ts';
import { recordedSteps } from './recorded-steps.ts';

const NOTHING_TO_REDEEM = 'Nothing can be redeemed now: no shares of ours have won and are free.';

/** Redeeming what has won: each request is recorded here and carried out by the chain loop. */
export function registerRedeem(app: App, calls: ExitCalls): void {
  const { runtime } = calls;

  route(app, redeem, async ({ query, body, user, actor, request }) => {
    const { venue } = query;
    const only = body?.market_ids ?? null;
    const among = only === null || only.length === 0 ? undefined : new Set(only.map(venueOf));
    const parts = convertingAt(calls, { venue, among });
    const { chain, trading, catalogue, controls } = parts;
    const decide = (priority: Parameters<typeof decideRedeem>[3]) =>
      decideRedeem(runtime.db, { catalogue, trading, chain, controls }, only, priority);
    if (query.simulate) {
      const decision = await decide('display');
      const errors = errorsOf(parts, decision, chain.callsMax);
      const highest_gas = await highestGas(chain, redeemPlan(decision, chain.callsMax));
      const quota = await readQuota(runtime.db, runtime, chain, controls.venue);
      return presentRedeem(decision, { errors, quota, highest_gas }, chain.callsMax);
    }
    const key = requestUnderKey(
      { user, request },
      { call: redeem.path, only: only?.toSorted(), ...(venue && { venue }) },
    );
    const perform: Parameters<typeof oncePerKey>[2] = (bind) =>
      app.orderPriorities(user.id)(async (priority) => {
        const decision = await decide(priority);
        const errors = errorsOf(parts, decision, chain.callsMax);
        if (errors.length > 0) throw new Conflict(errors.join(' '));
        const requestId = runtime.random.uuid();
        const recorded = { batchId: requestId, saleId: requestId };
        const requested = { requestId, automatic: false, requestedBy: actor.email };
        const refusal = await recordRedeem({ runtime, controls }, decision, chain, requested, async (tx) => {
          await bind(tx, runtime, recorded);
          const after = recordedSteps(redeemPlan(decision, chain.callsMax));
          await recordAction(tx, runtime, actor, { action: 'chain.redeemed', after });
        });
        if (refusal !== null) throw new Conflict(refusal);
        return recorded;
      });
    return await oncePerKey(runtime, key, perform, ({ saleId }) => submittedNow(parts, saleId ?? ''));
  });
}

function errorsOf(
  { controls }: Pick<ConvertingParts, 'controls'>,
  decision: RedeemDecision,
  callsMax: number,
): string[] {
  const armed = controls.current().armed ? [] : [DISARMED];
  if (redeemPlan(decision, callsMax).length > 0) return armed;
  const why = decision.tokens.filter(({ value }) => value > 0).flatMap(({ error }) => error ?? []);
  return [...armed, NOTHING_TO_REDEEM, ...new Set(why)];
}

function presentRedeem(
  decision: RedeemDecision,
  { errors, quota, highest_gas }: Pick<RedeemSimulation, 'errors' | 'quota' | 'highest_gas'>,
  callsMax: number,
): RedeemSimulation {
  const submissions = redeemPlan(decision, callsMax);
  const steps = submissions.flat();
  return {
    simulation: true,
    markets: decision.tokens.filter(({ value }) => value > 0).map(presentToken),
    lost: decision.tokens.filter(({ value }) => value === 0).map(presentToken),
    expected_usd: steps.reduce((sum, { dollars }) => addUsd(sum, dollars), USD_ZERO),
    steps: steps.map(presentPlannedStep),
    submissions: submissions.length,
    quota,
    highest_gas,
    errors,
  };
}

function presentToken(token: ResolvedToken): Redeemable {
  const [first] = token.lots;
  return {
    market_id: first?.marketId ?? '',
    market_name: first?.marketName ?? '',
    token_id: first?.tokenId ?? '',
    outcome: first?.outcome ?? '',
    shares: token.shares,
    resolved_value: token.value,
    usd: paidFor(token),
    error: token.error,
  };
}
