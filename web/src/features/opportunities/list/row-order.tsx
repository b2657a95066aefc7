import { Button } from '@mantine/core';
import { createContext, memo, type ReactNode, use, useCallback, useState } from 'react';
import { ChangeRefusal } from '../../../ui/changing.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { useAsked } from '../../../ui/use-asked.ts';
import { useShortcuts } from '../../../ui/use-shortcuts.ts';
import { LazyAlertDialog } from '../../alerts/alert-button.tsx';
import { useIsReplay } from '../../status/replay-look.tsx';
import styles from '../opportunity-columns.module.css';
import { useOpportunity } from '../opportunity-queries.ts';
import type { OrderIntent } from '../order-dialog.tsx';

const OrderDialog = lazyDialog(() => import('../order-dialog.tsx').then((code) => code.OrderDialog));

const PlacingContext = createContext<(id: string, intent: OrderIntent) => void>(() => {});

const AlertingContext = createContext<(id: string) => void>(() => {});

/** Opens the alert of the opportunity of a row. */
export const useAlerting = () => use(AlertingContext);

/** Opens the order of the opportunity of a row. */
export const usePlacing = () => use(PlacingContext);

/** A list whose rows can be placed, from the row and by `p` on the row that has the focus. */
export function PlacingFromRows({ children }: { children: ReactNode }) {
  const [order, setOrder] = useState<{ id: string; intent: OrderIntent }>();
  const refusal = use(ChangeRefusal);
  const isReplay = useIsReplay();
  const place = useCallback((id: string, intent: OrderIntent) => setOrder({ id, intent }), []);
  const { asked, ask, close } = useAsked<string>();
  const placeFocused = () => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-id]')?.dataset.id;
    if (focused !== undefined && refusal === undefined && !isReplay) setOrder({ id: focused, intent: 'place' });
  };
  useShortcuts({ p: placeFocused });
  return (
    <PlacingContext value={place}>
      <AlertingContext value={ask}>{children}</AlertingContext>
      {asked !== undefined && <RowAlert key={asked.about} id={asked.about} opened={asked.opened} onClose={close} />}
      {order !== undefined && <RowOrder key={order.id} of={order} onClose={() => setOrder(undefined)} />}
    </PlacingContext>
  );
}

/** The order dialog of the page of an opportunity, over the list. */
function RowOrder({ of, onClose }: { of: { id: string; intent: OrderIntent }; onClose: () => void }) {
  const { opportunity } = useOpportunity(of.id);
  const [intent, setIntent] = useState(of.intent);
  if (opportunity === undefined) return null;
  return <OrderDialog opened opportunity={opportunity} intent={intent} onIntent={setIntent} onClose={onClose} />;
}

function RowAlert({ id, opened, onClose }: { id: string; opened: boolean; onClose: () => void }) {
  const { opportunity } = useOpportunity(id);
  if (opportunity === undefined) return null;
  const { name, profit_percentage: profit, active } = opportunity;
  return <LazyAlertDialog {...{ name, profit, active, opened, onClose }} opportunityId={id} />;
}

type PlaceButtonProps = { id: string; name: string; isPlaceable: boolean; isDisarmed: boolean };

/** Button of a paying row, for users who may place it; while trading is disarmed it simulates. */
export const PlaceButton = memo(function PlaceButton({ id, name, isPlaceable, isDisarmed }: PlaceButtonProps) {
  const place = usePlacing();
  const isHidden = use(ChangeRefusal) !== undefined;
  const isReplay = useIsReplay();
  if (isHidden || isReplay) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={styles.place}
      style={isPlaceable ? undefined : { visibility: 'hidden' }}
      aria-label={`${isDisarmed ? 'Simulate' : 'Place'} ${name}`}
      title={isDisarmed ? 'Trading is disarmed: nothing can be placed' : undefined}
      onClick={() => place(id, isDisarmed ? 'simulate' : 'place')}
    >
      {isDisarmed ? 'Simulate' : 'Place'}
    </Button>
  );
});
