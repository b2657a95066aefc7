/** The thread that the embedded database runs in. It does what it is told in the wire protocol of PostgreSQL, one message after the other. */
import { fsyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { addToAnswer, endAnswer, type Line, nextQuestion, SAID } from './embedded-line.ts';

/** `files`: the folder that holds them. */
export type ThreadData = { files: string; line: Line };

/**
 * Small caches, since the server shares the process with the product. The WebAssembly build maps fdatasync to nothing,
 * and fsync to the file system below.
 */
const SERVER_SETTINGS = ['shared_buffers=16MB', 'max_wal_size=256MB', 'timezone=UTC', 'wal_sync_method=fsync'];

const { files, line } = workerData as ThreadData;
const client = await PGlite.create({
  fs: flushing(new NodeFS(files)),
  relaxedDurability: false,
  startParams: startParams(),
});
parentPort?.postMessage('ready');
for (let nth = 1; ; nth += 1) {
  const { kind, bytes } = nextQuestion(line, nth);
  if (kind === SAID.close) break;
  await run(bytes);
}
await client.close();

/** What is answered is not parsed here: the other thread does, which needs it. */
async function run(message: Uint8Array): Promise<void> {
  let length = 0;
  const onRawData = (bytes: Uint8Array) => {
    length = addToAnswer(line, bytes, length);
  };
  try {
    await client.execProtocolRawStream(message, { syncToFs: false, onRawData });
    endAnswer(line, SAID.answer, length);
  } catch (error) {
    end(SAID.failure, String(error));
  }
}

/** What is not known to be on the disk must not be taken for committed, now or by the next flush that works. */
function die(reason: string): never {
  end(SAID.dead, reason);
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}

function end(kind: number, reason: string): void {
  endAnswer(line, kind, addToAnswer(line, Buffer.from(reason), 0));
}

function startParams(): string[] {
  const base = PGlite.defaultStartParams.filter((param) => param !== '-F');
  return [...base, ...SERVER_SETTINGS.flatMap((setting) => ['-c', setting])];
}

type FileSystem = NonNullable<PGliteOptions['fs']>;
type Mounted = { NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } };

/** PGlite's file system on real files leaves flushing out; this adds it. */
function flushing(fs: NodeFS): FileSystem {
  const init = fs.init.bind(fs);
  fs.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options);
    const flush = (module: unknown) => {
      (module as Mounted).NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          fsyncSync(nfd);
        } catch (error) {
          die(String(error));
        }
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), flush] } };
  };
  return fs;
}
