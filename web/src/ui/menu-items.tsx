import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

export type MenuEntry = {
  label: string;
  icon: IconName;
  onChoose?: () => void;
  /** Draws the entry as a link, with the properties that make it one of the menu. */
  link?: (props: Record<string, unknown>) => ReactNode;
  tone?: 'danger' | 'muted';
  disabled?: boolean;
};

const INK = { danger: 'var(--error-ink)', muted: 'var(--ink-muted)' } as const;

/** What stands in an open menu. */
export function MenuItems({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map(({ label, icon, tone, onChoose, link, disabled = false }) => (
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
  ));
}
