import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

type Connect = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Paths at which a connection may become a stream; any other is broken off. */
export class Upgrades {
  readonly #byPath = new Map<string, Connect>();

  constructor(app: FastifyInstance) {
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const connect = this.#byPath.get(request.url?.split('?', 1)[0] ?? '');
      if (connect === undefined) socket.destroy();
      else connect(request, socket, head);
    });
  }

  at(path: string, connect: Connect): void {
    this.#byPath.set(path, connect);
  }
}
