/** Opportunities that come from a file. */
import * as z from 'zod/mini';
import { endpoint, refusal } from '../endpoint.ts';
import { id } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { REFERENCE_MEANINGS } from '../notes/meanings.ts';

export const CSV_BYTES_MAX = 10_000_000;
export const CSV_ROWS_MAX = 50_000;
/** Markets of a file that are looked up by other names than their ids. */
export const CSV_REFERENCES_MAX = 1000;

/** How a row names a market. */
const referenceKind = explained(REFERENCE_MEANINGS, z.enum(['capitals', 'page', 'slug', 'token_id', 'gamma_id']));

const resolved = z.object({
  given: described('What the row has in place of the id.', z.string()),
  kind: referenceKind,
  market_id: z.string(),
});

const importReply = z.object({
  opportunity_ids: described('The opportunities that were created.', z.array(id)),
  duplicates: described(
    'Rows whose opportunity exists already.',
    z.array(z.object({ row: z.int(), opportunity_id: id })),
  ),
  errors: described('Rows that are wrong.', z.array(z.object({ row: z.int(), message: z.string() }))),
  unknown: described(
    'Rows that are right and name a market that the venue does not know. Those that name it by an id are stored all the same.',
    z.array(
      z.object({
        row: z.int(),
        message: z.string(),
        opportunity_id: described(
          'The opportunity that was created; left out where the row was not stored.',
          z.optional(id),
        ),
      }),
    ),
  ),
  resolved: described(
    'Which names of markets stood for which, the first hundred of them in the order of the file.',
    z.array(resolved),
  ),
  resolved_count: described('How many names stood for a market, beyond the first hundred too.', z.int()),
});
export type ImportReply = z.output<typeof importReply>;

export const importCsv = endpoint({
  method: 'POST',
  path: '/arbitrage/import-csv',
  access: 'user',
  tag: 'Arbitrage',
  summary: 'Import opportunities from a CSV file',
  refusals: [refusal(413, 'The file is larger than 10 MB.', 'The file is larger than 10 MB')],
  encoding: 'multipart',
  reply: importReply,
});
