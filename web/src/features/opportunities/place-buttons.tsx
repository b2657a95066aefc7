import { formatPrice } from '@dutchbook/units/price.ts';
import { formatUsd, pricePerShare } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { LostAnswer } from '../../calls/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import { costWithFees } from './order/planned-figures.ts';
import styles from './order-dialog.module.css';
import type { ShownPlan } from './order-readiness.ts';

type PlaceButtonsProps = {
  opportunityId: string;
  /** The plan that would be placed, `undefined` while what is on screen is not current. */
  plan: ShownPlan | undefined;
  /** Why it cannot be placed. */
  refusal: string | undefined;
  /** Repeating the order is how to learn its outcome, even where a new order would be refused. */
  isBlocked: boolean;
  lostAnswer: LostAnswer | undefined;
  isPending: boolean;
  onPlace: () => void;
  onClose: () => void;
};

const PLACING = 'Placing. The server finishes this even if you leave the page.';

export function PlaceButtons(props: PlaceButtonsProps) {
  const { opportunityId, plan, refusal, isBlocked, lostAnswer, isPending, onPlace, onClose } = props;
  const stateId = useId();
  const said = isPending ? PLACING : refusal;
  return (
    <DealFoot
      stateId={stateId}
      state={
        isPending || lostAnswer === undefined ? (
          <p>{said}</p>
        ) : (
          <LostAnswerText lostAnswer={lostAnswer} opportunityId={opportunityId} />
        )
      }
      isUnknown={!isPending && lostAnswer !== undefined}
      risk={plan !== undefined && <WorstLoss of={plan} />}
      terms={<Terms plan={plan} />}
    >
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      {/* Marked rather than disabled: what blocks it may pass by itself, and the focus would be gone. */}
      <Button
        data-disabled={isBlocked}
        aria-disabled={isBlocked}
        aria-describedby={stateId}
        loading={isPending}
        onClick={() => !isBlocked && onPlace()}
      >
        Confirm Order
      </Button>
    </DealFoot>
  );
}

function LostAnswerText({ lostAnswer, opportunityId }: { lostAnswer: LostAnswer; opportunityId: string }): ReactNode {
  const batches = (
    <Link to="/batches" search={{ opportunityId, each: true }}>
      look at the batches of this opportunity
    </Link>
  );
  if (lostAnswer === 'other') {
    return (
      <p>
        The answer was lost, so it is not known whether the first order was placed. This would be another one: {batches}{' '}
        before placing again.
      </p>
    );
  }
  return (
    <p>
      The answer was lost, so it is not known whether the order was placed. Confirm again: the server knows that it is
      the same order, and places nothing twice. Or {batches}.
    </p>
  );
}

function Terms({ plan }: Pick<PlaceButtonsProps, 'plan'>) {
  if (plan === undefined) return null;
  const { quotedPrice, simulation } = plan;
  const { split, order_size: size, total_cost: cost } = simulation;
  return (
    <p className={styles.quote}>
      <span title="Current Price of a set when this was simulated: an order is refused once it has moved too far from it">
        Quoted Price <strong>{quotedPrice === null ? '–' : formatPrice(quotedPrice)}</strong>
      </span>{' '}
      {split === null && size > 0 && `(${formatPrice(pricePerShare(cost, size, 'up'))} a set on average) `}·{' '}
      {split === null ? 'Cost with Fees' : 'Dollars In'}{' '}
      <strong>{formatUsd(split === null ? costWithFees(simulation) : cost)}</strong>
    </p>
  );
}

/** What pressing the button puts at risk, because the orders fill one by one. */
function WorstLoss({ of: { simulation } }: { of: ShownPlan }) {
  const { worst_case_loss_usd: loss } = simulation;
  if (loss <= 0) return null;
  return (
    <p className={styles.risk}>
      {simulation.split === null ? 'Should only some positions fill' : 'Should only some of it sell'}, at worst{' '}
      <strong>{formatUsd(loss)}</strong> is lost.
    </p>
  );
}
