import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { type Simulation, simulateOrders, type WayIn } from '@dutchbook/contract/placing.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { waitAskedMs } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { toastFailure } from '../../calls/toast-failure.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import type { ShownPlan } from './order-readiness.ts';

/** A price that moves several times a second is followed this often. */
const MOVED_INTERVAL_MS = 1_000;
/** After the last letter of a size was typed. */
const TYPED_MS = 150;
/** Soon enough for the next plan to be there before this one is too old. */
const STILL_INTERVAL_MS = 4_000;

/** How long a plan may be placed, and how long at the most from when the price has moved: the next one is on its way by then. */
const PLAN_LIFE_MS = 5_000;
const MOVED_LIFE_MS = 2_000;

type Asked = Pick<ShownPlan, 'sizeText' | 'quotedPrice' | 'wayIn'> & { size: Shares | undefined; byHand: boolean };

type Planning = {
  opportunity: Pick<Opportunity, 'id' | 'current_price'>;
  /** What is typed, and the size that it means. */
  sizeText: string;
  size: Shares | undefined;
  wayIn: WayIn;
  /** Whether the plan stays as it is, because it was sent and its answer is not known. */
  kept: boolean;
  /** Whether the user is shown that a requested simulation is there. */
  announced: boolean;
};

/**
 * What an order would do now, by the way in that is chosen. The plan on screen is replaced by a newer one when the price has moved, and before it is too
 * old; its size is the one that the user asked for last.
 */
export function useOrderPlan({ opportunity, sizeText, size, wayIn, kept, announced }: Planning) {
  const { id, current_price: price } = opportunity;
  const [last, setPlan] = useState<ShownPlan>();
  const plan = last?.wayIn === wayIn ? last : undefined;
  const simulation = useMutation<Simulation, Error, Asked>({
    mutationFn: (asked) =>
      call(simulateOrders, {
        params: { opportunity_id: id },
        query: {
          ...(asked.size === undefined ? {} : { order_size: asked.size }),
          ...(asked.wayIn === 'split' ? { way_in: asked.wayIn } : {}),
        },
      }),
    meta: { changesNothing: true, quiet: true },
  });
  const { mutate, isPending, isIdle, submittedAt, variables } = simulation;
  const ask = (byHand: boolean, by = wayIn) =>
    mutate(
      { sizeText, size, wayIn: by, quotedPrice: price, byHand },
      {
        onSuccess: (simulated) => {
          setPlan({ sizeText, wayIn: by, quotedPrice: price, simulation: simulated, shownAtMs: Date.now() });
          if (byHand && announced) toastSuccess('Order simulation completed');
        },
        onError: (error) => {
          if (byHand) toastFailure(error, { what: 'Failed to simulate order' });
        },
      },
    );
  const askByItself = useEffectEvent(ask);
  const askForTyped = useEffectEvent((typed: string) => typed === sizeText && ask(false));
  const isPlannable = sizeText.trim() === '' || size !== undefined;
  const isAnotherSize = variables !== undefined && variables.sizeText !== sizeText && isPlannable && !kept;
  useEffect(() => {
    if (!isAnotherSize) return;
    const timer = setTimeout(askForTyped, TYPED_MS, sizeText);
    return () => clearTimeout(timer);
  }, [isAnotherSize, sizeText]);
  useEffect(() => askByItself(true, wayIn), [wayIn]);
  const hasMoved = plan !== undefined && plan.quotedPrice !== price;
  const waits = isIdle || isPending || kept || variables?.sizeText !== sizeText || variables.wayIn !== wayIn;
  const intervalMs = Math.max(hasMoved ? MOVED_INTERVAL_MS : STILL_INTERVAL_MS, waitAskedMs(simulation.error));
  useEffect(() => {
    if (waits) return;
    const timer = setTimeout(() => askByItself(false), submittedAt + intervalMs - Date.now());
    return () => clearTimeout(timer);
  }, [waits, intervalMs, submittedAt]);
  const isAwaited = isPending && (plan === undefined || variables.byHand || plan.sizeText !== variables.sizeText);
  return {
    plan,
    /** Ways in of this opportunity, as far as known. */
    waysIn: last?.simulation.ways_in ?? [],
    error: simulation.error,
    isExpired: useExpired(plan, hasMoved),
    isAwaited,
    /** What is awaited is for what is typed: to ask again would bring nothing new. */
    isRefreshing: isAwaited && variables.sizeText === sizeText,
    refresh: () => ask(true),
  };
}

/** Whether a plan is too old to be placed. */
function useExpired(plan: ShownPlan | undefined, hasMoved: boolean): boolean {
  const [expired, setExpired] = useState<ShownPlan>();
  useEffect(() => {
    if (plan === undefined) return;
    const leftMs = plan.shownAtMs + PLAN_LIFE_MS - Date.now();
    const timer = setTimeout(() => setExpired(plan), hasMoved ? Math.min(leftMs, MOVED_LIFE_MS) : leftMs);
    return () => clearTimeout(timer);
  }, [plan, hasMoved]);
  return plan !== undefined && expired === plan;
}
