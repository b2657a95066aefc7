// How long 50,000 rows take to import, and how much memory; on the embedded database, or on the empty one that DATABASE_URL
// names. Budget: 20 s. Then once more the same file, all of it duplicates.
//
//     node_modules/.bin/node bench/import.ts [rows]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordAction } from '@dutchbook/server/audit/record.ts';
import { openCsv } from '@dutchbook/server/opportunities/csv-file.ts';
import { importDrafts } from '@dutchbook/server/opportunities/import-drafts.ts';
import { readConfig } from '@dutchbook/server/world/config.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import type { World } from '@dutchbook/server/world/world.ts';

const ROWS = Number(process.argv[2] ?? 50_000);
const SECONDS_MAX = 20;
const MEMORY_LOOK_MS = 100;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
try {
  const url = process.env.DATABASE_URL;
  const config = readConfig({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    VENUE: 'polymarket',
    ...(url && { DATABASE_URL: url }),
  });
  const { world, close } = await openWorld(config);
  const file = csv();
  say(`${ROWS} rows, ${(file.length / 1e6).toFixed(1)} MB`);
  await measure('import', world, file);
  await measure('the same again', world, file);
  await close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, world: World, file: Buffer): Promise<void> {
  const memoryBefore = process.memoryUsage.rss();
  let peak = memoryBefore;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, MEMORY_LOOK_MS);
  const before = process.cpuUsage();
  const start = performance.now();
  const csvFile = openCsv(file);
  if (csvFile.kind === 'refused') throw new Error(csvFile.reason);
  const actor = { id: null, email: null, address: '127.0.0.1' };
  const reply = await importDrafts(world, csvFile.rows, (tx, { opportunity_ids: ids }) =>
    recordAction(tx, world, actor, {
      action: 'opportunities.imported',
      object: 'bench.csv',
      after: { created: ids.length },
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  clearInterval(look);
  const { user, system } = process.cpuUsage(before);
  const stored = `${reply.opportunity_ids.length} stored, ${reply.duplicates.length} duplicates`;
  const cost = `${((user + system) / 1e6).toFixed(1)} s of processor, ${((peak - memoryBefore) / 1e6).toFixed(0)} MB more at most`;
  const verdict = seconds < SECONDS_MAX ? 'holds' : 'MISSED';
  say(`${name}: ${stored} in ${seconds.toFixed(1)} s (${cost}); budget ${SECONDS_MAX} s: ${verdict}`);
}

/** Sets of two and three positions, with the ids and texts that such files carry. */
function csv(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const legs = [1, 2, 3]
      .slice(0, 2 + (index % 2))
      .map((leg) => ({ leg, markets: [{ id: `${540_000 + index}${leg}`, outcome: leg === 1 ? 'Yes' : 'No' }] }));
    return `"${JSON.stringify(legs).replaceAll('"', '""')}",0.9${index % 10},${index % 3 > 0},scanner,pair ${index}`;
  });
  return Buffer.from(['market_combinations,target_price,active,source,source_details', ...lines].join('\n'));
}
