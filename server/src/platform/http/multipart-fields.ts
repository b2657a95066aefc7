import { Transform } from 'node:stream';
import { setImmediate as giveWay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Invalid } from './errors.ts';

/** The fields of a form sent as multipart/form-data, as some clients send any form. @throws Invalid where it is not complete */
export async function multipartFields(request: FastifyRequest): Promise<Record<string, unknown>> {
  const incomplete = new Invalid(['body'], 'The form is not complete multipart/form-data');
  return readMultipart(request, incomplete, async () => {
    const fields: [name: string, value: unknown][] = [];
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.push([part.fieldname, part.value]);
      else part.file.resume();
    }
    return Object.fromEntries(fields);
  });
}

/** Bytes parsed per slice: from a whole network chunk the parser may make thousands of empty parts at once. */
const PIECE_BYTES = 4096;

/** What `read` takes of a body that is multipart/form-data. @throws `incomplete` where the parser stumbles over it */
export async function readMultipart<Read>(
  request: FastifyRequest,
  incomplete: Invalid,
  read: () => Promise<Read>,
): Promise<Read> {
  parseInPieces(request);
  try {
    return await read();
  } catch (error) {
    // The framework's own refusals say what they are by a code; what its parser stumbles over says nothing.
    if (!(error instanceof Error) || 'code' in error) throw error;
    throw incomplete;
  } finally {
    // Stops the parser: a body has room for half a million empty parts.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** The parser is piped from the request itself, by the framework; it gets its pieces between other work. */
function parseInPieces({ raw }: FastifyRequest): void {
  const pieces = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        this.push(chunk.subarray(at, at + PIECE_BYTES));
        await giveWay();
      }
      done();
    },
  });
  const pipe = raw.pipe.bind(raw);
  raw.pipe = (parser) => {
    pipe(pieces);
    return pieces.pipe(parser);
  };
}
