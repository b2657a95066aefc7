import { useEffect } from 'react';
import { setTitleFront } from '../../ui/document-title.ts';
import { paperFills } from './paper-fills.ts';
import styles from './paper-look.module.css';

/** What no page of paper trading can be taken for real money by: a frame with the fill model, and a word in the title. */
export function PaperLook() {
  const fills = paperFills();
  const isPaper = fills !== null;
  useEffect(() => {
    if (!isPaper) return;
    setTitleFront('PAPER · ');
    return () => setTitleFront('');
  }, [isPaper]);
  return (
    isPaper && (
      <div className={styles.frame} aria-hidden="true">
        <span className={styles.model}>PAPER · fills by {fills}</span>
      </div>
    )
  );
}
