import { API_TOKENS_PER_USER, type ApiToken, type ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import type { Role, User } from '@dutchbook/contract/current-user.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';
import { ownTokensQuery } from './token-queries.ts';

const SCOPES: Record<Role, readonly ApiTokenScope[]> = {
  viewer: ['read'],
  operator: ['read', 'trade'],
  superuser: ['read', 'trade', 'admin'],
};

/** The own API tokens: made, shown once, revoked. */
export function TokensPanel({ user }: { user: User }) {
  const read = useQuery(ownTokensQuery);
  const [making, setMaking] = useState(false);
  const { asked, ask, close } = useAsked<ApiToken>();
  const columns = useMemo(() => tokenColumns<ApiToken>(ask), [ask]);
  return (
    <div className="stack">
      <p>
        Scripts call with a token in place of a login, as the{' '}
        <a href="/docs" style={{ textDecoration: 'underline' }}>
          documentation
        </a>{' '}
        shows. A new password revokes all of them.
      </p>
      <Loaded of={read} text="Error loading the API tokens" height={160}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <p className="hint">You have no API tokens.</p>
            ) : (
              <DataTable label="API Tokens" columns={columns} rows={data} />
            )}
            <Button
              style={{ justifySelf: 'end' }}
              disabled={data.length >= API_TOKENS_PER_USER}
              onClick={() => setMaking(true)}
            >
              New Token
            </Button>
          </>
        )}
      </Loaded>
      <NewTokenDialog opened={making} scopes={SCOPES[user.role]} onClose={() => setMaking(false)} />
      {asked && <RevokeDialog opened={asked.opened} token={asked.about} of="me" onClose={close} />}
    </div>
  );
}
