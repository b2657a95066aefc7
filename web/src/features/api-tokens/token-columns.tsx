import type { ApiToken } from '@dutchbook/contract/api-tokens.ts';
import { Button } from '@mantine/core';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { SCOPE_WORDS } from './token-words.ts';

/** The columns of API tokens; `owner` is one where they are those of several people. */
export function tokenColumns<Token extends ApiToken>(
  onRevoke: (token: Token) => void,
  ownerOf?: (token: Token) => string,
): readonly Column<Token>[] {
  return [
    { key: 'name', header: 'Name', cell: ({ name, prefix }) => <span title={`${prefix}…`}>{name}</span> },
    ...(ownerOf ? [{ key: 'owner', header: 'Owner', cell: ownerOf }] : []),
    { key: 'scope', header: 'Scope', cell: ({ scope }) => SCOPE_WORDS[scope] },
    { key: 'used', header: 'Last Used', cell: (token) => <LastUsed of={token} /> },
    { key: 'address', header: 'From', cell: ({ last_used_address }) => last_used_address ?? <None /> },
    { key: 'expires', header: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (token) => (
        <Button size="compact-sm" variant="default" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
    },
  ];
}

function LastUsed({ of: { last_used_at } }: { of: ApiToken }) {
  return last_used_at === null ? <span className="muted">Never</span> : <Moment at={last_used_at} />;
}

function None() {
  return <span className="muted">N/A</span>;
}
