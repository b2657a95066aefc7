import { listCashMoves, readCashPockets } from '@dutchbook/contract/accounts/cash-moves.ts';
import { callQuery } from '../../calls/call-query.ts';

const READ_EVERY_MS = 2_000;
/** Moves shown; earlier ones are in the audit log. */
const SHOWN = 5;

export const cashPocketsQuery = callQuery(['cash-pockets'], readCashPockets, {}, { refetchInterval: READ_EVERY_MS });
export const cashMovesKey = ['cash-moves'];
export const cashMovesQuery = callQuery(
  cashMovesKey,
  listCashMoves,
  { query: { skip: 0, limit: SHOWN } },
  { refetchInterval: READ_EVERY_MS },
);
