import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Ref, useCallback, useImperativeHandle, useLayoutEffect, useState } from 'react';
import type { CashNowDialogProps } from '../features/chain-steps/cash-now-dialog.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { useAsked } from '../ui/use-asked.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import type { CashNowAsked } from './palette/palette-entries.ts';
import { catchTyping, stopCatching } from './palette/typed-ahead.ts';
import { screensFor } from './screens.ts';

const Palette = lazyDialog(() => import('./palette/palette.tsx').then((code) => code.Palette));
const CashNowDialog = lazyDialog<CashNowDialogProps>(() =>
  import('../features/chain-steps/cash-now-dialog.tsx').then((code) => code.CashNowDialog),
);
const ShortcutHelp = lazyDialog(() => import('./palette/shortcut-help.tsx').then((code) => code.ShortcutHelp));
const WordsHelp = lazyDialog(() => import('./palette/words-help.tsx').then((code) => code.WordsHelp));

/** What the shell opens without a key. It is no state of the shell, all of which would be drawn again. */
export type ShellKeysHandle = { openPalette: () => void };

/** The keys that work on every screen. */
export function ShellKeys({ ref }: { ref: Ref<ShellKeysHandle> }) {
  const [opened, setOpened] = useState<'palette' | 'help' | 'words'>();
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const screens = screensFor(user).map(({ to, goKey }) => [`g ${goKey}`, () => void navigate({ to })]);
  const close = useCallback(() => setOpened(undefined), []);
  const openWords = useCallback(() => setOpened('words'), []);
  const isFinding = opened === 'palette';
  // Where it closes before its field had the focus.
  useLayoutEffect(() => (isFinding ? stopCatching : undefined), [isFinding]);
  const openPalette = useCallback(() => {
    if (!isFinding) catchTyping(close);
    setOpened('palette');
  }, [isFinding, close]);
  useImperativeHandle(ref, () => ({ openPalette }), [openPalette]);
  useShortcuts({
    ...Object.fromEntries(screens),
    'mod k': openPalette,
    '?': () => setOpened('help'),
  });
  const { asked, ask, close: closeAsked } = useAsked<CashNowAsked>();
  return (
    <>
      <Palette opened={isFinding} onClose={close} onCashNow={ask} onWords={openWords} />
      {asked !== undefined && (
        <CashNowDialog
          key={asked.about.eventId}
          opened={asked.opened}
          eventId={asked.about.eventId}
          title={asked.about.title}
          onClose={closeAsked}
        />
      )}
      <ShortcutHelp opened={opened === 'help'} onClose={close} onWords={openWords} />
      <WordsHelp opened={opened === 'words'} onClose={close} />
    </>
  );
}
