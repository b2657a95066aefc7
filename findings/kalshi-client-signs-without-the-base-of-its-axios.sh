#!/usr/bin/env bash
# One would guess: the official Kalshi client signs the path that it asks for, also where it is given an axios instance with a `baseURL`,
# as the generated code provides for (its request functions leave their own base away where the instance has one).
#
# What is really so: the interceptor that signs works the path out from the URL before axios puts `baseURL` in front of it. With a
# `baseURL` that ends in the venue's `/trade-api/v2` the client asks for `/trade-api/v2/portfolio/balance` and signs
# `/portfolio/balance`, which the venue answers with 401, although key and clock are right.
# So: give the base to `Configuration.basePath` alone, and an axios instance without a `baseURL`.
#
# kalshi-typescript 3.30.0, axios 1.x as it resolves, Node 20 or later, seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund kalshi-typescript@3.30.0
cat > signed.cjs <<'JS'
const { constants, generateKeyPairSync, verify } = require('node:crypto');
const { createServer } = require('node:http');
const axios = require('axios').default;
const { Configuration, PortfolioApi } = require('kalshi-typescript');

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PATHS = ['/trade-api/v2/portfolio/balance', '/portfolio/balance'];
const options = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const venue = createServer(({ headers, method, url }, response) => {
  const signature = Buffer.from(headers['kalshi-access-signature'], 'base64');
  const text = (path) => Buffer.from(`${headers['kalshi-access-timestamp']}${method}${path}`);
  const signed = PATHS.find((path) => verify('sha256', text(path), options, signature));
  console.log(`  asked for ${url}, signed ${signed}`);
  response.setHeader('content-type', 'application/json').end('{}');
});
venue.listen(0, '127.0.0.1', async () => {
  const basePath = `http://127.0.0.1:${venue.address().port}/trade-api/v2`;
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const configuration = new Configuration({ apiKey: 'k', privateKeyPem, basePath });
  console.log('axios without a base:');
  await new PortfolioApi(configuration, undefined, axios.create()).getBalance();
  console.log('axios with the base:');
  await new PortfolioApi(configuration, undefined, axios.create({ baseURL: basePath })).getBalance();
  venue.close();
});
JS
seen=$(node signed.cjs)
echo "$seen"
expected='axios without a base:
  asked for /trade-api/v2/portfolio/balance, signed /trade-api/v2/portfolio/balance
axios with the base:
  asked for /trade-api/v2/portfolio/balance, signed /portfolio/balance'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
