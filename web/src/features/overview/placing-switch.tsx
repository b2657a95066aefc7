import { writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { systemStatusKey } from '../../calls/system-status-key.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const RehearseDialog = lazyDialog(() =>
  import('../rehearsals/rehearse-dialog.tsx').then((code) => code.RehearseDialog),
);

type Switch = {
  changes: RehearsalChanges;
  send: () => Promise<unknown>;
  title: string;
  success: string;
  /** What it does. */
  what: string;
};

const SWITCHES = {
  all: {
    changes: { settings: { AUTO_PLACE_ORDER_ENABLED: true } },
    send: () => call(writeSystemSettings, { query: {}, body: { AUTO_PLACE_ORDER_ENABLED: true } }),
    title: 'Place Orders Automatically',
    success: 'Orders are placed automatically.',
    what: 'Every opportunity that triggers is bought by itself while trading is armed and no gate refuses it; found ones only where Discovery says so.',
  },
  found: {
    changes: { discovery: { auto_place_found: true } },
    send: () => call(writeDiscoverySettings, { body: { auto_place_found: true } }),
    title: 'Place Found Opportunities Automatically',
    success: 'Found opportunities are placed automatically.',
    what: 'Every opportunity that discovery finds and that triggers is bought by itself while trading is armed and no gate refuses it.',
  },
} satisfies Record<string, Switch>;

/** Has opportunities placed automatically, all or the found ones, or tries on the past what that would have made. */
export function PlacingSwitch({ of: which }: { of: keyof typeof SWITCHES }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState<'switch' | 'rehearse'>();
  const close = () => setOpened(undefined);
  const { changes, send, title, success, what }: Switch = SWITCHES[which];
  return (
    <span className="row">
      <Button size="compact-sm" onClick={() => setOpened('switch')}>
        Switch On
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setOpened('rehearse')}>
        Rehearse
      </Button>
      <ConfirmedCall
        opened={opened === 'switch'}
        title={title}
        confirm="Switch On"
        send={send}
        onDone={() => client.invalidateQueries({ queryKey: systemStatusKey })}
        meta={{ success, failure: 'Failed to switch it on' }}
        onClose={close}
      >
        <p>{what} System Settings switches it off again.</p>
      </ConfirmedCall>
      <RehearseDialog
        opened={opened === 'rehearse'}
        onClose={close}
        changes={changes}
        notPlaced={null}
        save={{ action: 'Switch On', onSave: () => setOpened('switch') }}
      />
    </span>
  );
}
