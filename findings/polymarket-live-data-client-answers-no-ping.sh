#!/usr/bin/env bash
# One would guess: the official client of Polymarket's live data stream answers the ping frames of a server by pong frames, as every
# WebSocket client does by itself, and sends its own text "ping" every `pingInterval`.
#
# What is really so (in Node, where its socket is one of `ws`): the client means to listen for pongs and assigns its handler to
# `socket.pong`, which is the function by which `ws` answers a ping. So no ping of a server is ever answered, and each brings the text
# "ping" after `pingInterval` instead; where the server sends no ping frames, the client's own "ping" is sent once and never again. A
# server that closes silent connections closes this one.
# So: give the open socket its own `pong` back (`delete client.ws.pong`), and send "ping" from a timer of one's own.
#
# @polymarket/real-time-data-client 1.4.0, ws 8.18.3, Node 20 or later, seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @polymarket/real-time-data-client@1.4.0 ws@8.18.3
cat > pings.cjs <<'JS'
const { RealTimeDataClient } = require('@polymarket/real-time-data-client');
const WebSocket = require('ws');

const PING_INTERVAL_MS = 50;
const WATCHED_MS = 2_000;

async function watch(name, open, serverPings) {
  const seen = { pongs: 0, texts: 0 };
  const server = new WebSocket.Server({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    socket.on('pong', () => { seen.pongs += 1; });
    socket.on('message', () => { seen.texts += 1; });
    if (serverPings) socket.ping();
  });
  await new Promise((resolve) => server.on('listening', resolve));
  const close = open(`ws://127.0.0.1:${server.address().port}`);
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
  close();
  server.close();
  console.log(`${name}: pongs ${seen.pongs}, texts ${seen.texts}`);
}

const plain = (host) => { const socket = new WebSocket(host); return () => socket.close(); };
const official = (host) => {
  const client = new RealTimeDataClient({ host, pingInterval: PING_INTERVAL_MS }).connect();
  return () => client.disconnect();
};
(async () => {
  await watch('plain ws, server pings once', plain, true);
  await watch('official, server pings once', official, true);
  await watch('official, server sends no ping', official, false);
})();
JS
seen=$(node pings.cjs 2>/dev/null)
echo "$seen"
expected='plain ws, server pings once: pongs 1, texts 0
official, server pings once: pongs 0, texts 2
official, server sends no ping: pongs 0, texts 1'
[ "$seen" = "$expected" ] || { echo 'This has changed.' >&2; exit 1; }
