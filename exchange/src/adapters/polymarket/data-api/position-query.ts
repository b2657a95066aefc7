import { z } from 'zod';
import type { PositionRow } from './position-row.ts';

const PAGE_DEFAULT = 100;
const PAGE_MAX = 1_000;
const CONDITIONS_MAX = 20;

/** `REDEEMABLE_LOST` and `MERGEABLE` only narrow down: no row is called so. */
const status = z.enum(['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST', 'MERGEABLE', 'CLOSED']);
const sortBy = z.enum(['CURRENT_VALUE', 'PRICE', 'TOKENS', 'UNREALIZED_PNL', 'REALIZED_PNL', 'TOTAL_PNL', 'TIMESTAMP']);
const sortDirection = z.enum(['ASC', 'DESC']);

type Status = z.infer<typeof status>;
type SortBy = z.infer<typeof sortBy>;

const SORT_FIELDS = {
  CURRENT_VALUE: 'current_value',
  PRICE: 'current_price',
  TOKENS: 'current_size',
  UNREALIZED_PNL: 'unrealized_pnl',
  REALIZED_PNL: 'realized_pnl',
  TOTAL_PNL: 'total_pnl',
  TIMESTAMP: 'last_event_at',
} as const satisfies Record<SortBy, keyof PositionRow>;

const query = z.object({
  user: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  condition: z
    .string()
    .transform((text) => text.toLowerCase().split(','))
    .pipe(z.array(z.string().regex(/^0x[0-9a-f]{62}([0-9a-f]{2})?$/)).max(CONDITIONS_MAX))
    .optional(),
  status: status.optional(),
  filter_type: z.enum(['TOKENS', 'CASH']).default('TOKENS'),
  filter_amount: z.coerce.number().nonnegative().default(0),
  sort_by: sortBy.optional(),
  sort_direction: sortDirection.optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
  cursor: z.string().max(1_000).optional(),
});

/** Where a walk stands: what it was begun with, and the last row that was shown. */
const walk = z.object({
  status,
  sort_by: sortBy,
  sort_direction: sortDirection,
  limit: z.int().min(1).max(PAGE_MAX),
  offset: z.int().nonnegative(),
  after: z.tuple([z.number(), z.string()]).nullable(),
});
type Walk = z.infer<typeof walk>;

export type PositionQuery = Pick<z.infer<typeof query>, 'user' | 'condition' | 'filter_type' | 'filter_amount'> & Walk;

/** Reads what is asked for, its names in snake or camel case; a text says why it cannot be answered. */
export function readPositionQuery(given: unknown): PositionQuery | string {
  const parsed = query.safeParse(inSnakeCase(given));
  if (!parsed.success) return `invalid ${parsed.error.issues[0]?.path.join('.') || 'query'}`;
  const { cursor, ...asked } = parsed.data;
  const begun = cursor === undefined ? beginning(asked) : readCursor(cursor);
  if (begun === undefined) return 'invalid cursor';
  const { user, condition, filter_type, filter_amount } = asked;
  const contradicts = (['status', 'sort_by', 'sort_direction'] as const).find(
    (name) => asked[name] !== undefined && asked[name] !== begun[name],
  );
  if (contradicts !== undefined) return `${contradicts} contradicts the cursor`;
  return { user, ...(condition === undefined ? {} : { condition }), filter_type, filter_amount, ...begun };
}

/**
 * One page of the rows that are wanted, and how to go on behind it.
 * @param most a page may be shorter than was asked for
 */
export function positionPage(rows: readonly PositionRow[], asked: PositionQuery, most: number) {
  const { limit, offset } = asked;
  const left = sorted(
    rows.filter((row) => isWanted(row, asked)),
    asked,
  );
  const data = left.slice(0, Math.min(limit, most));
  const last = data.at(-1);
  const hasMore = left.length > data.length && last !== undefined;
  return {
    data,
    pagination: {
      limit,
      offset,
      has_more: hasMore,
      next_cursor: hasMore ? cursorBehind(last, { ...asked, offset: offset + data.length }) : null,
    },
  };
}

function beginning(asked: Pick<z.infer<typeof query>, 'status' | 'sort_by' | 'sort_direction' | 'limit'>): Walk {
  const { status: wanted = 'OPEN', limit } = asked;
  return {
    status: wanted,
    sort_by: asked.sort_by ?? (wanted === 'CLOSED' ? 'REALIZED_PNL' : 'CURRENT_VALUE'),
    sort_direction: asked.sort_direction ?? 'DESC',
    limit,
    offset: 0,
    after: null,
  };
}

function isWanted(row: PositionRow, { condition, status: wanted, filter_type, filter_amount }: PositionQuery): boolean {
  const size = filter_type === 'CASH' ? row.current_value : row.current_size;
  if (condition !== undefined && !condition.includes(row.condition_id.toLowerCase())) return false;
  return size >= filter_amount && hasStatus(row, wanted);
}

/** Open positions include redeemable ones, won or lost: their shares are still held. */
function hasStatus(row: PositionRow, wanted: Status): boolean {
  if (wanted === 'CLOSED') return row.status === 'CLOSED' && row.total_size > 0;
  if (wanted === 'MERGEABLE') return row.status === 'OPEN' && row.mergeable;
  if (wanted === 'REDEEMABLE_LOST') return row.redeemable && row.current_price === 0;
  return wanted === 'REDEEMABLE' ? row.redeemable : row.status !== 'CLOSED';
}

/** The rows behind the cursor, in order; equal ones by their token. */
function sorted(rows: readonly PositionRow[], asked: PositionQuery): PositionRow[] {
  const { after, sort_by, sort_direction } = asked;
  const sign = sort_direction === 'ASC' ? 1 : -1;
  const placeOf = (row: PositionRow): Place => [row[SORT_FIELDS[sort_by]], row.token_id];
  const compare = (a: Place, b: Place) => sign * (a[0] - b[0]) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
  return rows
    .filter((row) => after === null || compare(placeOf(row), after) > 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)));
}

type Place = readonly [value: number, tokenId: string];

function cursorBehind(row: PositionRow, { status: wanted, sort_by, sort_direction, limit, offset }: Walk): string {
  const after: Walk['after'] = [row[SORT_FIELDS[sort_by]], row.token_id];
  const next: Walk = { status: wanted, sort_by, sort_direction, limit, offset, after };
  return Buffer.from(JSON.stringify(next)).toString('base64url');
}

function readCursor(text: string): Walk | undefined {
  try {
    return walk.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}

function inSnakeCase(given: unknown): Record<string, unknown> {
  const entries = Object.entries(given ?? {}).map(([name, value]): [string, unknown] => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^condition_id$/, 'condition'),
    value,
  ]);
  return Object.fromEntries(entries);
}
