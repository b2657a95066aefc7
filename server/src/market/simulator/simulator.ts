import type { SimulatorState } from '@dutchbook/contract/simulator.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import * as z from 'zod/mini';
import { Conflict, Invalid, Refusal } from '../../platform/http/errors.ts';

const ANSWER_WITHIN_MS = 5_000;

const clock = z.object({ now_ms: z.int(), offset_ms: z.int() });
const faults = z.object({
  names: z.array(z.string()),
  active: z.array(z.object({ name: z.string(), remaining: z.int() })),
});
const refused = z.object({ error: z.string() });

/** `/_control/` of the simulated exchange at `url`. Every call throws a Refusal where the exchange refuses or is silent. */
export class Simulator {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async state(): Promise<SimulatorState> {
    const [time, { names, active }] = await Promise.all([
      this.#ask('GET', 'clock').then((answer) => clock.parse(answer)),
      this.#ask('GET', 'faults').then((answer) => faults.parse(answer)),
    ]);
    return {
      now: instantFromMs(time.now_ms),
      ahead_ms: time.offset_ms,
      fault_names: names,
      faults: active.map(({ name, remaining }) => ({ name, remaining })),
    };
  }

  async read(name: string): Promise<unknown> {
    return await this.#ask('GET', name);
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', 'faults');
  }

  /** `field`: what a refusal of the exchange is about. */
  async post(name: string, body: object, field: string): Promise<unknown> {
    return await this.#ask('POST', name, body, field);
  }

  async #ask(method: string, name: string, body?: object, field = 'body'): Promise<unknown> {
    const response = await fetch(`${this.#url}/_control/${name}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((cause: unknown) => {
      throw Object.assign(new Refusal(503, 'The simulated exchange does not answer'), { cause });
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const why = refused.safeParse(answer).data?.error ?? `The exchange answered ${response.status}`;
    if (response.status === 409) throw new Conflict(why);
    throw new Invalid(['body', field], why);
  }
}
