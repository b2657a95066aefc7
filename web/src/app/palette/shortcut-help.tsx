import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '../../features/session/current-user.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { COMMAND_KEY } from '../command-key.ts';
import { screensFor } from '../screens.ts';
import styles from './shortcut-help.module.css';

type Shortcut = { keys: string; does: string };

const IN_TABLES: readonly Shortcut[] = [
  { keys: 'j', does: 'Next row' },
  { keys: 'k', does: 'Row before' },
  { keys: '↓ ↑', does: 'The same, once in a row' },
  { keys: 'Enter', does: 'Open the row' },
];

const ANYWHERE: readonly Shortcut[] = [
  { keys: COMMAND_KEY.shown, does: 'Go to a screen, opportunity or batch' },
  { keys: 's', does: 'Simulate an order, on the page of an opportunity' },
  { keys: 'p', does: 'Place an order, on the page of an opportunity' },
  { keys: '?', does: 'These shortcuts' },
  { keys: 'Esc', does: 'Close what is open' },
];

type ShortcutHelpProps = { opened: boolean; onClose: () => void; onWords: () => void };

/** What the keys do. None of them acts while something is being typed. */
export function ShortcutHelp({ opened, onClose, onWords }: ShortcutHelpProps) {
  const { data: user } = useQuery(currentUserQuery);
  const screens = screensFor(user).map(({ goKey, label }) => ({ keys: `g ${goKey}`, does: label }));
  return (
    <Dialog opened={opened} title="Keyboard Shortcuts" size={560} unsaved={false} onClose={onClose}>
      <div className={styles.groups}>
        <Group title="Anywhere" shortcuts={ANYWHERE} />
        <Group title="In tables" shortcuts={IN_TABLES} />
        <Group title="Go to" shortcuts={screens} />
      </div>
      <Button variant="default" size="xs" onClick={onWords}>
        What the Words Mean
      </Button>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
