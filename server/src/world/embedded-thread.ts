/** The thread that the embedded database runs in. It does what it is told in the wire protocol of PostgreSQL, one message after the other. */
import { fsyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { addToAnswer, endAnswer, type Line, nextQuestion } from './embedded-line.ts';

/** `files`: the folder that holds them. A question without bytes closes the database. */
export type ThreadData = { files: string; line: Line };

/** That it is open, or why it can go no further. */
export type ThreadNews = { isOpen: true } | { isOpen: false; reason: string };

/**
 * Small caches, since the server shares the process with the product, and little of the log kept for use again. The
 * WebAssembly build maps fdatasync to nothing, and fsync to the file system below.
 */
const SERVER_SETTINGS = ['shared_buffers=16MB', 'max_wal_size=256MB', 'timezone=UTC', 'wal_sync_method=fsync'];

/** What the database's own C library calls an error of the disk. */
const EIO = 29;
/** How PGlite's own loop knows that a statement ended with an error that the database goes on after. */
const LONG_JUMP = 100;

const { files, line } = workerData as ThreadData;
const client = await PGlite.create({
  fs: careful(new NodeFS(files)),
  relaxedDurability: false,
  startParams: startParams(),
});
dieWhereItEnds(client);
tell({ isOpen: true });
for (let message = nextQuestion(line); message.length > 0; message = nextQuestion(line)) await run(message);
await client.close();

/** What is answered is not parsed here: the other thread does, which needs it. */
async function run(message: Uint8Array): Promise<void> {
  let length = 0;
  const onRawData = (bytes: Uint8Array) => {
    length = addToAnswer(line, bytes, length);
  };
  await client.execProtocolRawStream(message, { syncToFs: false, onRawData });
  endAnswer(line, length);
}

function tell(news: ThreadNews): void {
  parentPort?.postMessage(news);
}

/** What was asked last is never answered: nothing may be taken for done, or for failed, any more. */
function die(reason: string): never {
  tell({ isOpen: false, reason });
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}

/**
 * A server would end here, of a panic or of an answer that has no room. PGlite goes on with the rest of the message, which
 * spins on the locks that were held, or commits what was done by half.
 */
function dieWhereItEnds({ Module: module }: PGlite): void {
  const runOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      const isErrorOfStatement = (error as { status?: number }).status === LONG_JUMP;
      if (!isErrorOfStatement) die(String(error));
      throw error;
    }
  };
}

function startParams(): string[] {
  const base = PGlite.defaultStartParams.filter((param) => param !== '-F');
  return [...base, ...SERVER_SETTINGS.flatMap((setting) => ['-c', setting])];
}

type FileSystem = NonNullable<PGliteOptions['fs']>;
type Mounted = {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd: number }) => number };
    convertNodeCode: (error: Error) => number | undefined;
  };
};

/** PGlite's file system on real files leaves flushing out, and takes an error that it has no number for as no error. */
function careful(fs: NodeFS): FileSystem {
  const init = fs.init.bind(fs);
  fs.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options);
    const amend = (module: unknown) => {
      const { NODEFS } = module as Mounted;
      const numberOf = NODEFS.convertNodeCode;
      NODEFS.convertNodeCode = (error) => numberOf(error) ?? EIO;
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          fsyncSync(nfd);
        } catch (error) {
          // What is not known to be on the disk must not be taken for committed, now or by the next flush that works.
          die(String(error));
        }
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), amend] } };
  };
  return fs;
}
