import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { fresher, type Read } from '../../app/live/fresher.ts';
import { useChanges, useLiveStore } from '../../app/live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import type { OpportunitySearch } from './opportunity-search.ts';
import styles from './reorder-button.module.css';
import { isOutOfOrder } from './row-order.ts';

type ReorderButtonProps = { rows: readonly Read<OpportunityRow>[]; search: OpportunitySearch; onReorder: () => void };

/** Offers to sort again when live prices have overtaken the order; rows never jump by themselves. */
export function ReorderButton({ rows, search, onReorder }: ReorderButtonProps) {
  const store = useLiveStore();
  const [overtaken, setOvertaken] = useState(false);
  const judge = useCallback(() => {
    const latest = rows.map((row) => fresher(row, store.read('opportunity', row.id)));
    setOvertaken(isOutOfOrder(latest, search));
  }, [rows, search, store]);
  useChanges(judge);
  if (!overtaken) return null;
  return (
    <Button
      className={styles.reorder}
      size="compact-sm"
      variant="light"
      leftSection={<Icon name="refresh" size={14} />}
      onClick={() => {
        setOvertaken(false);
        onReorder();
      }}
    >
      Prices have moved: reorder
    </Button>
  );
}
