import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { afterPaint } from '../ui/use-in-slices.ts';
import styles from './name-cell.module.css';

type NameCellProps = {
  about: string;
  /** What leads to it, and shows what it is about. */
  link: ReactNode;
  /** What is bought of it, and what else there is to say. */
  children?: ReactNode;
  /** What would be cut off beneath it, and has a line of its own. */
  last?: ReactNode;
};

/** What a thing is about on one line, and beneath it what is bought of it. */
export function NameCell({ about, link, children, last }: NameCellProps) {
  return (
    <span className={styles.cell}>
      <span className={styles.about} title={about}>
        {link}
      </span>
      <span className={styles.below}>{children}</span>
      {last !== undefined && last !== false && <span className={styles.last}>{last}</span>}
    </span>
  );
}

type RowLinkProps = Required<Pick<NavigateOptions, 'to' | 'params'>> & {
  title?: string;
  className?: string;
  children: ReactNode;
};

/**
 * A link to another page from a row of a list. The router's own links each work out their address again whenever that of the page
 * changes, which hundreds of them would do at every sort and filter; this one does so only when it is rendered.
 */
export function RowLink({ to, params, title, className, children }: RowLinkProps) {
  const router = useRouter();
  const leads = { to, params };
  const href = router.history.createHref(router.buildLocation(leads).publicHref);
  // Without the code of the page in advance a press takes longer, and the press says what is wrong.
  const preload = () => void router.preloadRoute(leads).catch(() => {});
  const open = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    afterPaint(() => void router.navigate(leads));
  };
  return (
    <a
      href={href}
      title={title}
      className={className}
      onClick={open}
      onMouseEnter={preload}
      onFocus={preload}
      onTouchStart={preload}
    >
      {children}
    </a>
  );
}
