import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FIRST_LOGIN, recall } from '../../calls/remembered.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { currentUserQuery } from './current-user.ts';
import styles from './greeting.module.css';

export function Greeting() {
  const { data: user } = useQuery(currentUserQuery);
  const [isFirst] = useState(() => recall(FIRST_LOGIN) === true);
  useDocumentTitle('Dashboard');
  return (
    <header className={styles.greeting}>
      <h1>
        {user === undefined ? (
          <>
            <span className="visually-hidden">Hi</span>
            <Skeleton className={styles.name} component="span" display="block" width={220} height={24} />
          </>
        ) : (
          `Hi, ${user.full_name || user.email}`
        )}
      </h1>
      <p>{isFirst ? 'Welcome, nice to see you!' : 'Welcome back, nice to see you again!'}</p>
    </header>
  );
}
