import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './app.ts';

/**
 * One line for each answer. The route stands for the address: parameters may be emails, queries may be secrets. Each
 * answer carries the id under which it was logged.
 */
export function registerRequestLog(http: HttpServer, onAnswer: (answer: Answer) => void): void {
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const answer = {
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      elapsedMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    onAnswer(answer);
    request.log[answer.status < 400 ? 'debug' : 'info']({ reqId: request.id, ...answer }, 'Answered');
    done();
  });
}

export type Answer = { method: string; route: string; status: number; elapsedMs: number };

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
}
