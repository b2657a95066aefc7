import { STATUS_CODES } from 'node:http';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseDown } from '../database/database-down.ts';
import { READ_WITHIN_MS, tookTooLong } from '../database/driver-errors.ts';
import type { HttpServer } from './app.ts';
import { DatabaseSilent, Refusal, VenueSilent } from './errors.ts';
import { HEADERS_WITHOUT_ROUTE } from './security-headers.ts';

/** Makes `{detail}` of what a call throws. An unexpected error is logged with the request's id and not shown. */
export function registerErrorReplies(http: HttpServer): void {
  http.setErrorHandler(async (error: Error, request, reply) => {
    const refusal = refusalFor(error);
    // The log says once that the database is silent, not at every call.
    if (refusal.status >= 500 && !(error instanceof DatabaseSilent)) logFailure(request, error);
    return sendRefusal(reply, refusal);
  });
}

/** Answers an address that cannot be read or is too long: no hook has run for it. */
export function answerWithoutRoute(error: FastifyError, _: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFor(error);
  sendRefusal(reply, new Refusal(refusal.status, refusal.detail, HEADERS_WITHOUT_ROUTE));
}

export function sendRefusal(reply: FastifyReply, { status, detail, headers, more }: Refusal): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send({ detail, ...more });
}

function logFailure(request: FastifyRequest, error: Error): void {
  request.log.error({ reqId: request.id, err: error, route: request.routeOptions.url }, 'API call failed');
}

const TOOK_TOO_LONG = `The database has not found this within ${READ_WITHIN_MS / 1000} s, and looks no further. Ask for less: fewer days, a narrower filter or an earlier page.`;

const FRAMEWORK_REFUSALS: Record<string, [status: number, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'Request Entity Too Large'],
  FST_REQ_FILE_TOO_LARGE: [413, 'Request Entity Too Large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Unsupported Media Type'],
};

function refusalFor(error: Error | FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof VenueUnavailable) return new VenueSilent(error);
  if (isDatabaseDown(error)) return new DatabaseSilent();
  if (tookTooLong(error)) return new Refusal(503, TOOK_TOO_LONG);
  const code = 'code' in error ? error.code : '';
  const known = FRAMEWORK_REFUSALS[code];
  if (known) return new Refusal(...known);
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new Refusal(422, [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  const expected = status >= 400 && status < 500;
  return expected
    ? new Refusal(status, STATUS_CODES[status] ?? 'Bad Request')
    : new Refusal(500, 'Internal Server Error');
}
