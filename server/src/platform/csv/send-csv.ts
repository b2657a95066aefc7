import { Readable } from 'node:stream';
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { FastifyReply } from 'fastify';
import type { Config } from '../runtime/config.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { csvLines } from './csv-lines.ts';

/** Behind all others: the fill model that the figures of paper trading rest on, in every row. */
const FILLS_COLUMN = 'paper_fills';

/** Answers with a file in pieces, the first of which begins with the names of the columns, called by what it holds and the day. */
export function sendCsv(
  reply: FastifyReply,
  what: string,
  { clock, config }: Pick<Runtime, 'clock' | 'config'>,
  pieces: AsyncIterable<string[][]>,
): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${what}_${instantToIso(clock.now()).slice(0, 10)}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(textOf(pieces, config.paper)));
}

async function* textOf(pieces: AsyncIterable<string[][]>, paper: Config['paper']): AsyncGenerator<string> {
  let mark = FILLS_COLUMN;
  for await (const records of pieces) {
    if (paper === null) yield csvLines(records);
    else {
      const marked = records.map((record) => {
        const row = [...record, mark];
        mark = paper.fills;
        return row;
      });
      yield csvLines(marked);
    }
  }
}
