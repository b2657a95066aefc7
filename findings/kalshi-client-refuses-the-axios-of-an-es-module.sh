#!/usr/bin/env bash
# One would guess: a TypeScript program in ES modules hands the official Kalshi client an axios instance of its own as the third argument,
# which the client's own signing interceptor makes necessary: without one it signs every call of the shared axios.
#
# What is really so: the package's typings are CommonJS, so that under `module: nodenext` its `AxiosInstance` is the one of axios' CommonJS
# typings, and the instance that an ES module makes is of another type: TS2345, although it works when it runs. A CommonJS program
# compiles.
# So: cast the instance (`as never`) where the client is opened.
#
# kalshi-typescript 3.30.0, axios 1.x as it resolves, TypeScript 5.9.3, Node 20 or later, seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund kalshi-typescript@3.30.0 typescript@5.9.3 @types/node@20
cat > client.mts <<'TS'
import axios from 'axios';
import { Configuration, MarketApi } from 'kalshi-typescript';

export const api = new MarketApi(new Configuration({ basePath: 'http://127.0.0.1:1' }), undefined, axios.create());
TS
cp client.mts client.cts
errors() { npx tsc --noEmit --strict --skipLibCheck --module nodenext --target es2022 "$1" | grep -o 'TS[0-9]*' | sort -u | xargs || true; }
seen="ES module: $(errors client.mts)
CommonJS: $(errors client.cts)"
echo "$seen"
expected='ES module: TS2345
CommonJS: '
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
