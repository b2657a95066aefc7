import { CSV_BYTES_MAX } from '@dutchbook/contract/opportunities.ts';
import multipart from '@fastify/multipart';
import type { HttpServer } from './app.ts';

/** Bodies may be JSON (or nothing), a form, or one uploaded file. */
export async function registerBodyParsers(http: HttpServer): Promise<void> {
  const parseJson = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined);
    return parseJson(request, body, done);
  });
  http.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  await http.register(multipart, {
    limits: { files: 1, fileSize: CSV_BYTES_MAX, fields: 5, fieldSize: 1000, parts: 6, headerPairs: 50 },
  });
}
