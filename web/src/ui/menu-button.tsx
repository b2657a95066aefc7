import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import type { IconName } from './icons.tsx';
import { lateCode } from './late-code.ts';

/** What draws menus. */
export const menuCode = lateCode(() => import('./opened-menu.tsx'));

export type MenuEntry = {
  label: string;
  icon: IconName;
  onChoose?: () => void;
  /**
   * Draws the entry as a link, with the properties that make it one of the menu. The first entry has the focus of every
   * menu that opens: it must not fetch for it where the link leads, which would have the page laid out anew.
   */
  link?: (props: Record<string, unknown>) => ReactNode;
  tone?: 'danger' | 'muted';
  disabled?: boolean;
};

/** `target`: the button itself, which needs neither handlers nor ARIA attributes. */
type MenuButtonProps = { target: ReactElement<Record<string, unknown>>; entries: readonly MenuEntry[]; width?: number };

/** A button that opens a menu. Until it is first asked for, it is only a button: ten of them cost a list nothing. */
export function MenuButton({ target, entries, width }: MenuButtonProps) {
  const [code, setCode] = useState<typeof import('./opened-menu.tsx')>();
  if (code !== undefined)
    return <code.OpenedMenu target={target} entries={entries} {...(width === undefined ? {} : { width })} />;
  return cloneElement(target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => menuCode.whenHere(setCode),
  });
}
