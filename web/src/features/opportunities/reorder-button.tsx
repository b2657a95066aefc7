import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { fresher, type Read } from '../../live/fresher.ts';
import { useChanges, useLiveStore } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import type { OpportunitySearch } from './opportunity-search.ts';
import styles from './reorder-button.module.css';
import { isByPrice, isOutOfOrder } from './row-order.ts';

type ReorderButtonProps = { rows: readonly Read<OpportunityRow>[]; search: OpportunitySearch; onReorder: () => void };

/** Offers to sort again when live prices have overtaken the order; rows never jump by themselves. */
export function ReorderButton({ rows, search, onReorder }: ReorderButtonProps) {
  const store = useLiveStore();
  const [overtakenRows, setOvertakenRows] = useState<typeof rows>();
  const judge = useCallback(() => {
    if (!isByPrice(search.sortBy)) return;
    const latest = rows.map((row) => fresher(row, store.read('opportunity', row.id)));
    if (isOutOfOrder(latest, search)) setOvertakenRows(rows);
  }, [rows, search, store]);
  useChanges(judge);
  // Once offered it stays until the rows are other ones: it must not vanish from under the pointer.
  if (overtakenRows !== rows) return null;
  return (
    <div className={styles.place}>
      <Button
        className={styles.reorder}
        size="compact-sm"
        leftSection={<Icon name="refresh" size={14} />}
        onClick={() => {
          setOvertakenRows(undefined);
          onReorder();
        }}
      >
        Prices have moved: reorder
      </Button>
    </div>
  );
}
