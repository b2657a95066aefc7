/** Keeps GETs going over several connections from a process of its own: asking takes nothing of what answering is measured by. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Without `perSecond` each connection asks again as soon as it is answered; with it so many calls begin a second, answered
 * or not.
 */
export type LoadPlan = {
  url: string;
  /** Asked alternately with it. Each of as many connections as there are addresses keeps to one. */
  others?: readonly string[];
  authorization: string;
  connections: number;
  warmUpMs: number;
  measureMs: number;
  perSecond?: number;
  method?: string;
  /** A refusal is no failure and counts for nothing; its connection waits for a moment. What is not answered at the end is given up. */
  mayRefuse?: boolean;
};

const REFUSED_PAUSE_MS = 100;

/** Milliseconds per answer, of those that came while it was measured; `asked` and `refused` count all, the warming up included. */
export type Load = { perSecond: number; p50Ms: number; p99Ms: number; asked: number; refused: number };

export async function load(plan: LoadPlan): Promise<Load> {
  return await answerOf(askApart(plan));
}

/** Asks like `load`, but for as long as something else takes: `stop` ends it and answers with what was measured. */
export function loadUntilStopped(plan: Omit<LoadPlan, 'measureMs'>): { stop: () => Promise<Load> } {
  const asking = askApart({ ...plan, measureMs: Number.POSITIVE_INFINITY });
  const answer = answerOf(asking);
  // Whether it failed is asked when it is stopped.
  answer.catch(() => {});
  return {
    stop: async () => {
      if (asking.connected) asking.send('stop');
      return await answer;
    },
  };
}

/** Throws where the process ends without an answer, as it does once a call is refused. */
async function answerOf(asking: ChildProcess): Promise<Load> {
  const ended = once(asking, 'exit').then(() => {
    throw new Error('the process that asks has ended, for the reason above');
  });
  const [result] = await Promise.race([once(asking, 'message'), ended]);
  return result as Load;
}

function askApart(plan: LoadPlan): ChildProcess {
  const asking = fork(import.meta.filename, { execArgv: [], serialization: 'advanced' });
  asking.send(plan);
  return asking;
}

if (import.meta.main) {
  const [plan] = (await once(process, 'message')) as [LoadPlan];
  const span = spanOf(plan);
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  process.once('message', () => {
    span.end = performance.now();
    if (plan.mayRefuse) agent.destroy();
  });
  process.send?.(await measure(plan, span, agent), () => process.disconnect());
}

/** From when and until when answers count. */
type Span = { start: number; end: number };

function spanOf({ warmUpMs, measureMs }: LoadPlan): Span {
  const start = performance.now() + warmUpMs;
  return { start, end: start + measureMs };
}

async function measure(plan: LoadPlan, span: Span, agent: Agent): Promise<Load> {
  const took: number[] = [];
  const urls = [plan.url, ...(plan.others ?? [])];
  let [asked, refused] = [0, 0];
  const askNth = async (round: number) => {
    asked += 1;
    const isAnswered = await ask(urls[round % urls.length] ?? plan.url, plan, agent);
    if (!isAnswered) refused += 1;
    return isAnswered;
  };
  const askOn = async (connection: number) => {
    let round = connection;
    for (let now = performance.now(); now < span.end; round += plan.connections) {
      const isAnswered = await askNth(round);
      const answered = performance.now();
      if (isAnswered && answered >= span.start && answered < span.end) took.push(answered - now);
      now = answered;
    }
  };
  const { perSecond } = plan;
  if (perSecond === undefined)
    await Promise.all(Array.from({ length: plan.connections }, (_, connection) => askOn(connection)));
  else {
    await askSteadily(askNth, { perSecond, span }, (askedAt) => {
      if (askedAt >= span.start) took.push(performance.now() - askedAt);
    });
  }
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { perSecond: took.length / ((span.end - span.start) / 1000), p50Ms: at(0.5), p99Ms: at(0.99), asked, refused };
}

/** Counted from when a call was due, so that an answer that holds up the next ones counts for them as well. */
async function askSteadily(
  askNth: (round: number) => Promise<boolean>,
  { perSecond, span }: { perSecond: number; span: Span },
  onAnswer: (dueAt: number) => void,
): Promise<void> {
  const asked = new Set<Promise<void>>();
  let round = 0;
  for (let dueAt = performance.now(); dueAt < span.end; dueAt += 1000 / perSecond) {
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    const askedAt = dueAt;
    const call = askNth(round++).then((isAnswered) => {
      asked.delete(call);
      if (isAnswered) onAnswer(askedAt);
    });
    asked.add(call);
  }
  await Promise.all(asked);
}

/** False where it was refused and may be. */
function ask(url: string, plan: LoadPlan, agent: Agent): Promise<boolean> {
  const { authorization, method = 'GET', mayRefuse = false } = plan;
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(true);
        else if (mayRefuse) pause(REFUSED_PAUSE_MS).then(() => resolve(false));
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
      answer.on('error', fail);
    });
    asked.on('error', fail);
    asked.end();

    function fail(error: NodeJS.ErrnoException): void {
      if (mayRefuse) resolve(false);
      // The server may close a connection that has been idle for long just when it is used again.
      else if (asked.reusedSocket && error.code === 'ECONNRESET') ask(url, plan, agent).then(resolve, reject);
      else reject(error);
    }
  });
}
