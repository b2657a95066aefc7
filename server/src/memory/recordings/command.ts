/** `npm run recordings -- export|import|convert …`: recordings out of DATA_DIR and into it; docs/recordings.md has more. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { realClock } from '../../platform/runtime/clock.ts';
import { CommandRefused, timeOf, withTimesJoined } from './command-line.ts';
import { convertRecords, exportRecords, writeWhole } from './export.ts';
import { importRecords } from './import.ts';
import { recordsOfFile, venueOfFile } from './read-file.ts';

const USAGE = [
  'npm run recordings -- export --from TIME [--until TIME] [--token ID]… [--venue NAME] FILE.parquet',
  'npm run recordings -- import [--venue NAME] FILE.parquet…',
  'npm run recordings -- convert [--venue NAME] FILE OUT     (each .dbr or .parquet)',
].join('\n');

/** Where the command runs, and what takes the lines that it says. */
type Around = { env: Readonly<Record<string, string | undefined>>; say: (line: string) => void };

type Asked = ReturnType<typeof parse> & Around;

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { from: text, until: text, token: { type: 'string', multiple: true }, venue: text } as const;
  try {
    return parseArgs({ args: withTimesJoined(args), options, allowPositionals: true });
  } catch (error) {
    throw new CommandRefused(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** It names a folder. */
function checkedVenue(name: string): string {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) throw new CommandRefused(`${name.slice(0, 60)} is no name of a venue.`);
  return name;
}

function folderOf(venue: string, env: Around['env']): string {
  return path.resolve(env.DATA_DIR ?? './data', 'recordings', venue);
}

async function exportFile({ values, positionals: [, file, ...more], env, say }: Asked): Promise<void> {
  if (values.from === undefined || file === undefined || more.length > 0 || !file.endsWith('.parquet'))
    throw new CommandRefused(USAGE);
  const now = realClock.now();
  const [from, until] = [timeOf(values.from, now), values.until === undefined ? now : timeOf(values.until, now)];
  if (from >= until) throw new CommandRefused('It has to begin before it ends.');
  const venue = checkedVenue(values.venue ?? env.VENUE ?? 'simulated');
  const tokenIds = values.token === undefined ? null : new Set(values.token);
  const count = await writeWhole(file, async (take) => {
    const records = await exportRecords({ folder: folderOf(venue, env), tokenIds, from, until }, venue, take);
    if (records === 0) throw new CommandRefused(`Nothing was recorded then in ${folderOf(venue, env)}.`);
    return records;
  });
  say(`${count} records are in ${file}.`);
}

async function importFiles({ values, positionals: [, ...files], env, say }: Asked): Promise<void> {
  if (files.length === 0) throw new CommandRefused(USAGE);
  const venues = new Set<string>();
  for (const file of files) venues.add(values.venue ?? (await venueOfFile(file)));
  const [named = '', ...others] = venues;
  if (others.length > 0) throw new CommandRefused(`They are of several venues: ${[...venues].join(', ')}.`);
  const venue = checkedVenue(named);
  const place = {
    folder: folderOf(venue, env),
    venue,
    now: realClock.now(),
    newId: () => randomBytes(4).toString('hex'),
  };
  const lost: string[] = [];
  const { files: written, records, tokens } = await importRecords(recordsOf(files, lost), place);
  say(`${records} records of ${tokens} tokens are in ${place.folder}: ${written.join(', ')}. Nothing removes them.`);
  refuseLoss(lost);
}

/** `lost`: takes what of the files could not be read. */
async function* recordsOf(files: readonly string[], lost: string[]): AsyncGenerator<Recorded[]> {
  const ticks = new TickReader();
  for (const file of files) {
    yield* recordsOfFile(file, ticks, ({ start, end, from, until }) => {
      const bytes = end > start ? `bytes ${start} to ${end - 1}` : `everything from byte ${start} on`;
      const [first, last] = [from, until].map((at) => (at === null ? null : instantToIso(at)));
      lost.push(`${file}: ${bytes}, ${first ?? 'the beginning'} to ${last ?? 'the end'}`);
    });
  }
}

const LOST_SHOWN = 50;

/** @throws CommandRefused, though all else was done */
function refuseLoss(lost: readonly string[]): void {
  if (lost.length === 0) return;
  const more = lost.length > LOST_SHOWN ? [`and ${lost.length - LOST_SHOWN} more`] : [];
  throw new CommandRefused(
    ['Lost, because it is damaged or was cut off:', ...lost.slice(0, LOST_SHOWN), ...more].join('\n'),
  );
}

async function convertFile({ values, positionals: [, file, out, ...more], say }: Asked): Promise<void> {
  if (file === undefined || out === undefined || more.length > 0 || !/\.(dbr|parquet)$/.test(out))
    throw new CommandRefused(USAGE);
  const venue = checkedVenue(values.venue ?? (await venueOfFile(file)));
  const isParquet = out.endsWith('.parquet');
  const lost: string[] = [];
  await writeWhole(out, (take) => convertRecords(recordsOf([file], lost), venue, { isParquet, take }));
  say(`${out} has what ${file} has${lost.length === 0 ? '' : ', and could be read'}.`);
  refuseLoss(lost);
}

const COMMANDS: Record<string, (asked: Asked) => Promise<void>> = {
  export: exportFile,
  import: importFiles,
  convert: convertFile,
};

/** @throws CommandRefused, which says how to ask or what could not be done */
export async function recordingsCommand(args: readonly string[], around: Around): Promise<void> {
  const asked = parse(args);
  const command = COMMANDS[asked.positionals[0] ?? ''];
  if (command === undefined) throw new CommandRefused(USAGE);
  await command({ ...asked, ...around });
}
