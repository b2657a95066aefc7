import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
// Remembers the focus also for a dialog whose code arrives only once it is chosen.
import './opener.ts';

type RowMenuProps = { of: string; disabled?: boolean; busy?: boolean; children: ReactNode };

/** The menu that ends a row; `of` names the row for those who cannot see it. */
export function RowMenu({ of, disabled = false, busy = false, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          disabled={disabled}
          loading={busy}
          aria-label={`Actions for ${of}`}
        >
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
