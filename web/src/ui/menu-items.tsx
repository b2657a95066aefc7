import { Menu } from '@mantine/core';
import { type ReactNode, use } from 'react';
import { ChangeRefusal } from './changing.tsx';
import { Icon, type IconName } from './icons.tsx';

export type MenuEntry = {
  label: string;
  icon: IconName;
  onChoose?: () => void;
  /** Draws the entry as a link, with the properties that make it one of the menu. */
  link?: (props: Record<string, unknown>) => ReactNode;
  tone?: 'danger' | 'muted';
  disabled?: boolean;
  /** Disabled for users who may change nothing. */
  changes?: true;
};

const INK = { danger: 'var(--error-ink)', muted: 'var(--ink-muted)' } as const;

/** What stands in an open menu. */
export function MenuItems({ entries }: { entries: readonly MenuEntry[] }) {
  const refusal = use(ChangeRefusal);
  return entries.map(({ label, icon, tone, onChoose, link, changes, disabled = false }) => {
    const off = changes ? refusal : undefined;
    return (
      <Menu.Item
        key={label}
        disabled={disabled || off !== undefined}
        title={off}
        leftSection={<Icon name={icon} size={16} />}
        {...(tone === undefined ? {} : { c: INK[tone] })}
        {...(link === undefined ? {} : { renderRoot: link })}
        {...(onChoose === undefined ? {} : { onClick: onChoose })}
      >
        {label}
      </Menu.Item>
    );
  });
}
