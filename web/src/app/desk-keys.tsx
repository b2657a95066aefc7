import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { currentUserQuery } from '../features/session/current-user.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { screensFor } from './screens.ts';

const Palette = lazy(() => import('../features/palette/palette.tsx').then((loaded) => ({ default: loaded.Palette })));
const ShortcutHelp = lazy(() =>
  import('../features/palette/shortcut-help.tsx').then((loaded) => ({ default: loaded.ShortcutHelp })),
);

type Shown = 'palette' | 'help';

/** The keys that work on every screen, and what they open. Its code is fetched when it is first asked for. */
export function useDeskKeys() {
  const [asked, setAsked] = useState<ReadonlySet<Shown>>(new Set());
  const [shown, setShown] = useState<Shown>();
  const show = (what: Shown) => {
    setAsked((known) => new Set(known).add(what));
    setShown(what);
  };
  useGoKeys(() => show('help'));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setAsked((known) => new Set(known).add('palette'));
      setShown('palette');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const close = () => setShown(undefined);
  const dialogs = (
    <Suspense>
      {asked.has('palette') && <Palette opened={shown === 'palette'} onClose={close} />}
      {asked.has('help') && <ShortcutHelp opened={shown === 'help'} onClose={close} />}
    </Suspense>
  );
  return { dialogs, openPalette: () => show('palette') };
}

function useGoKeys(onHelp: () => void): void {
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const screens = screensFor(user).map(({ to, goKey }) => [`g ${goKey}`, () => void navigate({ to })]);
  useShortcuts({ ...Object.fromEntries(screens), '?': onHelp });
}
