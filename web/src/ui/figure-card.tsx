import { Skeleton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './figure-card.module.css';

type FigureCardProps = {
  title: string;
  /** `undefined` while it loads. */
  figure: ReactNode | undefined;
  detail: ReactNode;
  tone?: 'warning' | 'error' | undefined;
  /** How the figure came about, drawn. */
  line?: ReactNode;
  /** Links that lead to what the figure is about. */
  children: ReactNode;
};

/** One figure of the dashboard, with the links that lead to what it is about. */
export function FigureCard({ title, figure, detail, tone, line, children }: FigureCardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId} data-tone={tone}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <p className={styles.figure}>{figure ?? <Skeleton width={72} height={30} component="span" display="block" />}</p>
      <p className={styles.detail}>{detail}</p>
      {line !== undefined && <div className={styles.line}>{line}</div>}
      <div className={styles.links}>{children}</div>
    </section>
  );
}
