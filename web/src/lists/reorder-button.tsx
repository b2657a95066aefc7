import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useChanges } from '../live/live.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './reorder-button.module.css';

type ReorderButtonProps<Row> = {
  rows: readonly Row[];
  /** Whether the newest state of `rows` stands in another order than the one they are sorted by; the same function while that is the same. */
  isOutOfOrder: (rows: readonly Row[]) => boolean;
  onReorder: () => void;
};

/** Offers to sort again when live prices have overtaken the order; rows never jump by themselves. */
export function ReorderButton<Row>({ rows, isOutOfOrder, onReorder }: ReorderButtonProps<Row>) {
  const [overtakenRows, setOvertakenRows] = useState<typeof rows>();
  const judge = useCallback(() => {
    if (isOutOfOrder(rows)) setOvertakenRows(rows);
  }, [rows, isOutOfOrder]);
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
