// How long from starting the product as `npm start` does, with what is built already, to the first page; and what memory
// it takes when it has come to rest. Budget: page and demo data within 5 s, RSS below 400 MB.
//
//     node_modules/.bin/node bench/start-up.ts
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { median, tell } from './rows.ts';
import { runProduct } from './screen/running-product.ts';

const STARTS = 1;
const SECONDS_MAX = 5;
const RSS_MB_MAX = 400;
const REST_MS = 3000;
const KB_PER_MB = 1024;

const nodeMs = median(Array.from({ length: STARTS }, emptyProcessMs));
const took: number[] = [];
const rssMb: number[] = [];
for (let nth = 0; nth < STARTS; nth += 1) {
  const startedAt = performance.now();
  await using product = await runProduct({ discovery: 'on' });
  const page = await fetch(`${product.url}/login`);
  await page.text();
  took.push((performance.now() - startedAt) / 1000);
  if (nth < STARTS - 1) continue;
  await pause(REST_MS);
  rssMb.push(serverRssMb(Number(new URL(product.url).port)));
}
tell({
  question: 'npm start to the first page',
  figure: median(took),
  unit: 's',
  budget: { atMost: SECONDS_MAX },
  floor: { figure: nodeMs / 1000, of: 'node that does nothing' },
});
tell({
  question: 'memory of the server at rest, RSS',
  figure: median(rssMb),
  unit: 'MB',
  budget: { atMost: RSS_MB_MAX },
  floor: null,
});

function emptyProcessMs(): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - startedAt;
}

/** Of the process that listens on the port. Linux says which; elsewhere it is not known. */
function serverRssMb(port: number): number {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((entry) => entry.includes(`:${wanted} `) && / 0A /.test(entry));
  const inode = line?.trim().split(/\s+/)[9] ?? '';
  const pids = execFileSync('sh', [
    '-c',
    `ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v s="socket:\\\\[${inode}\\\\]" '/^\\/proc/{p=$1} $0 ~ s {split(p,a,"/"); print a[3]}'`,
  ]);
  const pid = String(pids).trim().split('\n')[0] ?? '';
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / KB_PER_MB;
}
