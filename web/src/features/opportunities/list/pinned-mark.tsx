import { Icon } from '../../../ui/icons.tsx';
import styles from '../opportunity-columns.module.css';
import { usePins } from './pins.ts';

/** Mark of a pinned row. */
export function PinnedMark({ id }: { id: string }) {
  if (!usePins().includes(id)) return null;
  return (
    <span role="img" aria-label="Pinned" title="Pinned" className={styles.pin}>
      <Icon name="pinned" size={13} />
    </span>
  );
}
