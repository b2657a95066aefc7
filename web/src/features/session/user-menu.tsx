import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { use } from 'react';
import { ChangeRefusal } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type MenuEntry, MenuItems } from '../../ui/menu-items.tsx';
import { currentUserQuery } from './current-user.ts';
import { logOut } from './log-out.ts';
import styles from './user-menu.module.css';

const ENTRIES: readonly MenuEntry[] = [
  { label: 'My Profile', icon: 'user', link: (props) => <Link to="/settings" {...props} /> },
  { label: 'Log Out', icon: 'logout', onChoose: logOut },
];

/** Who is signed in, and the way out. */
export function UserMenu() {
  const { data: user } = useQuery(currentUserQuery);
  const refusal = use(ChangeRefusal);
  const name = user?.full_name || user?.email || 'Account';
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          data-testid="user-menu"
          variant="subtle"
          color="gray"
          size="compact-md"
          className={styles.button}
          leftSection={<Icon name="user" />}
        >
          <span className={styles.name}>{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {refusal && <Menu.Label>{refusal}</Menu.Label>}
        <MenuItems entries={ENTRIES} />
      </Menu.Dropdown>
    </Menu>
  );
}
