/** Keeps one GET going over several connections from a thread of its own, so that asking does not slow answering. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Without `perSecond` each connection asks again as soon as it is answered; with it so many calls begin a second, answered or not. */
export type LoadPlan = {
  url: string;
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

if (!isMainThread) parentPort?.postMessage(await measure(workerData as LoadPlan));

async function measure(plan: LoadPlan): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  const took: number[] = [];
  const start = performance.now() + plan.warmUpMs;
  const end = start + plan.measureMs;
  const askOn = async () => {
    for (let now = performance.now(); now < end; ) {
      await ask(plan, agent);
      const answered = performance.now();
      if (answered >= start && answered < end) took.push(answered - now);
      now = answered;
    }
  };
  const { perSecond } = plan;
  if (perSecond === undefined) await Promise.all(Array.from({ length: plan.connections }, askOn));
  else
    await askSteadily(plan, agent, perSecond, (askedAt) => askedAt >= start && took.push(performance.now() - askedAt));
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { perSecond: took.length / (plan.measureMs / 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Counted from when a call was due, so that an answer that holds up the next ones counts for them as well. */
async function askSteadily(
  plan: LoadPlan,
  agent: Agent,
  perSecond: number,
  onAnswer: (dueAt: number) => void,
): Promise<void> {
  const begin = performance.now();
  const count = ((plan.warmUpMs + plan.measureMs) / 1000) * perSecond;
  const asked: Promise<void>[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const dueAt = begin + (nth * 1000) / perSecond;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    asked.push(ask(plan, agent).then(() => onAnswer(dueAt)));
  }
  await Promise.all(asked);
}

function ask({ url, authorization }: LoadPlan, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}
