#!/usr/bin/env bash
# One would guess: a limit price that does not lie on the market's price grid is refused, or at worst rounded so that the order is no
# worse than asked for: a buy down, a sell up. And an order of 10.999 shares is an order of 10.999 shares, as the chain counts six decimals.
#
# What is really so: `createOrder` of the official TypeScript client compares the price with the ends of the grid alone, and then rounds
# to the nearest step. A buy limited to 0.567 in a market of whole cents is signed at 0.57, a sell limited to 0.564 at 0.56: each worse
# than its limit, without an error or a warning. The size loses what is beyond two decimals without a word.
# So: put a price on the grid of its market before it reaches the client, in the direction that suits the side.
#
# @polymarket/clob-client-v2 1.1.0, viem 2.57.20, Node 20 or later, seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @polymarket/clob-client-v2@1.1.0 viem@2.57.20
cat > order.js <<'JS'
import { createServer } from 'node:http';
import { ClobClient, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

// A market of whole cents that is no part of a negative-risk event.
const answers = { '/tick-size': { minimum_tick_size: 0.01 }, '/neg-risk': { neg_risk: false } };
const venue = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://venue');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answers[pathname] ?? {}));
});
await new Promise((resolve) => venue.listen(0, '127.0.0.1', resolve));

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const signer = createWalletClient({ account, chain: polygon, transport: http('http://127.0.0.1:1') });
const client = new ClobClient({ host: `http://127.0.0.1:${venue.address().port}`, chain: 137, signer });

for (const [side, price, size] of [
  [Side.BUY, 0.567, 100],
  [Side.SELL, 0.564, 100],
  [Side.BUY, 0.56, 10.999],
]) {
  const order = await client.createOrder({ tokenID: '1', side, price, size }, { version: 2 });
  const [dollars, shares] = side === Side.BUY ? [order.makerAmount, order.takerAmount] : [order.takerAmount, order.makerAmount];
  console.log(`${side} ${size} at ${price}: signed for ${shares / 1e6} shares at ${Number((dollars / shares).toFixed(6))}`);
}
venue.close();
JS
seen=$(node order.js)
echo "$seen"
expected='BUY 100 at 0.567: signed for 100 shares at 0.57
SELL 100 at 0.564: signed for 100 shares at 0.56
BUY 10.999 at 0.56: signed for 10.99 shares at 0.56'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
