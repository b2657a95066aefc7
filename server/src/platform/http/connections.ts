import proxyAddress from '@fastify/proxy-addr';
import type { HttpServer } from './app.ts';
import { networkOf } from './attempts.ts';

/** More than all users behind one router open; silent connections end after some seconds. */
const CONNECTIONS_PER_ADDRESS = 3000;

/** Refuses further connections of an address before the machine runs out of them. */
export function limitConnections(
  { server }: Pick<HttpServer, 'server'>,
  trustedProxies: readonly string[],
  perAddress = CONNECTIONS_PER_ADDRESS,
): void {
  // The connections of a proxy are those of all users: not limited.
  const isProxy = proxyAddress.compile([...trustedProxies]);
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address, 0)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) return void socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
