import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { askLimits } from './ask-limits.ts';

/** No order, over all its attempts, can take more than the limit per order. */
export function limitPerOrderGate(context: LimitContext): Blocker | null {
  return askLimits(context, {
    gate: 'limit-per-order',
    name: 'limit per order',
    limit: 'perOrder',
    amountOf: ({ orders, spentBefore }) => {
      const takes = orders.map(({ leg, tokenId, reserve }) => {
        const before = spentBefore.find((order) => order.leg === leg && order.tokenId === tokenId);
        return { leg, amount: addUsd(reserve, before?.spent ?? USD_ZERO) };
      });
      const dearest = takes.reduce((most, each) => (each.amount > most.amount ? each : most), NO_ORDER);
      return { amount: dearest.amount, what: `the order of leg ${dearest.leg} takes up to` };
    },
  });
}

const NO_ORDER: { leg: number | undefined; amount: typeof USD_ZERO } = { leg: undefined, amount: USD_ZERO };
