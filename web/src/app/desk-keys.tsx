import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { currentUserQuery } from '../features/session/current-user.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { screensFor } from './screens.ts';

const Palette = lazy(() => import('../features/palette/palette.tsx').then((loaded) => ({ default: loaded.Palette })));
const ShortcutHelp = lazy(() =>
  import('../features/palette/shortcut-help.tsx').then((loaded) => ({ default: loaded.ShortcutHelp })),
);

/** What the keys open: its code is fetched when it is first asked for. */
export type KeyDialog = 'palette' | 'help';

type DeskKeysProps = { opened: KeyDialog | undefined; onOpened: (opened: KeyDialog | undefined) => void };

/** The keys that work on every screen. */
export function DeskKeys({ opened, onOpened }: DeskKeysProps) {
  const asked = useRef(new Set<KeyDialog>());
  if (opened !== undefined) asked.current.add(opened);
  useGoKeys(() => onOpened('help'));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onOpened('palette');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onOpened]);
  const close = () => onOpened(undefined);
  return (
    <Suspense>
      {asked.current.has('palette') && <Palette opened={opened === 'palette'} onClose={close} />}
      {asked.current.has('help') && <ShortcutHelp opened={opened === 'help'} onClose={close} />}
    </Suspense>
  );
}

function useGoKeys(onHelp: () => void): void {
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const screens = screensFor(user).map(({ to, goKey }) => [`g ${goKey}`, () => void navigate({ to })]);
  useShortcuts({ ...Object.fromEntries(screens), '?': onHelp });
}
