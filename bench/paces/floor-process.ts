/** The floor: bare connections, as many as the product opens for these tokens, and each frame parsed as JSON. */
import { once } from 'node:events';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { WebSocket } from 'ws';
import { marketTokens } from '../feed/desk.ts';
import { answerReports, sideTask } from './sides.ts';

const { url, tokens } = sideTask();
const { tokensPerSocket } = POLYMARKET_DEFAULTS.stream;
const tokenIds = marketTokens(tokens);
let frames = 0;
for (let from = 0; from < tokenIds.length; from += tokensPerSocket) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.on('message', (data) => {
    if ('price_changes' in (JSON.parse(String(data)) as object)) frames += 1;
  });
  socket.send(JSON.stringify({ assets_ids: tokenIds.slice(from, from + tokensPerSocket) }));
}
answerReports(() => ({ frames, isRight: true }));
