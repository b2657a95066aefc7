/** Keeps calls going over several connections, and measures their answers. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Without `perSecond` each connection asks for an address of its own again as soon as it is answered; with it so many calls begin a
 * second, answered or not. Where `mayRefuse`, a refusal is no failure and counts for nothing; its connection waits for a moment.
 */
export type LoadPlan = {
  urls: readonly string[];
  authorization: string;
  connections: number;
  perSecond?: number;
  method?: string;
  mayRefuse?: boolean;
};

/** Milliseconds per answer, from when its call was due, of those that were due after the warm-up; `asked` and `refused` count all. */
export type Load = { perSecond: number; p50Ms: number; p99Ms: number; asked: number; refused: number };

const WARM_UP_MS = 500;
const REFUSED_PAUSE_MS = 100;

export async function load(plan: LoadPlan, forMs: number): Promise<Load> {
  const { stop } = startLoad(plan);
  await pause(WARM_UP_MS + forMs);
  return await stop();
}

/** Asks for as long as something else takes: `stop` ends it and answers with what was measured. */
export function startLoad(plan: LoadPlan): { stop: () => Promise<Load> } {
  const { urls, perSecond, mayRefuse = false } = plan;
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  const countedFromMs = performance.now() + WARM_UP_MS;
  const tookMs: number[] = [];
  const counts = { asked: 0, refused: 0 };
  const failures: unknown[] = [];
  let isOver = false;
  const askNth = async (nth: number, dueMs: number) => {
    counts.asked += 1;
    const url = urls[nth % urls.length] ?? '';
    const isAnswered = await ask(url, plan, agent).then(
      () => true,
      (error) => {
        if (!mayRefuse) failures.push(error);
        return false;
      },
    );
    if (!isAnswered) counts.refused += 1;
    else if (dueMs >= countedFromMs && !isOver) tookMs.push(performance.now() - dueMs);
    return isAnswered;
  };
  const askOn = async (connection: number) => {
    while (!isOver) if (!(await askNth(connection, performance.now()))) await pause(REFUSED_PAUSE_MS);
  };
  const askSteadily = async (each: number) => {
    const begun: Promise<boolean>[] = [];
    for (let dueMs = performance.now(); !isOver; dueMs += 1000 / each) {
      await pause(Math.max(0, dueMs - performance.now()));
      begun.push(askNth(begun.length, dueMs));
    }
    await Promise.all(begun);
  };
  const asking =
    perSecond === undefined
      ? Promise.all(Array.from({ length: plan.connections }, (_, connection) => askOn(connection)))
      : askSteadily(perSecond);
  return {
    stop: async () => {
      const measuredMs = performance.now() - countedFromMs;
      isOver = true;
      if (mayRefuse) agent.destroy();
      await asking;
      agent.destroy();
      if (failures.length > 0) throw failures[0];
      tookMs.sort((one, other) => one - other);
      const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN;
      return { perSecond: tookMs.length / (measuredMs / 1000), p50Ms: at(0.5), p99Ms: at(0.99), ...counts };
    },
  };
}

function ask(url: string, { authorization, method = 'GET' }: LoadPlan, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
