import { ActionIcon } from '@mantine/core';
import { Icon } from './icons.tsx';
import { MenuButton, type MenuEntry } from './menu-button.tsx';
// Remembers the focus also for a dialog whose code arrives only once it is chosen.
import './opener.ts';

type RowMenuProps = { of: string; disabled?: boolean; busy?: boolean; entries: readonly MenuEntry[] };

/** The menu that ends a row; `of` names the row for those who cannot see it. */
export function RowMenu({ of, disabled = false, busy = false, entries }: RowMenuProps) {
  return (
    <MenuButton
      entries={entries}
      target={
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
      }
    />
  );
}
