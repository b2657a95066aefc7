import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Sessions, SignedIn } from '../parts.ts';
import type { Attempts } from './attempts.ts';
import type { OrderTurns } from './order-turns.ts';
import type { SingleFlight } from './single-flight.ts';

export type HttpServer = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger>;

/**
 * What routes are registered on: the HTTP server, who may call, what several callers read together, and how many changes
 * each user has asked for and how often each has made the venue be asked; null where nobody counts. At last whose orders
 * read the venue first.
 */
export type App = {
  http: HttpServer;
  sessions: Sessions;
  reads: SingleFlight;
  writes: Attempts | null;
  venueQuestions: Attempts | null;
  orderTurns: OrderTurns;
  guard: Guard;
};

/** Whether the second factor of whoever calls is enough for the call. @throws Conflict */
export type Guard = (
  endpoint: Pick<Endpoint, 'method' | 'path' | 'stops' | 'proven'>,
  signedIn: SignedIn,
) => Promise<void>;
