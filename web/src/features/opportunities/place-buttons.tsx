import { type Opportunity, placeOrder, type Simulation } from '@dutchbook/contract/opportunities.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/call.ts';
import { batchesOf } from '../../app/links.ts';
import { toastFailure } from '../../app/toast-failure.tsx';
import { toastProblem } from '../../ui/toasts.tsx';
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
  const place = usePlaceOrder(opportunity, size);
  const outcomeUnknown = place.error !== null && !isRefusal(place.error);
  const blocked = refusal !== undefined || simulation === undefined || simulation.errors.length > 0 || outcomeUnknown;
  return (
    <div className={styles.foot}>
      <div className={styles.state} role="status">
        {outcomeUnknown ? (
          <p className={styles.unknown}>
            {UNKNOWN_OUTCOME}{' '}
            <Link to="/batches" search={batchesOf(opportunity.id)}>
              Look at the batches of this opportunity
            </Link>{' '}
            before placing again.
          </p>
        ) : (
          <p>{place.isPending ? 'Placing. The server finishes this even if you leave the page.' : refusal}</p>
        )}
      </div>
      <p className={styles.quote}>
        Current Price{' '}
        <strong>{opportunity.current_price === null ? '–' : formatPrice(opportunity.current_price)}</strong>
        {simulation !== undefined && (
          <>
            {' '}
            · Total Cost <strong>{formatUsd(simulation.total_cost)}</strong>
          </>
        )}
      </p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={blocked} loading={place.isPending} onClick={() => place.mutate()}>
          Confirm Order
        </Button>
      </div>
    </div>
  );
}

/** Places at the price that is on screen and leads to the batch. */
function usePlaceOrder({ id, current_price }: Opportunity, size: Shares | undefined) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      call(placeOrder, {
        params: { opportunity_id: id },
        query: {
          ...(size === undefined ? {} : { order_size: size }),
          ...(current_price === null ? {} : { quoted_price: current_price }),
        },
      }),
    onSuccess: (batch) => navigate({ to: '/batches/$batchId', params: { batchId: batch.id } }),
    onError: (error) => {
      if (isRefusal(error)) toastFailure(error, { what: 'Failed to place order' });
      else toastProblem(UNKNOWN_OUTCOME);
    },
    meta: { success: 'Order placed successfully', quiet: true },
  });
}

/** Whether the server has understood and declined; anything else may have placed the order all the same. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status < 500;
}
