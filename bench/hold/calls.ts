/** Calls other than uploads that ask for much: the largest bodies, forms and lists that there may be. */
import { SEARCHED } from './gamma.ts';

export type Call = { name: string; path: string; method?: string; body?: string; type?: string };

/** A body that is a little below the megabyte which is allowed. */
const BODY_SIZE = 999_000;
const OPPORTUNITIES = '/arbitrage/opportunities';
const SIGN_IN = '/login/access-token';
const IMPORT = '/arbitrage/import-csv';
const BOUNDARY = 'bbbbbbbbbb';

const ALL_ORDERS = '/arbitrage/orders?limit=1000&group_by_batch=true&include_batch_summary=true';
const LISTS: readonly [name: string, path: string][] = [
  ['1,000 opportunities of 50 positions', `${OPPORTUNITIES}?limit=1000`],
  ['1,000 batches of 50 orders', '/arbitrage/batches?limit=1000'],
  ['1,000 orders', '/arbitrage/orders?limit=1000'],
  ['the orders of 1,000 batches', ALL_ORDERS],
  ['1,000 notifications of 8 KB', '/notifications/records?limit=1000'],
  ['1,000 items', '/items/?limit=1000'],
  ['1,000 entries of the audit log', '/audit-log/?limit=1000'],
  ['export of the audit log', '/audit-log/export'],
  ['export of 2,000 opportunities', '/arbitrage/export-csv'],
  ['search of 100,000 markets', `/markets?search=${encodeURIComponent(SEARCHED)}`],
  ['the API document', '/openapi.json'],
];

const BODIES: readonly [name: string, body: string][] = [
  ['numbers', filled('[', '0,', '0]')],
  ['empty positions', filled('{"market_combinations":[{"leg":1,"markets":[', '{},', '{}]}]}')],
  ['many keys', `{${Array.from({ length: 90_000 }, (_, key) => `"${key}x":0`).join(',')}}`],
  ['lists in lists', '['.repeat(BODY_SIZE / 2) + ']'.repeat(BODY_SIZE / 2)],
  ['one long text', filled('{"title":"', 'a', '"}')],
];

const UPLOADS: readonly [name: string, body: string][] = [
  ['of empty parts', `--${BOUNDARY}\r\n\r\n\r\n`.repeat(500_000)],
  ['of headers', `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(1_600_000)}`],
  ['of almost its boundary', fileOf(`\r\n--${BOUNDARY.slice(1)}`)],
];

export const HARD_CALLS: readonly Call[] = [
  ...BODIES.map(([name, body]) => ({ name: `a body of ${name}`, path: OPPORTUNITIES, method: 'POST', body })),
  {
    name: 'a form of many fields',
    path: SIGN_IN,
    method: 'POST',
    body: filled('', 'a&', ''),
    type: 'application/x-www-form-urlencoded',
  },
  ...UPLOADS.map(([name, body]) => ({
    name: `upload ${name}`,
    path: IMPORT,
    method: 'POST',
    body,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  })),
  ...LISTS.map(([name, path]) => ({ name, path })),
  { name: 'check of the audit log', path: '/audit-log/verify', method: 'POST' },
  { name: 'computing 2,000 hashes', path: `${OPPORTUNITIES}/update-content-hashes`, method: 'POST' },
];

function filled(head: string, piece: string, tail: string): string {
  return head + piece.repeat(Math.floor((BODY_SIZE - head.length - tail.length) / piece.length)) + tail;
}

function fileOf(piece: string): string {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n`;
  return `${head}${piece.repeat(9_900_000 / piece.length)}\r\n--${BOUNDARY}--\r\n`;
}
