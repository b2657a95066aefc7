import { writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
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

const ON = { auto_place_found: true } as const;

/** Has found opportunities placed automatically, or tries on the past what that would have made. */
export function FoundSwitch() {
  const client = useQueryClient();
  const [opened, setOpened] = useState<'switch' | 'rehearse'>();
  const close = () => setOpened(undefined);
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
        title="Place Found Opportunities Automatically"
        confirm="Switch On"
        send={() => call(writeDiscoverySettings, { body: ON })}
        onDone={() => client.invalidateQueries({ queryKey: systemStatusKey })}
        meta={{ success: 'Found opportunities are placed automatically.', failure: 'Failed to switch it on' }}
        onClose={close}
      >
        <p>
          Every opportunity that discovery finds and that triggers is bought by itself while trading is armed and no
          gate refuses it. System Settings switches it off again.
        </p>
      </ConfirmedCall>
      <RehearseDialog
        opened={opened === 'rehearse'}
        onClose={close}
        changes={{ discovery: ON }}
        notPlaced={null}
        save={{ action: 'Switch On', onSave: () => setOpened('switch') }}
      />
    </span>
  );
}
