import type { ImportReply } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shortId } from '../../ui/copyable.tsx';
import { Note } from '../../ui/states.tsx';
import styles from './import-dialog.module.css';

/** How many rows are put on screen of each kind; the counts above always tell all. */
const ROWS_SHOWN_MAX = 200;

/** What became of each row that was not simply imported. Row 1 is the first line under the header. */
export function ImportReport({ reply, onDone }: { reply: ImportReply; onDone: () => void }) {
  const { opportunity_ids, duplicates, errors } = reply;
  const imported = opportunity_ids.length;
  return (
    <div className={styles.steps}>
      <Note
        tone={imported === 0 ? 'error' : errors.length > 0 ? 'warning' : 'success'}
        title={`${imported} imported, ${duplicates.length} already known, ${errors.length} refused`}
      />
      {errors.length > 0 && (
        <div>
          <h3 className={styles.heading}>Refused rows</h3>
          <ul className={styles.rows}>
            {errors.slice(0, ROWS_SHOWN_MAX).map(({ row, message }) => (
              <li key={`${row} ${message}`}>
                <span>Row {row}</span> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {duplicates.length > 0 && (
        <div>
          <h3 className={styles.heading}>Duplicates</h3>
          <ul className={styles.rows}>
            {duplicates.slice(0, ROWS_SHOWN_MAX).map(({ row, opportunity_id }) => (
              <li key={row}>
                <span>Row {row}</span>
                <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }}>
                  Same markets and outcomes as {shortId(opportunity_id)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.buttons}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
