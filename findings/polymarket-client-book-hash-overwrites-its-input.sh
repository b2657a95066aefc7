#!/usr/bin/env bash
# One would guess: `getOrderBookHash(book)` works out the hash of a book, so that a client that has applied changes to a book can compare
# it with the hash that the venue sent: `(await client.getOrderBookHash(book)) === book.hash`.
#
# What is really so: the function writes its result into `book.hash` before it returns, so that this comparison holds for every book,
# whatever its levels are, and what the venue sent is gone afterwards. Writing `book.hash` on the left of the comparison reads it early
# enough; a book that is kept has lost the venue's hash all the same.
# So: keep the venue's hash aside and hand the function a copy.
#
# @polymarket/clob-client-v2 1.1.0, viem 2.57.20 (its peer), Node 20 or later, seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @polymarket/clob-client-v2@1.1.0 viem@2.57.20
cat > hash.js <<'JS'
import { ClobClient } from '@polymarket/clob-client-v2';

const client = new ClobClient({ host: 'http://127.0.0.1:1', chain: 137 });
const sent = { market: '0xa', asset_id: '1', timestamp: '1', hash: '', bids: [{ price: '0.4', size: '10' }], asks: [] };
sent.hash = await client.getOrderBookHash({ ...sent });
const missedOne = { ...sent, bids: [{ price: '0.4', size: '7' }] };

const equal = (await client.getOrderBookHash(missedOne)) === missedOne.hash;
console.log(`a book that missed a change equals its hash: ${equal}`);
console.log(`it still has the hash that the venue sent: ${missedOne.hash === sent.hash}`);
JS
seen=$(node hash.js)
echo "$seen"
expected='a book that missed a change equals its hash: true
it still has the hash that the venue sent: false'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
