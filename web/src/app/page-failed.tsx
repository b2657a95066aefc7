import { Button } from '@mantine/core';
import styles from './not-found.module.css';

/** Stands in the place of a page that could not be loaded or shown; what is around it stays. */
export function PageFailed() {
  return (
    <div className={styles.page} role="alert">
      <h1 className={styles.title}>This page could not be shown</h1>
      <p className={styles.text}>Its code did not arrive, or failed. Reload to try again.</p>
      <Button size="md" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
