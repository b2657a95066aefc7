#!/usr/bin/env bash
# One would guess: `new RealTimeDataClient({ autoReconnect: false })` stays closed once the server has closed it, so that a program can
# wait, report or read again what it has missed before it connects.
#
# What is really so: the option is read as `autoReconnect || true`, so that `false` means `true`, and the client connects again at once.
# Its field `autoReconnect`, private in the typings, decides; `disconnect()` clears it.
# So: clear it after opening (`Reflect.set(client, 'autoReconnect', false)`), and open again by a wait of one's own.
#
# @polymarket/real-time-data-client 1.4.0, ws 8.18.3, Node 20 or later, seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @polymarket/real-time-data-client@1.4.0 ws@8.18.3
cat > closed.cjs <<'JS'
const { RealTimeDataClient } = require('@polymarket/real-time-data-client');
const WebSocket = require('ws');

const server = new WebSocket.Server({ port: 0, host: '127.0.0.1' });
let connections = 0;
server.on('connection', (socket) => {
  connections += 1;
  if (connections === 1) socket.close(1000, 'over');
});
server.on('listening', () => {
  const host = `ws://127.0.0.1:${server.address().port}`;
  const client = new RealTimeDataClient({ host, autoReconnect: false }).connect();
  setTimeout(() => {
    console.log(`connections with autoReconnect false, closed once: ${connections}`);
    client.disconnect();
    server.close();
  }, 2_000);
});
JS
seen=$(node closed.cjs 2>/dev/null)
echo "$seen"
[ "$seen" = 'connections with autoReconnect false, closed once: 2' ] || { echo 'This has changed.' >&2; exit 1; }
