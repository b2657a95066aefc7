import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a venue that can be cut. */
export interface Cable {
  readonly url: string;
  /** Ends all connections, and takes no new ones for so long. */
  cut(forMs: number): void;
  close(): Promise<void>;
}

export async function openCable(port: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  let closedUntil = 0;
  const server = createServer((client) => {
    if (Date.now() < closedUntil) {
      client.destroy();
      return;
    }
    const venue = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, venue],
      [venue, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  const cut = (forMs: number) => {
    closedUntil = Date.now() + forMs;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    close: async () => {
      cut(0);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
