/** One change as it was sent: `text` is the whole frame. */
export type SentEvent = { seq: number; topic: string; text: string };

const LENGTH = 1000;
/** A topic stays on record this long after its last listener left, so that a listener that comes back has missed nothing. */
export const KEPT_AFTER_LEAVING_MS = 60_000;

/** The last changes that were sent, and since when each topic's changes are all among them. */
export type History = {
  latestSeq: () => number;
  /** Records a change under the next number. */
  append: (topic: string, write: (seq: number) => string) => SentEvent;
  /** From now on all changes of `topic` are recorded. */
  begin: (topic: string) => void;
  end: (topic: string) => void;
  covers: (topic: string) => boolean;
  topics: () => string[];
  /** Something may be missing before this moment: no number given away so far covers anything any more. */
  gap: () => void;
  /** What was sent on the topics after `seq`; null when that is not known in full. */
  since: (seq: number, topics: readonly string[]) => SentEvent[] | null;
};

/**
 * Numbers rise in steps of this, and of two processes each has its own in between: a tab that goes from one to the other
 * is not believed to know what it has never been sent.
 */
export const SEQ_STEP = 1024;

/** `firstSeq` lies above every number that an earlier process has given away, so that none of those is believed. */
export function keepHistory(firstSeq: number): History {
  const events: SentEvent[] = [];
  const beginnings = new Map<string, number>();
  let seq = firstSeq;
  let droppedSeq = firstSeq;
  return {
    latestSeq: () => seq,
    append: (topic, write) => {
      seq += SEQ_STEP;
      const event = { seq, topic, text: write(seq) };
      events.push(event);
      if (events.length > LENGTH) droppedSeq = events.shift()?.seq ?? droppedSeq;
      return event;
    },
    begin: (topic) => {
      if (beginnings.has(topic)) return;
      // Numbers given away before this moment do not cover the topic.
      seq += SEQ_STEP;
      beginnings.set(topic, seq);
    },
    end: (topic) => void beginnings.delete(topic),
    covers: (topic) => beginnings.has(topic),
    topics: () => [...beginnings.keys()],
    gap: () => {
      seq += SEQ_STEP;
      droppedSeq = seq;
      events.length = 0;
    },
    since: (from, topics) => {
      const known = (topic: string) => from >= (beginnings.get(topic) ?? Number.POSITIVE_INFINITY);
      if ((from - firstSeq) % SEQ_STEP !== 0 || from > seq || from < droppedSeq || !topics.every(known)) return null;
      return events.filter((event) => event.seq > from && topics.includes(event.topic));
    },
  };
}
