import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Answer } from '../platform/http/request-log.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = {
  /** Others register their own gauges here. */
  registry: Registry;
  observeAnswer: (answer: Answer) => void;
};

/** What this process counts and measures: its own health (memory, loop delay) and how long calls take. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    registry,
    observeAnswer: ({ method, route, status, elapsedMs }) =>
      durations.observe({ method, route, status }, elapsedMs / 1000),
  };
}
