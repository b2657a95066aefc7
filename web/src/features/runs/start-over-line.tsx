import { giveUpStartOver } from '@dutchbook/contract/accounts/runs.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { runsKey, useRuns } from './runs-query.ts';

/** How far the account is with starting over, or why it did not; nothing otherwise. A superuser may give it up. */
export function StartOverLine() {
  const last = useRuns()?.start_over;
  const { data: me } = useQuery(currentUserQuery);
  if (!last || last.status === 'done') return null;
  const what = `Starting over with ${formatUsd(last.cash_usd)}`;
  const text = last.status === 'rejected' ? `${what} was given up, and nothing was closed` : what;
  const again = last.status === 'recorded' && last.reason !== null ? ' It is asked again every two seconds.' : '';
  return (
    <div className="row">
      <p className="hint" role="status">
        {last.reason === null ? `${text}.` : `${text}: ${last.reason}${again}`}
      </p>
      {last.may_be_given_up && me?.is_superuser === true && <GiveUp id={last.id} />}
    </div>
  );
}

function GiveUp({ id }: { id: string }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        Give Up
      </Button>
      <ConfirmedCall
        opened={opened}
        title="Give Up Starting Over"
        confirm="Give Up"
        send={() => call(giveUpStartOver, { body: { id } })}
        onDone={() => readAgain(client, [...runsKey])}
        meta={{ success: 'The old run goes on.', failure: 'Failed to give it up' }}
        onClose={() => setOpened(false)}
      >
        <p>The old run goes on as it was: nothing of it has been closed, at any venue. Trading stays disarmed.</p>
      </ConfirmedCall>
    </>
  );
}
