import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type Simulated, useSimulation } from '../../../calls/use-simulation.ts';
import { simulateCashNowOfBatch } from '../../chain-steps/conversion-calls.ts';
import { type Choices, convertedOrders } from './exit-choices.ts';

/**
 * What converting a batch into dollars would bring: `whole` of all its orders, undefined where the venue does not say, and
 * `converted` of those that were chosen, which may be no complete set, with the venues that they are at.
 */
export function useCashNow(batchId: string, choices: Choices) {
  const all = useSimulation((_asked: undefined) => simulateCashNowOfBatch(batchId));
  const some = useSimulation((orderIds: readonly string[]) => simulateCashNowOfBatch(batchId, orderIds));
  const [kept, keep] = useState<CashNowSimulation>();
  const whole = all.shown !== undefined && 'simulation' in all.shown ? all.shown.simulation : kept;
  if (whole !== kept) keep(whole);
  const orders = whole?.orders ?? NONE;
  const orderIds = convertedOrders(choices, orders);
  const isWhole = orders.every(({ order_id, cash_now }) => cash_now.shares === 0 || orderIds.includes(order_id));
  const chosen = isWhole ? '' : orderIds.join(' ');
  const ask = useEffectEvent((ids: string) => ids !== '' && some.simulate(ids.split(' ')));
  const { simulate } = all;
  useEffect(() => simulate(undefined), [simulate]);
  useEffect(() => void ask(chosen), [chosen]);
  const refresh = useCallback(() => {
    all.follow(undefined);
    if (chosen !== '') some.follow(chosen.split(' '));
  }, [all.follow, some.follow, chosen]);
  const part = some.shown?.asked.join(' ') === chosen ? some.shown : undefined;
  const plan: Simulated<unknown, CashNowSimulation> | undefined = isWhole ? all.shown : part;
  // What has been chosen stays in sight, also where it has become impossible.
  const converts = orders.some(canConvert) || orderIds.length > 0;
  const chosenOrders = orders.filter(({ order_id }) => orderIds.includes(order_id));
  const venues = [...new Set(chosenOrders.map(({ token_id }) => venueOf(token_id)))];
  return { isAnswered: all.shown !== undefined, whole, converts, converted: { orderIds, plan, venues }, refresh };
}

const NONE: readonly never[] = [];

const canConvert = ({ cash_now }: CashNowSimulation['orders'][number]) => cash_now.shares > 0;
