import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Endpoint, Heavy } from '@dutchbook/contract/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DatabaseWatch } from '../runtime/runtime.ts';
import type { Slots } from '../runtime/slots.ts';
import type { Attempts } from './attempts.ts';
import type { OrderPriorities } from './order-priority.ts';
import type { Sessions, SignedIn, UserRow } from './signed-in.ts';
import type { SingleFlight } from './single-flight.ts';

export type HttpServer = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger>;

/**
 * What routes are registered on: the HTTP server, who may call, what several callers read together, and how many changes
 * each user has asked for, how often each has made the venue be asked and how many heavy reads run; null where calls are not counted.
 * At last whose orders read the venue first.
 */
export type App = {
  http: HttpServer;
  sessions: Sessions;
  reads: SingleFlight;
  writes: Attempts | null;
  venueQuestions: Attempts | null;
  heavyReads: Readonly<Record<Heavy, Slots>> | null;
  orderPriorities: OrderPriorities;
  guard: Guard;
  databaseWatch: DatabaseWatch;
};

/** What is asked of the second factors of those who call. */
export type Guard = {
  /** @throws Conflict when the caller's factor is not enough for the call */
  judge: (endpoint: Pick<Endpoint, 'method' | 'stops' | 'ownAccount' | 'proven'>, signedIn: SignedIn) => Promise<void>;
  /** Whether all users are asked for one, and this user has none. */
  isMissing: (user: UserRow) => Promise<boolean>;
};
