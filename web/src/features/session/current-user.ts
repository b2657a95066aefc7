import { readMe } from '@dutchbook/contract/current-user.ts';
import { callQuery } from '../../calls/call-query.ts';

export const currentUserQuery = callQuery(['currentUser'], readMe, {}, { staleTime: 60_000 });
