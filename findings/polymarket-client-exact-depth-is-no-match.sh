#!/usr/bin/env bash
# One would guess: where a book offers exactly the dollars that a fill-or-kill market order spends, the official client finds the price
# of the last level that it needs.
#
# What is really so: `calculateMarketPrice` adds up the levels in binary floating point, so that one share at 0.10 and one at 0.70 are
# 0.7999999999999999 dollars, less than the 0.80 asked for. A fill-or-kill order then ends with "no match" although the book fills it; with
# a deeper book the price of one more level is answered, 0.80 for dollars that 0.70 buys.
# So: add up depth in whole micro-dollars, and give the client the price.
#
# @polymarket/clob-client-v2 1.1.0, viem 2.57.20 (its peer), Node 20 or later, seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @polymarket/clob-client-v2@1.1.0 viem@2.57.20
cat > depth.js <<'JS'
import { createServer } from 'node:http';
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';

// Asks come with the best one last.
const level = (price) => ({ price, size: '1' });
const books = { exact: [level('0.7'), level('0.1')], deeper: [level('0.8'), level('0.7'), level('0.1')] };
const venue = createServer((request, response) => {
  const token = new URL(request.url, 'http://venue').searchParams.get('token_id');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ asset_id: token, bids: [], asks: books[token] }));
});
await new Promise((resolve) => venue.listen(0, '127.0.0.1', resolve));
const client = new ClobClient({ host: `http://127.0.0.1:${venue.address().port}`, chain: 137 });

for (const book of ['exact', 'deeper']) {
  const price = await client.calculateMarketPrice(book, Side.BUY, 0.8, OrderType.FOK).catch(({ message }) => message);
  console.log(`${book}: 0.80 dollars, fill or kill: ${price}`);
}
venue.close();
JS
seen=$(node depth.js)
echo "$seen"
expected='exact: 0.80 dollars, fill or kill: no match
deeper: 0.80 dollars, fill or kill: 0.8'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
