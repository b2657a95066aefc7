import { type ReactNode, useEffect } from 'react';
import styles from './page-header.module.css';

type PageHeaderProps = { title: string; back?: ReactNode; badges?: ReactNode; actions?: ReactNode };

/** The page's one h1, with its way back, its state and what can be done. */
export function PageHeader({ title, back, badges, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Dutchbook`;
  }, [title]);
  return (
    <header className={styles.header}>
      {back !== undefined && <div className={styles.back}>{back}</div>}
      <div className={styles.line}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {badges}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </header>
  );
}
