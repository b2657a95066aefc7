import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type * as z from 'zod/mini';
import type { Runtime } from '../runtime/runtime.ts';
import { openSlots } from '../runtime/slots.ts';
import type { App, Guard } from './app.ts';
import { countAttempts } from './attempts.ts';
import { registerBodyParsers } from './body-parsers.ts';
import { keepCallerAddresses } from './caller-address.ts';
import { limitConnections } from './connections.ts';
import { registerDocs } from './docs.ts';
import { answerWithoutRoute, registerErrorReplies } from './error-replies.ts';
import { openOrderPriorities } from './order-priority.ts';
import { useApiWording } from './problem-wording.ts';
import { type Answer, registerRequestLog } from './request-log.ts';
import { isShared } from './route.ts';
import { registerSecurityHeaders } from './security-headers.ts';
import type { Sessions } from './signed-in.ts';
import { openSingleFlight } from './single-flight.ts';
import { registerWebPages } from './web-pages.ts';

/** Ten a second for a minute on end: no person does, and each change leaves an entry in the audit log for good. */
const WRITES_PER_USER = { count: 600, windowMs: 60_000 };
/** An order dialog follows a moving price once a second: four of them open for a minute on end. */
const VENUE_QUESTIONS_PER_USER = { count: 240, windowMs: 60_000 };
/** One screen makes up to a dozen heavy calls at once: they queue. */
const HEAVY_READS = { perUser: 3, inAll: 6, waitingPerUser: 30, waitMs: 2000 };
const BODY_BYTES_MAX = 1_000_000;
const REQUEST_WITHIN_MS = 60_000;
const HEADERS_WITHIN_MS = 10_000;
/** How often connections are held against the two limits above; unless said, that is every half minute. */
const CHECK_LATE_EVERY_MS = 1000;
/** An email in a path, percent-encoded. */
const PARAM_LENGTH_MAX = 800;

const ASKS_FOR_NOTHING: Guard = { judge: async () => {}, isMissing: async () => false };

type OpenedOn = Pick<Runtime, 'clock' | 'config' | 'log' | 'random' | 'timers' | 'databaseWatch'>;

/** The HTTP server with all that holds for every call, ready for routes to be registered on it. */
export async function openApp(
  { clock, config, log, random, timers, databaseWatch }: OpenedOn,
  sessions: Sessions,
  given: { webFolder: string; onAnswer: (answer: Answer) => void; guard?: Guard },
): Promise<App> {
  useApiWording();
  const http = fastify({
    loggerInstance: log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    genReqId: () => random.uuid(),
    // One for each call would take longer than to find its route: what is logged of a call names it by itself.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_WITHIN_MS,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: CHECK_LATE_EVERY_MS },
    return503OnClosing: false,
    frameworkErrors: answerWithoutRoute,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH_MAX },
  });
  // Requests are decoded by `route`, all parts at once; replies are encoded by their schema.
  http.setValidatorCompiler(() => () => true);
  http.setSerializerCompiler<z.core.$ZodType>((place) => onceFor(serializerCompiler(place)));
  limitConnections(http, config.trustedProxies);
  keepCallerAddresses(http, config);
  registerRequestLog(http, given.onAnswer);
  registerErrorReplies(http);
  registerSecurityHeaders(http, config);
  await registerBodyParsers(http);
  await registerDocs(http);
  await registerWebPages(http, given.webFolder, config.paper);
  const writes = config.rateLimit ? countAttempts(clock, WRITES_PER_USER) : null;
  const venueQuestions = config.rateLimit ? countAttempts(clock, VENUE_QUESTIONS_PER_USER) : null;
  return {
    http,
    sessions,
    reads: openSingleFlight(),
    writes,
    venueQuestions,
    heavyReads: config.rateLimit
      ? { list: openSlots(timers, HEAVY_READS), file: openSlots(timers, HEAVY_READS) }
      : null,
    orderPriorities: openOrderPriorities({ clock, config }),
    guard: given.guard ?? ASKS_FOR_NOTHING,
    databaseWatch,
  };
}

/** An answer that several callers share is encoded once. */
function onceFor(encode: (answer: unknown) => string): (answer: unknown) => string {
  const encoded = new WeakMap<object, string>();
  return (answer) => {
    if (typeof answer !== 'object' || answer === null || !isShared(answer)) return encode(answer);
    const text = encoded.get(answer) ?? encode(answer);
    encoded.set(answer, text);
    return text;
  };
}
