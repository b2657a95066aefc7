import type { User } from '@dutchbook/contract/current-user.ts';
import type { SignOff } from '@dutchbook/contract/sign-offs.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { PagedTable } from '../../lists/paged-table.tsx';
import { useReadSoon } from '../../live/read-soon.ts';
import { Panel } from '../../ui/panel.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { useSystemStatus } from '../status/system-status.ts';
import { OpenSignOff } from './open-sign-off.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { SIGN_OFF_COLUMNS } from './sign-off-columns.tsx';
import { openSignOffsQuery, PAGE_SIZE, signOffListQuery, signOffsKey } from './sign-off-queries.ts';

/** How many are open comes with the system status. */
const mayHaveChanged = ({ type }: Change) => type === 'system';

type SignOffsProps = { me: User; page: number; onPage: (page: number) => void };

/** What waits for a second person, and what has become of all that was asked for. */
export function SignOffs({ me, page, onPage }: SignOffsProps) {
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: signOffsKey }), [client]);
  useReadSoon(mayHaveChanged, readAgain);
  const { asked, ask, close } = useAsked<SignOff>();
  // As high as what comes, so that what stands below stays where it is.
  const open = useSystemStatus()?.open_sign_offs ?? 0;
  return (
    <div className="stack">
      <Panel title="Open">
        <Loaded of={useQuery(openSignOffsQuery)} text="Error loading the open sign-offs" height={open > 0 ? 120 : 22}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="hint">Nothing waits for a second person.</p>
            ) : (
              <ul className="stack" aria-label="Open sign-offs">
                {data.map((signOff) => (
                  <OpenSignOff key={signOff.id} signOff={signOff} me={me} onReject={ask} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <Panel title="All">
        <PagedTable
          label="Sign-offs"
          failure="Error loading the sign-offs"
          query={useQuery(signOffListQuery(page))}
          columns={SIGN_OFF_COLUMNS}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={onPage}
          empty={<p className="hint">Nothing has been asked of a second person yet.</p>}
        />
      </Panel>
      {asked && <RejectDialog opened={asked.opened} signOff={asked.about} onClose={close} />}
    </div>
  );
}
