import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { currentUserQuery } from '../features/session/current-user.ts';
import styles from './desk.module.css';
import { Navigation } from './navigation.tsx';

/** The navigation where the screen has no room for it at the side. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // It opens once it stands, and not with its first paint: only then it gives the focus back when it closes.
  const [stands, setStands] = useState(false);
  useEffect(() => setStands(true), []);
  return (
    <Drawer opened={opened && stands} onClose={onClose} title="Menu" size={280}>
      <LoggedInAs />
      <Navigation onChosen={onClose} />
    </Drawer>
  );
}

function LoggedInAs() {
  const { data: user } = useQuery(currentUserQuery);
  if (user === undefined) return null;
  return <p className={styles.who}>Logged in as {user.email}</p>;
}
