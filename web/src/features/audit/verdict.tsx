import { Copyable } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import styles from './verdict.module.css';

type VerdictProps = {
  /** `The log`. */
  what: string;
  /** What is wrong or missing, as `entry 7`; null where nothing is. */
  broken: string | null;
  /** As `12 entries`. */
  extent: string;
  /** Null of a chain that has not begun. */
  head: string | null;
};

/** Whether a chain of hashes is what it was when it was written. */
export function Verdict({ what, broken, extent, head }: VerdictProps) {
  if (broken !== null)
    return (
      <p className={styles.verdict} data-tone="error">
        <Icon name="alert" size={16} />
        <strong>
          {what} is broken: {broken} is wrong or missing.
        </strong>
      </p>
    );
  return (
    <p className={styles.verdict} data-tone="success">
      <Icon name="check" size={16} />
      <strong>{what} is intact.</strong>
      <span>
        {extent}
        {head !== null && ', last hash'}
      </span>
      {head !== null && (
        <Copyable text={head} what="Last hash" mono>
          {head.slice(0, 16)}…
        </Copyable>
      )}
    </p>
  );
}
