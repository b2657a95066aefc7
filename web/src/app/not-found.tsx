import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../ui/document-title.ts';
import styles from './not-found.module.css';

/** Shown for every address that leads nowhere. */
export function NotFoundPage() {
  useDocumentTitle('Not found');
  return (
    <main className={styles.page}>
      <p className={styles.code}>404</p>
      <h1 className={styles.title}>Oops!</h1>
      <p className={styles.text}>The page you are looking for was not found.</p>
      <Button size="md" renderRoot={(props) => <Link to="/" {...props} />}>
        Go Back
      </Button>
    </main>
  );
}
