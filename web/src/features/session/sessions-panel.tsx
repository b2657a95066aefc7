import { endOtherSessions, endSession, listSessions, type OpenSession } from '@dutchbook/contract/sessions.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { deviceWords } from './device-words.ts';

const KEY = ['sessions'];

/** Where the own account is signed in, and how to end that. */
export function SessionsPanel() {
  const client = useQueryClient();
  const read = useQuery(callQuery(KEY, listSessions, {}));
  const onSuccess = () => client.invalidateQueries({ queryKey: KEY });
  const endOne = useSingleMutation({
    mutationFn: (session_id: string) => call(endSession, { params: { session_id } }),
    onSuccess,
    meta: { success: 'The session has ended.', failure: 'Failed to end the session' },
  });
  const endOthers = useSingleMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess,
    meta: { success: 'All other sessions have ended.', failure: 'Failed to end the other sessions' },
  });
  return (
    <div className="stack">
      <p>
        A session ends by itself a day after it was last used, and after thirty days. End what you do not know, and
        change your password.
      </p>
      <Loaded of={read} text="Error loading the sessions" height={160}>
        {({ data }) => (
          <>
            <DataTable label="Sessions" columns={columnsOf((id) => endOne.start(id), endOne.isPending)} rows={data} />
            <Button
              variant="outline"
              color="red"
              style={{ justifySelf: 'end' }}
              disabled={data.length < 2}
              loading={endOthers.isPending}
              onClick={() => endOthers.start()}
            >
              End All Others
            </Button>
          </>
        )}
      </Loaded>
    </div>
  );
}

function columnsOf(onEnd: (id: string) => void, isEnding: boolean): readonly Column<OpenSession>[] {
  return [
    { key: 'device', header: 'Device', cell: ({ device }) => <span title={device}>{deviceWords(device)}</span> },
    { key: 'address', header: 'Address', cell: ({ address }) => address },
    { key: 'seen', header: 'Last Seen', cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
    { key: 'started', header: 'Logged In', cell: ({ started_at }) => <Moment at={started_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: ({ id, current, device }) =>
        current ? (
          <StatusBadge tone="success">This one</StatusBadge>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isEnding}
            aria-label={`End the session of ${deviceWords(device)}`}
            onClick={() => onEnd(id)}
          >
            End
          </Button>
        ),
    },
  ];
}
