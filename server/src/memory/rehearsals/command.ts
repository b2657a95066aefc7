/** `npm run rehearse`: what it is asked, and how it answers. */
import { parseArgs } from 'node:util';
import {
  FILL_MODELS,
  REHEARSAL_SPAN_MAX_MS,
  type RehearsalChanges,
  type RehearsalDifference,
  type RehearsalResult,
  rehearsalChanges,
} from '@dutchbook/contract/rehearsals.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { CommandRefused, timeOf, withTimesJoined } from '../recordings/command-line.ts';

export type RehearseCommand = {
  from: Instant;
  until: Instant;
  changes: RehearsalChanges;
  assumePlacing: boolean;
  isJson: boolean;
};

const USAGE =
  'npm run rehearse -- --from TIME [--until TIME] [--set NAME=VALUE] [--limit NAME=VALUE] [--discovery NAME=VALUE] ' +
  '[--assume-placing] [--json]';

/** @throws CommandRefused */
export function parseRehearse(args: readonly string[], now: Instant): RehearseCommand {
  const values = valuesOf(args);
  if (values.from === undefined) throw new CommandRefused(`Say from when on:\n${USAGE}`);
  const from = timeOf(values.from, now);
  const until = values.until === undefined ? now : timeOf(values.until, now);
  if (from >= until) throw new CommandRefused('It has to begin before it ends.');
  if (until > now) throw new CommandRefused('What is to come cannot be rehearsed.');
  if (until - from > REHEARSAL_SPAN_MAX_MS) throw new CommandRefused('A week can be rehearsed at once, and not more.');
  const changes = changesOf({
    settings: given(values.set),
    limits: given(values.limit),
    discovery: given(values.discovery),
  });
  return { from, until, changes, assumePlacing: values['assume-placing'] ?? false, isJson: values.json ?? false };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const several = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  const options = { from: text, until: text, set: several, limit: several, discovery: several };
  try {
    return parseArgs({ args: withTimesJoined(args), options: { ...options, 'assume-placing': flag, json: flag } })
      .values;
  } catch (error) {
    throw new CommandRefused(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** As they are on the wire; undefined where there are none. */
function given(assignments: readonly string[] | undefined): Record<string, unknown> | undefined {
  if (assignments === undefined) return undefined;
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [, name, text] = /^(\w+)=(.+)$/.exec(assignment) ?? [];
      if (name === undefined || text === undefined) throw new CommandRefused(`${assignment} is not NAME=VALUE.`);
      return [name, readValue(text)];
    }),
  );
}

function readValue(text: string): unknown {
  if (text === 'true' || text === 'on') return true;
  if (text === 'false' || text === 'off') return false;
  return text === 'null' ? null : Number(text);
}

function changesOf(wire: Record<string, Record<string, unknown> | undefined>): RehearsalChanges {
  const known = Object.entries(wire).filter(([, values]) => values !== undefined);
  const { success, data, error } = z.safeDecode(rehearsalChanges, Object.fromEntries(known) as never);
  if (success) return data;
  const wrong = error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `There is no ${issue.keys.join(', ')}.`
      : `${issue.path.slice(1).join('.')}: ${issue.message}`,
  );
  throw new CommandRefused(wrong.join('\n'));
}

/** One sentence, then the figures, then where the two runs differ most. */
export function sayRehearsed(result: RehearsalResult, differences: readonly RehearsalDifference[]): string[] {
  const { present, proposed, unknown, latency, left_out = 0 } = result;
  const row = (name: string, before: string | number, after: string | number) =>
    `${name.padEnd(28)}${String(before).padStart(14)}${String(after).padStart(14)}`;
  return [
    sentenceOf(result),
    '',
    row('', 'present', 'proposed'),
    row('triggers', present.triggers, proposed.triggers),
    row('batches', present.batches, proposed.batches),
    row('refused', present.refused, proposed.refused),
    row('refused by a limit', present.limit_hits, proposed.limit_hits),
    ...FILL_MODELS.map((model) =>
      row(`profit, ${model}`, signed(present.models[model].profit_usd), signed(proposed.models[model].profit_usd)),
    ),
    row('unwound, measured', present.models.measured.unwound, proposed.models.measured.unwound),
    row('unfilled, measured', present.models.measured.unfilled, proposed.models.measured.unfilled),
    '',
    `Orders are taken to need ${latency.measured_ms} ms to the venue, ${latency.pessimistic_ms} ms at worst${latency.is_own ? '' : ', which is not measured here yet'}.`,
    ...(left_out === 0 ? [] : [leftOutSentence(left_out)]),
    ...unknown.map(({ from, until, reason }) => `Unknown ${instantToIso(from)} to ${instantToIso(until)}: ${reason}.`),
    ...differences.slice(0, DIFFERENCES_SAID).map(sayDifference),
    ...(differences.length > DIFFERENCES_SAID ? [`And ${differences.length - DIFFERENCES_SAID} more.`] : []),
  ];
}

const DIFFERENCES_SAID = 20;

function leftOutSentence(count: number): string {
  const found = count === 1 ? '1 opportunity' : `${count} opportunities`;
  return `Left out: ${found} that discovery would have found in markets of which only prices were recorded.`;
}

function sentenceOf({ present, proposed }: RehearsalResult): string {
  const differences = FILL_MODELS.map(
    (model) => (proposed.models[model].profit_usd - present.models[model].profit_usd) as Usd,
  ).toSorted((one, other) => one - other);
  const measured = (proposed.models.measured.profit_usd - present.models.measured.profit_usd) as Usd;
  const [least, , most] = differences;
  const range =
    least === undefined || most === undefined ? '' : ` (${signed(least)} to ${signed(most)} by how orders fill)`;
  const unwound = proposed.models.measured.unwound - present.models.measured.unwound;
  const worst = proposed.models.measured.worst_batch_usd;
  return [
    `${proposed.triggers} ${proposed.triggers === 1 ? 'trigger' : 'triggers'} instead of ${present.triggers}`,
    ...(unwound === 0 ? [] : [`${Math.abs(unwound)} ${unwound > 0 ? 'more' : 'fewer'} unwound`]),
    `${signed(measured)}${range}`,
    ...(worst === null ? [] : [`worst batch ${signed(worst)}`]),
    `limits hit ${timesOf(proposed.limit_hits)}`,
  ].join(', ');
}

function timesOf(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

function sayDifference(difference: RehearsalDifference): string {
  const {
    opportunity_id: id,
    title,
    present_triggers: before,
    proposed_triggers: after,
    profit_usd: profit,
  } = difference;
  const [first] = difference.moments;
  const since = first === undefined ? '' : `, first at ${instantToIso(first.at)}`;
  return `${id}  ${signed(profit.measured)}  ${after} instead of ${before} triggers${since}  ${title}`;
}

function signed(usd: Usd): string {
  return `${usd < 0 ? '-' : '+'}$${microToFixed(Math.abs(usd), 2)}`;
}
