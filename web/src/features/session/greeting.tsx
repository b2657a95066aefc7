import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery } from './current-user.ts';
import styles from './greeting.module.css';

export function Greeting() {
  const { data: user } = useQuery(currentUserQuery);
  useEffect(() => {
    document.title = 'Dashboard · Dutchbook';
  }, []);
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
