import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, type WayIn } from '@dutchbook/contract/placing.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { Button, Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, use, useState } from 'react';
import { call } from '../../calls/call.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { whenShown } from '../../calls/when-shown.ts';
import { Segments } from '../../forms/segments.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ChangeRefusal } from '../../ui/changing.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { useIsReplay } from '../status/replay-look.tsx';
import { setsOffered } from './order/planned-figures.ts';
import { SizeChoice } from './order/size-choice.tsx';
import { OrderPlan } from './order-plan.tsx';
import { type OrderRequest, orderAsShown, orderRefusal, planRefusal, type ShownPlan } from './order-readiness.ts';
import { readOrderSize, SizeField, SizeOfPolicy } from './order-size.tsx';
import { PlaceButtons } from './place-buttons.tsx';
import { placingRefusal } from './placing-rule.ts';
import { useOrderPlan } from './use-order-plan.ts';
import { useDepth } from './valuation-queries.ts';

export type OrderIntent = 'simulate' | 'place';

type OrderDialogProps = {
  opened: boolean;
  opportunity: Opportunity;
  /** `undefined` while the dialog is closed. */
  intent: OrderIntent | undefined;
  onIntent: (intent: OrderIntent) => void;
  onClose: () => void;
};

/** Shows what an order would buy before it is placed, from the same plan the server would send. */
export function OrderDialog({ opened, opportunity, intent, onIntent, onClose }: OrderDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`${intent === 'place' ? 'Place Order' : 'Simulate Order'}: ${opportunity.name}`}
      size="min(960px, 100%)"
      unsaved={false}
    >
      {intent !== undefined && (
        <OrderTicket opportunity={opportunity} intent={intent} onIntent={onIntent} onClose={onClose} />
      )}
    </Dialog>
  );
}

type OrderTicketProps = Omit<OrderDialogProps, 'opened' | 'intent'> & { intent: OrderIntent };

function OrderTicket({ opportunity, intent, onIntent, onClose }: OrderTicketProps) {
  const [sizeText, setSizeText] = useState('');
  const [wayIn, setWayIn] = useState<WayIn>('buy');
  const { shares: typed, error: problem } = typedSize(sizeText);
  const placing = usePlaceOrder(opportunity.id, onClose);
  const planned = useOrderPlan({
    opportunity,
    sizeText,
    size: typed,
    wayIn,
    kept: placing.isPending || placing.lostAnswerOf(undefined) !== undefined,
    announced: intent === 'simulate',
  });
  const { plan } = planned;
  const sizes = sizesOf(plan);
  const offered = plan === undefined ? null : setsOffered(plan.simulation, opportunity.positions.length);
  const shown = plan?.sizeText === sizeText ? plan : undefined;
  const lostAnswer = placing.lostAnswerOf(shown && orderAsShown(shown));
  const isCurrent = lostAnswer === 'same' || planRefusal(sizeText, planned) === undefined;
  const isReplay = useIsReplay();
  const viewing = use(ChangeRefusal);
  const refusal = viewing ?? placingRefusal(opportunity);
  const depth = useDepth(opportunity.id, '', true).data ?? null;
  const blockedBy = refusal ?? (problem === undefined ? orderRefusal(sizeText, planned) : `${problem}.`);
  const confirm = () => shown !== undefined && placing.start(orderAsShown(shown));
  const isBlocked = lostAnswer === undefined ? blockedBy !== undefined : lostAnswer === 'other';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (intent === 'place' && !isBlocked && !placing.isPending) confirm();
  };
  return (
    <form
      className="stack"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) planned.refresh();
      }}
    >
      <WhereAndUntil of={opportunity} />
      <SizeField {...sizes} text={sizeText} problem={problem} refreshing={planned.isRefreshing} onText={setSizeText} />
      <SizeOfPolicy {...sizes} />
      {plan !== undefined && wayIn === 'buy' && (
        <SizeChoice
          simulation={plan.simulation}
          depth={depth}
          size={typed ?? plan.simulation.order_size}
          onTake={setSizeText}
        />
      )}
      {(planned.waysIn.includes('split') || wayIn === 'split') && <WayInChoice chosen={wayIn} onChoose={setWayIn} />}
      {plan === undefined ? (
        planned.isAwaited && <Skeleton height={220} />
      ) : (
        <OrderPlan simulation={plan.simulation} current={isCurrent} offered={offered} blank={problem !== undefined} />
      )}
      {intent === 'place' ? (
        <PlaceButtons
          opportunityId={opportunity.id}
          plan={isCurrent && offered === null ? plan : undefined}
          refusal={blockedBy}
          isBlocked={isBlocked}
          lostAnswer={lostAnswer}
          isPending={placing.isPending}
          onPlace={confirm}
          onClose={onClose}
        />
      ) : (
        <ButtonRow>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {!isReplay && (
            <Button disabled={refusal !== undefined} onClick={() => onIntent('place')}>
              Review Order
            </Button>
          )}
        </ButtonRow>
      )}
    </form>
  );
}

function typedSize(text: string): { shares?: Shares | undefined; error?: string } {
  return readOrderSize(text);
}

/** The venues of an order, and when the last of its markets ends. */
function WhereAndUntil({ of: { positions, pays_at: at, last_checked: checked } }: { of: Opportunity }) {
  const venues = new Set(positions.map(({ market_id }) => VENUE_LABELS[venueOf(market_id)]));
  return (
    <p className="hint">
      {[...venues].join(' and ')} ·{' '}
      {at === null ? 'when it ends is not known' : at <= (checked ?? 0) ? 'pays at once' : <EndsAt at={at} />}
    </p>
  );
}

function EndsAt({ at }: { at: Instant }) {
  return (
    <>
      ends <LocalTime at={at} />
    </>
  );
}

/** What the size policy chooses, and the most that pays; null while nothing is planned. */
function sizesOf(plan: ShownPlan | undefined) {
  const { chosen_size: chosen = null, max_profitable_size: payingSize = null } = plan?.simulation ?? {};
  return { chosen, payingSize };
}

const WAYS_IN = [
  { value: 'buy', label: 'Buy' },
  { value: 'split', label: 'Split and Sell' },
] satisfies { value: WayIn; label: string }[];

function WayInChoice({ chosen, onChoose }: { chosen: WayIn; onChoose: (way: WayIn) => void }) {
  return (
    <div className="row">
      <span id="way-in">Way In</span>
      <Segments<WayIn> aria-labelledby="way-in" data={WAYS_IN} value={chosen} onChange={onChoose} />
    </div>
  );
}

/** Places an order and leads to its batch; where a second person is asked first, the dialog closes. */
function usePlaceOrder(id: string, onClose: () => void) {
  const navigate = useNavigate();
  return useTrade({
    send: (request: OrderRequest, idempotencyKey) =>
      call(placeOrder, { params: { opportunity_id: id }, query: request, idempotencyKey }).catch(whenShown(onClose)),
    onSuccess: (batch) => navigate({ to: '/batches/$batchId', params: { batchId: batch.id } }),
    success: 'Order placed successfully',
    failure: 'Failed to place order',
    unknown: 'The answer was lost, so it is not known whether the order was placed.',
  });
}
