import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './count-card.module.css';

type CountCardProps = { title: string; count: number | undefined; detail: string; children: ReactNode };

/** One number of the dashboard, with the links that lead to what it counts. */
export function CountCard({ title, count, detail, children }: CountCardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.count}>
        {count === undefined ? <Skeleton width={56} height={30} /> : count.toLocaleString('en-US')}
      </p>
      <p className={styles.detail}>{detail}</p>
      <div className={styles.links}>{children}</div>
    </section>
  );
}
