import { type Opportunity, placeOrder, type Simulation } from '@dutchbook/contract/opportunities.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../app/call.ts';
import { batchesOf } from '../../app/links.ts';
import { useTrade } from '../../app/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import styles from './order-dialog.module.css';

type PlaceButtonsProps = {
  opportunity: Opportunity;
  /** The plan on screen, `undefined` while there is none for the size that is typed. */
  simulation: Simulation | undefined;
  size: Shares | undefined;
  refusal: string | undefined;
  onClose: () => void;
};

const UNKNOWN_OUTCOME = 'The answer was lost, so it is not known whether the order was placed.';

export function PlaceButtons({ opportunity, simulation, size, refusal, onClose }: PlaceButtonsProps) {
  const { place, isPending, outcomeUnknown } = usePlaceOrder(opportunity, size);
  const blocked = refusal !== undefined || simulation === undefined || simulation.errors.length > 0 || outcomeUnknown;
  return (
    <DealFoot
      state={
        outcomeUnknown ? (
          <LostAnswer opportunityId={opportunity.id} />
        ) : (
          <p>{isPending ? 'Placing. The server finishes this even if you leave the page.' : refusal}</p>
        )
      }
      inDoubt={outcomeUnknown}
      risk={simulation !== undefined && <WorstLoss of={simulation} />}
      terms={<Terms opportunity={opportunity} simulation={simulation} />}
    >
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button disabled={blocked} loading={isPending} onClick={place}>
        Confirm Order
      </Button>
    </DealFoot>
  );
}

function LostAnswer({ opportunityId }: { opportunityId: string }) {
  return (
    <p>
      {UNKNOWN_OUTCOME}{' '}
      <Link to="/batches" search={batchesOf(opportunityId)}>
        Look at the batches of this opportunity
      </Link>{' '}
      before placing again.
    </p>
  );
}

function Terms({
  opportunity: { current_price: price },
  simulation,
}: Pick<PlaceButtonsProps, 'opportunity' | 'simulation'>) {
  return (
    <p className={styles.quote}>
      Current Price <strong>{price === null ? '–' : formatPrice(price)}</strong>
      {simulation !== undefined && (
        <>
          {' '}
          · Total Cost <strong>{formatUsd(simulation.total_cost)}</strong>
        </>
      )}
    </p>
  );
}

/** What pressing the button puts at risk, because the orders fill one by one. */
function WorstLoss({ of: { worst_case_loss_usd: loss } }: { of: Simulation }) {
  if (loss <= 0) return null;
  return (
    <p className={styles.risk}>
      Should only some positions fill, at worst <strong>{formatUsd(loss)}</strong> is lost.
    </p>
  );
}

/** Places at the price that is on screen and leads to the batch. */
function usePlaceOrder({ id, current_price }: Opportunity, size: Shares | undefined) {
  const navigate = useNavigate();
  const query = {
    ...(size === undefined ? {} : { order_size: size }),
    ...(current_price === null ? {} : { quoted_price: current_price }),
  };
  const { start, ...state } = useTrade({
    send: (asked: typeof query, idempotencyKey) =>
      call(placeOrder, { params: { opportunity_id: id }, query: asked, idempotencyKey }),
    onSuccess: (batch) => navigate({ to: '/batches/$batchId', params: { batchId: batch.id } }),
    success: 'Order placed successfully',
    failure: 'Failed to place order',
    unknown: UNKNOWN_OUTCOME,
  });
  return { ...state, place: () => start(query) };
}
