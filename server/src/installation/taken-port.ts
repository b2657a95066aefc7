/** Whether another program listens where the product is to. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The address cannot be listened on. */
export class TakenPort extends Error {
  override readonly name = 'TakenPort';
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: end it, or set PORT to another, as 8001',
  EACCES: 'this user may not listen there: set PORT to 1024 or above',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST to one of its own',
};

/**
 * Asked before anything is made, as the password of the first superuser, which is printed once.
 *
 * @throws TakenPort
 */
export async function refuseTakenPort({ host, port }: { host: string; port: number }): Promise<void> {
  const probe = createServer();
  try {
    const listening = once(probe, 'listening');
    probe.listen({ host, port });
    await listening;
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? WHY[String(error.code)] : undefined;
    if (why === undefined) throw error;
    throw new TakenPort(`PORT ${port} of ${host}: ${why}.`);
  } finally {
    probe.close();
  }
}
