import { Loader, Progress } from '@mantine/core';
import { useState } from 'react';
import { useNowMs } from '../../ui/use-now.ts';
import styles from './import-dialog.module.css';

/** How far a file has been sent; then, as long as the server reads its rows, only that it does and for how long. */
export function ImportProgress({ sentFraction }: { sentFraction: number }) {
  const percent = Math.floor(sentFraction * 100);
  if (sentFraction < 1)
    return (
      <div className={styles.progress}>
        <p>Sending the file: {percent}%</p>
        <Progress value={percent} color="teal" size="sm" aria-label="Sending the file" />
      </div>
    );
  return <Reading />;
}

function Reading() {
  const [startedAtMs] = useState(Date.now);
  const nowMs = useNowMs();
  const seconds = Math.max(0, Math.floor((nowMs - startedAtMs) / 1_000));
  return (
    <div className={styles.progress}>
      <p role="status" className={styles.pending}>
        <Loader size="xs" /> The server reads the rows and stores the good ones.
      </p>
      <p className={styles.hint}>
        {seconds} s so far. It goes on when this is closed; a message then says what became of it.
      </p>
    </div>
  );
}
