import { fileURLToPath } from 'node:url';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './build-app.ts';
import { createPasswords } from './login/passwords.ts';
import { openSessions } from './login/sessions.ts';
import { createMetrics } from './status/metrics.ts';
import { openHub } from './stream/hub.ts';
import { serveStream } from './stream/websocket.ts';
import { openSystemSettings } from './system-settings/settings.ts';
import { ensureFirstSuperuser } from './users/first-superuser.ts';
import type { Config } from './world/config.ts';
import { openWorld } from './world/open-world.ts';
import type { World } from './world/world.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));

export type Running = { url: string; stop: () => Promise<void> };

/** What was opened is closed in the opposite order. */
type Closers = (() => void | Promise<void>)[];

/**
 * Starts everything `config` asks for, and says where it listens. When a part cannot be started, those before it are
 * stopped again and the error is thrown.
 */
export async function start(config: Config, say: (line: string) => void): Promise<Running> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { url: await startParts(config, say, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(config: Config, say: (line: string) => void, closers: Closers): Promise<string> {
  const { world, close } = await openWorld(config);
  closers.push(close);
  const venue = await openVenue(world);
  closers.push(() => venue.close());
  const settings = await openSystemSettings(world);
  closers.push(settings.stop);
  const hub = openHub(world);
  closers.push(hub.stop);

  const passwords = createPasswords();
  const madeUpPassword = await ensureFirstSuperuser(world, passwords);
  if (madeUpPassword !== null) say(`First superuser: ${config.firstSuperuser.email} with password ${madeUpPassword}`);

  const sessions = openSessions(world);
  const metrics = createMetrics();
  const feed = () => 'down' as const;
  const app = await buildApp({ world, venue, settings, sessions, passwords, metrics, feed, webFolder: WEB_FOLDER });
  closers.push(serveStream(app.http.server, world, sessions, hub));
  return listen(app.http, config, closers);
}

async function openVenue({ config, clock, dice, log }: World): Promise<Venue> {
  return openPolymarket({ ...POLYMARKET_DEFAULTS, ...config.polymarket }, { now: clock.now, random: dice.random, log });
}

async function listen(
  http: Pick<FastifyInstance, 'listen' | 'close'>,
  { host, port }: Config,
  closers: Closers,
): Promise<string> {
  closers.push(() => http.close());
  return http.listen({ host, port });
}
