/** A draft as JSON text and back, judged by the contract: what the create call takes is what stands in the text. */
import { opportunityCreate } from '@dutchbook/contract/opportunities.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { type Draft, EMPTY_DRAFT, legsOf } from './draft.ts';

export type NewOpportunity = z.output<typeof opportunityCreate>;

/** What is wrong, and where: `market_combinations[0].markets[1].id`, or a line of the text. */
export type Problem = { place: string; message: string };

type Judged = { body: NewOpportunity } | { problems: readonly Problem[] };

const inEnglish = { error: en().localeError };

/** The call's body as it goes over the wire; a target price that is no number stays as typed, to be refused. */
export function wireOf({ positions, targetPrice, active, source, sourceDetails }: Draft) {
  const typed = targetPrice.trim();
  return {
    market_combinations: legsOf(positions),
    target_price: /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed,
    active,
    ...(source === '' ? {} : { source }),
    ...(sourceDetails === '' ? {} : { source_details: sourceDetails }),
  };
}

export function judge(wire: unknown): Judged {
  const read = z.safeDecode(opportunityCreate, wire as z.input<typeof opportunityCreate>, inEnglish);
  if (read.success) return { body: read.data };
  return { problems: read.error.issues.map(({ path, message }) => ({ place: placeOf(path), message })) };
}

export function textOf(draft: Draft): string {
  return JSON.stringify(wireOf(draft), null, 2);
}

/** The draft that a text says, or every reason why it says none. */
export function draftFromText(text: string): { draft: Draft } | { problems: readonly Problem[] } {
  let wire: unknown;
  try {
    wire = JSON.parse(text);
  } catch (error) {
    return { problems: [syntaxProblem(error)] };
  }
  const judged = judge(wire);
  return 'problems' in judged ? judged : { draft: draftOf(judged.body) };
}

function draftOf({ market_combinations, target_price, active, source, source_details }: NewOpportunity): Draft {
  return {
    positions: market_combinations.flatMap(({ leg, markets }) => markets.map((market) => ({ leg, ...market }))),
    targetPrice: target_price === undefined ? EMPTY_DRAFT.targetPrice : microToText(target_price),
    active,
    source: source ?? '',
    sourceDetails: source_details ?? '',
  };
}

/** Browsers word it differently; most of them name the line. */
function syntaxProblem(error: unknown): Problem {
  const said = error instanceof Error ? error.message : String(error);
  const [, line, column] = /line (\d+),? column (\d+)/.exec(said) ?? [];
  const somewhere = /end of/.test(said) ? 'The end' : 'The text';
  const place = line === undefined ? somewhere : `Line ${line}, column ${column}`;
  return { place, message: `Not JSON: ${said.replace(/^JSON\.parse: /, '').replace(/ in JSON at position .*$/, '')}` };
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
  return place === '' ? 'The whole' : place;
}
