/** Keeps one GET going over several connections from a thread of its own, so that asking does not slow answering. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Without `perSecond` each connection asks again as soon as it is answered; with it so many calls begin a second, answered
 * or not.
 */
export type LoadPlan = {
  url: string;
  /** Asked in turn with it. */
  others?: readonly string[];
  authorization: string;
  connections: number;
  warmUpMs: number;
  measureMs: number;
  perSecond?: number;
};

/** Milliseconds per answer, of those that came while it was measured. */
export type Load = { perSecond: number; p50Ms: number; p99Ms: number };

export async function load(plan: LoadPlan): Promise<Load> {
  const worker = new Worker(new URL(import.meta.url), { workerData: plan });
  const [result] = await once(worker, 'message');
  return result as Load;
}

/** The same for as long as something else takes: until it is stopped, which tells how the calls were answered. */
export function loadUntilStopped(plan: Omit<LoadPlan, 'measureMs'>): { stop: () => Promise<Load> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...plan, measureMs: Number.POSITIVE_INFINITY } });
  const result = once(worker, 'message');
  return {
    stop: async () => {
      worker.postMessage('stop');
      return (await result)[0] as Load;
    },
  };
}

let asked = 0;

if (!isMainThread) {
  const span = spanOf(workerData as LoadPlan);
  parentPort?.once('message', () => {
    span.end = performance.now();
  });
  const result = await measure(workerData as LoadPlan, span);
  parentPort?.postMessage(result);
  parentPort?.close();
}

/** From when and until when answers count. */
type Span = { start: number; end: number };

function spanOf({ warmUpMs, measureMs }: LoadPlan): Span {
  const start = performance.now() + warmUpMs;
  return { start, end: start + measureMs };
}

async function measure(plan: LoadPlan, span: Span): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  const took: number[] = [];
  const askOn = async () => {
    for (let now = performance.now(); now < span.end; ) {
      await ask(plan, agent);
      const answered = performance.now();
      if (answered >= span.start && answered < span.end) took.push(answered - now);
      now = answered;
    }
  };
  const { perSecond } = plan;
  if (perSecond === undefined) await Promise.all(Array.from({ length: plan.connections }, askOn));
  else {
    await askSteadily(plan, agent, { perSecond, span }, (askedAt) => {
      if (askedAt >= span.start) took.push(performance.now() - askedAt);
    });
  }
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { perSecond: took.length / ((span.end - span.start) / 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Counted from when a call was due, so that an answer that holds up the next ones counts for them as well. */
async function askSteadily(
  plan: LoadPlan,
  agent: Agent,
  { perSecond, span }: { perSecond: number; span: Span },
  onAnswer: (dueAt: number) => void,
): Promise<void> {
  const asked = new Set<Promise<void>>();
  for (let dueAt = performance.now(); dueAt < span.end; dueAt += 1000 / perSecond) {
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    const askedAt = dueAt;
    const call = ask(plan, agent).then(() => {
      asked.delete(call);
      onAnswer(askedAt);
    });
    asked.add(call);
  }
  await Promise.all(asked);
}

type Asked = Pick<LoadPlan, 'url' | 'others' | 'authorization'>;

function ask({ url: first, others = [], authorization }: Asked, agent: Agent): Promise<void> {
  asked += 1;
  const url = others[asked % (others.length + 1)] ?? first;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a connection that has been idle for long just when it is used again.
      if (request.reusedSocket && error.code === 'ECONNRESET') ask({ url, authorization }, agent).then(resolve, reject);
      else reject(error);
    });
  });
}
