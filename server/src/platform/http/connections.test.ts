import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { limitConnections } from './connections.ts';

async function served(trustedProxies: readonly string[], perAddress: number) {
  const server = createServer((_request, reply) => reply.end('served'));
  limitConnections({ server }, trustedProxies, perAddress);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open: Socket[] = [];
  return {
    /** A connection that sends nothing. */
    silent: async () => {
      const socket = connect(port, '127.0.0.1');
      open.push(socket);
      await once(socket, 'connect');
      return socket;
    },
    ask: (from: string) =>
      new Promise<string>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: from });
        open.push(socket);
        let said = '';
        socket.on('data', (data) => {
          said += String(data);
        });
        socket.on('error', () => resolve('refused'));
        socket.on('close', () => resolve(said === '' ? 'refused' : said.slice(-6)));
        socket.write('GET / HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n');
      }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

it('refuses an address that holds many connections open, and no other, until it closes one', async () => {
  await using desk = await served([], 20);
  const silent = await Promise.all(Array.from({ length: 20 }, desk.silent));
  expect(await desk.ask('127.0.0.1')).toBe('refused');
  expect(await desk.ask('127.0.0.2')).toBe('served');
  silent[0]?.destroy();
  await expect.poll(() => desk.ask('127.0.0.1')).toBe('served');
});

it('counts nothing that a trusted proxy brings', async () => {
  await using desk = await served(['127.0.0.1'], 20);
  await Promise.all(Array.from({ length: 25 }, desk.silent));
  expect(await desk.ask('127.0.0.1')).toBe('served');
});
