import { CSV_BYTES_MAX } from '@dutchbook/contract/opportunities/import-csv.ts';
import multipart from '@fastify/multipart';
import type { HttpServer } from './app.ts';
import { Refusal } from './errors.ts';
import { holdsMoreValuesThan } from './json-size.ts';

/** More than any call needs: an opportunity of fifty positions holds 300, the data of a notification at most 4,100. */
const JSON_VALUES_MAX = 5000;
/** Signing in is the one call that takes a form. */
const FORM_BYTES_MAX = 16_384;

/** Bodies may be JSON (or nothing), a form, or one uploaded file. */
export async function registerBodyParsers(http: HttpServer): Promise<void> {
  const parseJson = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined);
    if (holdsMoreValuesThan(JSON_VALUES_MAX, body)) return done(TOO_MANY_VALUES, undefined);
    return parseJson(request, body, done);
  });
  http.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  await http.register(multipart, {
    limits: { files: 1, fileSize: CSV_BYTES_MAX, fields: 5, fieldSize: 1000, parts: 6, headerPairs: 50 },
  });
}

const TOO_MANY_VALUES = new Refusal(422, [
  { loc: ['body'], msg: `Holds more than ${JSON_VALUES_MAX.toLocaleString('en-US')} values`, type: 'value_error' },
]);
