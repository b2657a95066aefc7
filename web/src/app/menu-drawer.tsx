import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '../features/session/current-user.ts';
import styles from './app-shell.module.css';
import { Navigation } from './navigation.tsx';

/** Above toasts, as every menu. */
const Z_INDEX = 260;

/** The navigation where the screen has no room for it at the side. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Menu" size={280} zIndex={Z_INDEX}>
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
