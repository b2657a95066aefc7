/** The account of paper trading: its money is not real, so that a superuser hands it out. */
import * as z from 'zod/mini';
import { endpoint, refusal } from './endpoint.ts';
import { described, explained } from './notes/described.ts';

const USD_MIN = 0.01;
const USD_MAX = 1_000_000_000;

export const paperTransferForm = z.object({
  kind: described(
    'Which way the dollars go.',
    explained({ deposit: 'dollars come', withdrawal: 'dollars go' }, z.enum(['deposit', 'withdrawal'])),
  ),
  usd: described(
    'How many dollars.',
    z
      .number('Amount must be a number')
      .check(
        z.minimum(USD_MIN, `Amount must be at least ${USD_MIN}`),
        z.maximum(USD_MAX, `Amount must be at most ${USD_MAX}`),
      ),
  ),
});

export const transferOnPaper = endpoint({
  method: 'POST',
  path: '/ledger/paper-transfers',
  access: 'superuser',
  tag: 'Ledger',
  summary:
    'Deposits dollars into the account of paper trading, or withdraws them; the ledger enters them as they arrive',
  refusals: [
    refusal(404, 'Nothing is on paper.', 'Only the account of paper trading can be changed'),
    refusal(409, 'The account has less.', 'The account has $12.50'),
    refusal(503, 'The exchange does not answer.', 'The simulated exchange does not answer'),
  ],
  body: paperTransferForm,
  reply: z.object({ message: z.string() }),
});
