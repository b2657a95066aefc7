import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../ui/page-header.tsx';
import styles from './access-denied.module.css';

/** What an ordinary user gets to see, without any call. */
export function AccessDenied() {
  return (
    <div className={styles.denied}>
      <PageHeader title="Access Denied" />
      <p>You need superuser privileges to access this page.</p>
      <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
        Back to the Dashboard
      </Button>
    </div>
  );
}
