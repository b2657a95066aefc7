import type { MarketReply } from '@dutchbook/contract/markets.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { useCallback, useMemo, useState } from 'react';
import { type Draft, EMPTY_DRAFT, type EventSide } from './draft.ts';
import { draftFromText, judge, type NewOpportunity, type Problem, textOf, wireOf } from './draft-json.ts';
import { isWhole, targetWarning, type WholeEvent, wholeEventOf } from './whole-event.ts';

type Asked = { id: string; question: string };

export type DraftState = {
  draft: Draft;
  /** The draft as text: as it was typed, or else written from the draft. */
  text: string;
  /** What can be sent; `undefined` while there are problems. */
  body: NewOpportunity | undefined;
  problems: readonly Problem[];
  /** The text was typed and says no opportunity, so the draft is what it said last. */
  textIsBroken: boolean;
  isTouched: boolean;
  /** The event of which the draft holds all, until it is changed by hand. */
  wholeEvent: WholeEvent | undefined;
  /** Why the target price that came with an event may be too high for the set as it is. */
  targetWarning: string | undefined;
  questionOf: (marketId: MarketId) => string | undefined;
  edit: (change: (draft: Draft) => Draft) => void;
  typeText: (text: string) => void;
  noteQuestions: (markets: readonly Asked[]) => void;
  takeWholeEvent: (markets: readonly MarketReply[], side: EventSide) => void;
};

const noProblems: readonly Problem[] = [];

/** One draft that is built by picking and by typing JSON; the last of the two to change leads. */
export function useDraft(): DraftState {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [typed, setTyped] = useState<{ text: string; problems: readonly Problem[] }>();
  const [wholeEvent, setWholeEvent] = useState<WholeEvent>();
  const [questions, setQuestions] = useState<ReadonlyMap<string, string>>(new Map());
  const judged = useMemo(() => judge(wireOf(draft)), [draft]);

  const edit = useCallback((change: (draft: Draft) => Draft) => {
    setDraft(change);
    setTyped(undefined);
  }, []);
  const noteQuestions = useCallback((markets: readonly Asked[]) => {
    setQuestions((known) => new Map([...known, ...markets.map(({ id, question }) => [id, question] as const)]));
  }, []);
  const typeText = (text: string) => {
    const read = draftFromText(text);
    setTyped({ text, problems: 'problems' in read ? read.problems : noProblems });
    if ('problems' in read) return;
    setDraft(read.draft);
    setWholeEvent(undefined);
  };
  const takeWholeEvent = (markets: readonly MarketReply[], side: EventSide) => {
    noteQuestions(markets);
    const event = wholeEventOf(draft, markets, side);
    edit((current) => ({ ...current, ...event.set }));
    setWholeEvent(event);
  };

  const textIsBroken = typed !== undefined && typed.problems.length > 0;
  const problems = textIsBroken ? typed.problems : 'problems' in judged ? judged.problems : noProblems;
  return {
    draft,
    text: typed?.text ?? textOf(draft),
    body: textIsBroken || 'problems' in judged ? undefined : judged.body,
    problems,
    textIsBroken,
    isTouched: draft !== EMPTY_DRAFT || typed !== undefined,
    wholeEvent: wholeEvent && isWhole(draft, wholeEvent) ? wholeEvent : undefined,
    targetWarning: wholeEvent && targetWarning(draft, wholeEvent),
    questionOf: (id) => questions.get(id),
    edit,
    typeText,
    noteQuestions,
    takeWholeEvent,
  };
}
