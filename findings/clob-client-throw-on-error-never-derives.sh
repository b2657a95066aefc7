#!/usr/bin/env bash
# @polymarket/clob-client-v2: createOrDeriveApiKey with throwOnError.
#
# One would guess: with throwOnError a client throws where it used to answer errors as values, and createOrDeriveApiKey still
#   derives the key that exists when the venue refuses to create a second one.
# Really: with throwOnError the refusal of the first call is thrown, and the second call is never made. A client set up so works for a
#   new account and fails for every account that has a key. Without the option the key is derived.
# Seen with @polymarket/clob-client-v2 1.1.0 and viem 2.57.1 on 2026-11-28. The venue is a local server that answers as the venue does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @polymarket/clob-client-v2@1.1.0 viem@2.57.1 >/dev/null
cat > look.mjs <<'JS'
import { createServer } from 'node:http';
import { ClobClient } from '@polymarket/clob-client-v2';
import { createWalletClient, custom } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const asked = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.setHeader('content-type', 'application/json');
  if (request.method === 'POST') response.writeHead(400).end(JSON.stringify({ error: 'Could not create api key' }));
  else response.end(JSON.stringify({ apiKey: 'kept', secret: 'c2VjcmV0', passphrase: 'phrase' }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const transport = custom({ request: async () => null });
const signer = createWalletClient({ account: privateKeyToAccount(generatePrivateKey()), transport });
const host = `http://127.0.0.1:${server.address().port}`;
for (const throwOnError of [false, true]) {
  asked.length = 0;
  const client = new ClobClient({ host, chain: 137, signer, throwOnError });
  const outcome = await client.createOrDeriveApiKey().then(({ key }) => `key ${key}`, () => 'thrown');
  process.stdout.write(`throwOnError ${throwOnError}: ${outcome}; asked ${asked.join(', ')}\n`);
}
server.close();
server.closeAllConnections();
JS
seen=$(node look.mjs 2>/dev/null)
printf '%s\n' "$seen"
expected='throwOnError false: key kept; asked POST /auth/api-key, GET /auth/derive-api-key
throwOnError true: thrown; asked POST /auth/api-key'
[ "$seen" = "$expected" ] || { echo 'This is not what was seen before.' >&2; exit 1; }
