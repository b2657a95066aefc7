#!/usr/bin/env bash
# One would guess: the official Kalshi client signs with any key that the venue accepts, RSA and Ed25519, or refuses an Ed25519 key where
# it is opened.
#
# What is really so: it is opened with an Ed25519 key without an error, also by `privateKeyPath`; calls that need no key fail as well
# as calls that need one, each with "Unsupported crypto operation", because the client signs every call and by RSA-PSS alone. No
# request reaches the venue.
# So: make an RSA key for programs that use this client, or sign by Node's own `crypto.sign(null, …)`.
#
# kalshi-typescript 3.30.0, axios 1.x as it resolves, Node 20 or later, seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund kalshi-typescript@3.30.0
cat > keys.cjs <<'JS'
const { generateKeyPairSync } = require('node:crypto');
const { createServer } = require('node:http');
const axios = require('axios').default;
const { Configuration, ExchangeApi, PortfolioApi } = require('kalshi-typescript');

let asked = 0;
const venue = createServer((_request, response) => {
  asked += 1;
  response.setHeader('content-type', 'application/json').end('{}');
});
venue.listen(0, '127.0.0.1', async () => {
  const keys = { rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }), ed25519: generateKeyPairSync('ed25519') };
  for (const [kind, { privateKey }] of Object.entries(keys)) {
    const basePath = `http://127.0.0.1:${venue.address().port}/trade-api/v2`;
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const configuration = new Configuration({ apiKey: 'k', privateKeyPem, basePath });
    const portfolio = new PortfolioApi(configuration, undefined, axios.create());
    const exchange = new ExchangeApi(configuration, undefined, axios.create());
    asked = 0;
    const outcome = (call) => call.then(() => 'answered', ({ message }) => message);
    console.log(`${kind}: balance: ${await outcome(portfolio.getBalance())}`);
    console.log(`${kind}: status: ${await outcome(exchange.getExchangeStatus())}`);
    console.log(`${kind}: requests at the venue: ${asked}`);
  }
  venue.close();
});
JS
seen=$(node keys.cjs)
echo "$seen"
expected='rsa: balance: answered
rsa: status: answered
rsa: requests at the venue: 2
ed25519: balance: Unsupported crypto operation
ed25519: status: Unsupported crypto operation
ed25519: requests at the venue: 0'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
