import type { OwnedApiToken } from '@dutchbook/contract/api-tokens.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PagedTable } from '../../lists/paged-table.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';
import { allTokensQuery, PAGE_SIZE } from './token-queries.ts';

type AllTokensProps = { page: number; onPage: (page: number) => void };

/** The API tokens of all users, the newest first. */
export function AllTokens({ page, onPage }: AllTokensProps) {
  const { asked, ask, close } = useAsked<OwnedApiToken>();
  const columns = useMemo(() => tokenColumns<OwnedApiToken>(ask, ({ owner }) => owner), [ask]);
  return (
    <>
      <PagedTable
        label="API Tokens"
        failure="Error loading the API tokens"
        query={useQuery(allTokensQuery(page))}
        columns={columns}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        empty={<p className="hint">There are no API tokens.</p>}
      />
      {asked && <RevokeDialog opened={asked.opened} token={asked.about} of="any user" onClose={close} />}
    </>
  );
}
