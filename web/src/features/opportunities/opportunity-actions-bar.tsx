import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { use, useEffect, useState } from 'react';
import { ChangeRefusal, Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { AlertButton } from '../alerts/alert-button.tsx';
import { useIsDisarmed, venuesOfLegs } from '../status/is-disarmed.ts';
import { useIsReplay } from '../status/replay-look.tsx';
import { useCheckPrices, useDeleteOpportunity } from './opportunity-actions.ts';
import type { OrderIntent } from './order-dialog.tsx';
import { disarmedRefusal, placingRefusal } from './placing-rule.ts';

const OrderDialog = lazyDialog(() => import('./order-dialog.tsx').then((code) => code.OrderDialog));

const EditDialog = lazyDialog(() => import('./edit-dialog.tsx').then((code) => code.EditDialog));

const REFUSAL_ID = 'placing-refusal';

/** Whether the page was opened to simulate or place an order; it is read once the dialog is there. */
export type AskedOrder = { intent: OrderIntent | undefined; onOpened: () => void };

export function OpportunityActions({ opportunity, asked }: { opportunity: Opportunity; asked: AskedOrder }) {
  const [intent, setIntent] = useState<OrderIntent>();
  const [editing, setEditing] = useState(false);
  const isReplay = useIsReplay();
  const viewing = use(ChangeRefusal);
  const isDisarmed = useIsDisarmed(venuesOfLegs(opportunity.market_combinations));
  const refusal =
    viewing ?? (isReplay ? undefined : (placingRefusal(opportunity) ?? disarmedRefusal(opportunity, isDisarmed)));
  const mayPlace = !isReplay && refusal === undefined;
  useEffect(() => {
    if (asked.intent === undefined) return;
    // Where it cannot be placed any more, the page says why under its buttons.
    if (asked.intent === 'simulate' || mayPlace) setIntent(asked.intent);
    asked.onOpened();
  }, [asked, mayPlace]);
  useShortcuts({ s: () => setIntent('simulate'), p: () => mayPlace && setIntent('place') });
  return (
    <div className="stack" style={{ gap: 6 }}>
      <div className="row">
        <Changing>
          <CheckButton id={opportunity.id} />
        </Changing>
        <Button variant="default" leftSection={<Icon name="eye" />} onClick={() => setIntent('simulate')}>
          Simulate Order
        </Button>
        {!isReplay && (
          <Button
            leftSection={<Icon name="batches" />}
            disabled={refusal !== undefined}
            aria-describedby={refusal === undefined ? undefined : REFUSAL_ID}
            onClick={() => setIntent('place')}
          >
            Place Order
          </Button>
        )}
        <AlertButton
          id={opportunity.id}
          name={opportunity.name}
          profit={opportunity.profit_percentage}
          active={opportunity.active}
        />
        <Changing>
          <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <DeleteButton opportunity={opportunity} />
        </Changing>
      </div>
      {refusal !== undefined && (
        <p id={REFUSAL_ID} className="hint">
          {refusal}
        </p>
      )}
      <EditDialog opened={editing} opportunity={opportunity} onClose={() => setEditing(false)} />
      <OrderDialog
        opened={intent !== undefined}
        opportunity={opportunity}
        intent={intent}
        onIntent={setIntent}
        onClose={() => setIntent(undefined)}
      />
    </div>
  );
}

function CheckButton({ id }: { id: string }) {
  const check = useCheckPrices('Failed to check prices');
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" />}
      loading={check.isPending}
      onClick={() => check.mutate(id)}
    >
      Check Prices
    </Button>
  );
}

function DeleteButton({ opportunity }: { opportunity: Opportunity }) {
  const navigate = useNavigate();
  const askAndDelete = useDeleteOpportunity(() => navigate({ to: '/arbitrage' }));
  return (
    <Button
      variant="default"
      c="var(--error-ink)"
      leftSection={<Icon name="trash" />}
      onClick={() => askAndDelete(opportunity.id, opportunity.name)}
    >
      Delete
    </Button>
  );
}
