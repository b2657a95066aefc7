import { useState } from 'react';
import styles from './market-rules.module.css';

/** Rules are written by the market's creator: they are shown as plain text, and in the page only once they are asked for. */
export function MarketRules({ of: question, text }: { of: string; text: string }) {
  const [opened, setOpened] = useState(false);
  if (text === '') return <span className="aside">No rules are given.</span>;
  return (
    <details className={styles.rules} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary aria-label={`Rules of ${question}`}>Rules</summary>
      {opened && (
        <textarea
          className={styles.text}
          aria-label={`Text of the rules of ${question}`}
          readOnly
          rows={12}
          value={text}
        />
      )}
    </details>
  );
}
