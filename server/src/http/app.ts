import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Sessions } from '../login/sessions.ts';
import type { SharedReads } from './shared-reads.ts';

export type HttpServer = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger>;

/** What routes are registered on: the HTTP server, who may call, and what several callers read together. */
export type App = { http: HttpServer; sessions: Sessions; reads: SharedReads };
