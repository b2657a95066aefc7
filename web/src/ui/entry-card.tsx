import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
import styles from './entry-card.module.css';

type EntryCardProps = {
  /** What the tab of the browser says. */
  page: string;
  title: string;
  text: string;
  children: ReactNode;
};

/** The card that stands alone on a page for those who are not signed in. */
export function EntryCard({ page, title, text, children }: EntryCardProps) {
  useDocumentTitle(page);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/favicon.svg" alt="" width={40} height={40} />
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </main>
  );
}
