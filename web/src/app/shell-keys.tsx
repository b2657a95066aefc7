import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useLayoutEffect } from 'react';
import type { CashNowDialogProps } from '../features/chain-steps/cash-now-dialog.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { useAsked } from '../ui/use-asked.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import type { CashNowAsked } from './palette/palette.tsx';
import { catchTyping, stopCatching } from './palette/typed-ahead.ts';
import { screensFor } from './screens.ts';

const Palette = lazyDialog(() => import('./palette/palette.tsx').then((code) => code.Palette));
const CashNowDialog = lazyDialog<CashNowDialogProps>(() =>
  import('../features/chain-steps/cash-now-dialog.tsx').then((code) => code.CashNowDialog),
);
const ShortcutHelp = lazyDialog(() => import('./palette/shortcut-help.tsx').then((code) => code.ShortcutHelp));

/** What the keys open. */
export type KeyDialog = 'palette' | 'help';

type DeskKeysProps = { opened: KeyDialog | undefined; onOpened: (opened: KeyDialog | undefined) => void };

/** The keys that work on every screen. */
export function ShellKeys({ opened, onOpened }: DeskKeysProps) {
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const screens = screensFor(user).map(({ to, goKey }) => [`g ${goKey}`, () => void navigate({ to })]);
  const close = useCallback(() => onOpened(undefined), [onOpened]);
  const isFinding = opened === 'palette';
  useLayoutEffect(() => {
    if (!isFinding) return;
    catchTyping(close);
    return stopCatching;
  }, [isFinding, close]);
  useShortcuts({
    ...Object.fromEntries(screens),
    'mod k': () => {
      if (!isFinding) catchTyping(close);
      onOpened('palette');
    },
    '?': () => onOpened('help'),
  });
  const { asked, ask, close: closeAsked } = useAsked<CashNowAsked>();
  return (
    <>
      <Palette opened={isFinding} onClose={close} onCashNow={ask} />
      {asked !== undefined && (
        <CashNowDialog
          key={asked.about.eventId}
          opened={asked.opened}
          eventId={asked.about.eventId}
          title={asked.about.title}
          onClose={closeAsked}
        />
      )}
      <ShortcutHelp opened={opened === 'help'} onClose={close} />
    </>
  );
}
