import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { currentUserQuery } from './current-user.ts';
import styles from './greeting.module.css';

export function Greeting() {
  const { data: user } = useQuery(currentUserQuery);
  useDocumentTitle('Dashboard');
  return (
    <header className={styles.greeting}>
      <h1>
        {user === undefined ? (
          <>
            <VisuallyHidden>Hi</VisuallyHidden>
            <Skeleton width={220} height={28} />
          </>
        ) : (
          `Hi, ${user.full_name || user.email}`
        )}
      </h1>
      <p>Welcome back, nice to see you again!</p>
    </header>
  );
}
