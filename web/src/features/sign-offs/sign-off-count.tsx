import { Link } from '@tanstack/react-router';
import styles from '../../ui/menu-count.module.css';

type SignOffCountProps = { of: number; onChosen?: (() => void) | undefined };

/** How many wait for a second person, beside the entry of the menu, with the way there. */
export function SignOffCount({ of: count, onChosen }: SignOffCountProps) {
  const what = `${count} waiting for a sign-off`;
  return (
    <Link
      to="/admin/sign-offs"
      className={styles.place}
      title={what}
      aria-label={what}
      {...(onChosen === undefined ? {} : { onClick: onChosen })}
    >
      <span className={styles.count}>{count}</span>
    </Link>
  );
}
