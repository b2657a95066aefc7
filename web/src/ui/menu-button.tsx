import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, startTransition, useState } from 'react';
import type { IconName } from './icons.tsx';

const loadMenu = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(() => loadMenu().then((loaded) => ({ default: loaded.OpenedMenu })));

export type MenuEntry = {
  label: string;
  icon: IconName;
  onChoose?: () => void;
  /** Draws the entry as a link, with the properties that make it one of the menu. */
  link?: (props: Record<string, unknown>) => ReactNode;
  tone?: 'danger' | 'muted';
  disabled?: boolean;
};

/** `target`: the button itself, which needs neither handlers nor ARIA attributes. */
type MenuButtonProps = { target: ReactElement<Record<string, unknown>>; entries: readonly MenuEntry[]; width?: number };

/** A button that opens a menu. Until it is first asked for, it is only a button: ten of them cost a list nothing. */
export function MenuButton({ target, entries, width }: MenuButtonProps) {
  const [asked, setAsked] = useState(false);
  const closed = cloneElement(target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // A transition: until the menu's code is there, the button stays, and keeps the focus.
    onClick: () => startTransition(() => setAsked(true)),
  });
  if (!asked) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu target={target} entries={entries} {...(width === undefined ? {} : { width })} />
    </Suspense>
  );
}

/** Fetches what draws menus before one is asked for. */
export async function prepareMenus(): Promise<void> {
  await loadMenu();
}
