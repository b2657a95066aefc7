import { Menu } from '@mantine/core';
import { cloneElement, type KeyboardEvent, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import type { MenuEntry } from './menu-button.tsx';
import { stayAtFocus } from './stay-at-focus.ts';

const INK = { danger: 'var(--error-ink)', muted: 'var(--ink-muted)' } as const;

type OpenedMenuProps = {
  target: ReactElement<Record<string, unknown>>;
  entries: readonly MenuEntry[];
  width?: number;
};

/** A menu that opens as soon as it stands, unless somebody has gone on meanwhile; its button takes over the focus of the one it replaces. */
export function OpenedMenu({ target, entries, width }: OpenedMenuProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const dropdown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The focus of an element that is gone falls to the page.
    if (document.activeElement !== document.body) return;
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu
      position="bottom-end"
      opened={opened}
      onChange={setOpened}
      withinPortal
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>
        {cloneElement(target, {
          ref: button,
          onKeyDown: (event: KeyboardEvent) => focusEntry(event, dropdown.current),
        })}
      </Menu.Target>
      <Menu.Dropdown ref={dropdown} onFocus={stayAtFocus}>
        {entries.map(({ label, icon, tone, onChoose, link, disabled = false }) => (
          <Menu.Item
            key={label}
            disabled={disabled}
            leftSection={<Icon name={icon} size={16} />}
            {...(tone === undefined ? {} : { c: INK[tone] })}
            {...(link === undefined ? {} : { renderRoot: link })}
            {...(onChoose === undefined ? {} : { onClick: onChoose })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** An arrow pressed before the menu has taken the focus over from its button is not lost. */
function focusEntry(event: KeyboardEvent, dropdown: HTMLElement | null): void {
  if (dropdown === null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const entries = [...dropdown.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')];
  entries.at(event.key === 'ArrowDown' ? 0 : -1)?.focus();
  event.preventDefault();
}
