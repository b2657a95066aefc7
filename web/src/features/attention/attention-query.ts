import { readAttention } from '@dutchbook/contract/attention.ts';
import { callQuery } from '../../calls/call-query.ts';

const FRESH_MS = 60_000;

/** What the person has chosen; read when something happens that it may be about. */
export const attentionQuery = callQuery(['attention'], readAttention, {}, { staleTime: FRESH_MS });
