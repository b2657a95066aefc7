import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Sessions } from '../login/sessions.ts';

export type HttpServer = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger>;

/** What routes are registered on: the HTTP server and who may call. */
export type App = { http: HttpServer; sessions: Sessions };
