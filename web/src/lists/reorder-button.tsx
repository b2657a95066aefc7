import { Button } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useChanges } from '../live/live.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './reorder-button.module.css';

type ReorderButtonProps<Row> = {
  rows: readonly Row[];
  /** Whether the newest state of `rows` stands in another order than the one they are sorted by; the same function while that is the same. */
  isOutOfOrder: (rows: readonly Row[]) => boolean;
  /** No person has to ask for it now. */
  byItself: boolean;
  onReorder: () => void;
};

/** So long after the order was overtaken it is sorted again where no person has to ask for it. */
const AGAIN_MS = 2_000;

/** Offers to sort again when live prices have overtaken the order, or does so; no row jumps under the pointer. */
export function ReorderButton<Row>({ rows, isOutOfOrder, byItself, onReorder }: ReorderButtonProps<Row>) {
  const [overtakenRows, setOvertakenRows] = useState<typeof rows>();
  const judge = useCallback(() => {
    if (isOutOfOrder(rows)) setOvertakenRows(rows);
  }, [rows, isOutOfOrder]);
  useChanges(judge);
  const isOvertaken = overtakenRows === rows;
  const reorder = useEffectEvent(() => {
    setOvertakenRows(undefined);
    onReorder();
  });
  useEffect(() => {
    if (!isOvertaken || !byItself) return;
    const timer = setTimeout(() => reorder(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isOvertaken, byItself]);
  // Once offered it stays until the rows are other ones: it must not vanish from under the pointer.
  if (!isOvertaken || byItself) return null;
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
