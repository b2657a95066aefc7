import { useQuery } from '@tanstack/react-query';
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback } from 'react';
import { currentUserQuery } from '../../../features/session/current-user.ts';
import { SignOffs } from '../../../features/sign-offs/sign-offs-page.tsx';
import { pageFrom } from '../../../lists/list-search.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

type Search = { page?: number };

export const Route = createFileRoute('/_shell/admin/sign-offs')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Search & SearchSchemaInput): Search => raw,
  component: SignOffsPage,
});

/** For all users: one who is no superuser finds here what they asked for themselves. */
function SignOffsPage() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onPage = useCallback((next: number) => void navigate({ search: next === 1 ? {} : { page: next } }), [navigate]);
  const { data: me } = useQuery(currentUserQuery);
  return (
    <>
      <PageHeader
        title="Sign-Offs"
        back={me?.is_superuser ? <BackLink to="/admin">Users Management</BackLink> : undefined}
      />
      {me && <SignOffs me={me} page={pageFrom(page)} onPage={onPage} />}
    </>
  );
}
