import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Segments } from '../../forms/segments.tsx';
import { dayOfMoment, timeOfMoment } from './moment-time.ts';
import { type Mark, percentAlong, placeAt, reachedBy, type Span } from './playing.ts';
import styles from './scrubber.module.css';

export type UnknownSpan = Span & { reason: string };

type ScrubberProps = {
  span: Span;
  at: Instant;
  moments: readonly { at: Instant }[];
  marks: readonly Mark[];
  unknown: readonly UnknownSpan[];
  onMove: (at: Instant) => void;
};

const TICK_MS = 50;
const SPEEDS = [
  { value: '1', label: '1x' },
  { value: '10', label: '10x' },
];

/** Goes through the moments of a span by hand, by keys, from mark to mark, or as they went by. */
export function Scrubber({ span, at, moments, marks, unknown, onMove }: ScrubberProps) {
  const player = usePlayer(span, at, onMove);
  const go = (next: Instant | undefined) => {
    if (next === undefined) return;
    player.pause();
    onMove(next);
  };
  const reach = (key: string) => reachedBy(key, at, { moments, marks, span });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = reach(event.key);
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  return (
    <div className={styles.scrubber}>
      <div className={styles.controls}>
        <Button size="compact-sm" onClick={player.isPlaying ? player.pause : player.play}>
          {player.isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Segments
          aria-label="Speed"
          data={SPEEDS}
          value={String(player.speed)}
          onChange={(value) => player.setSpeed(Number(value))}
        />
        <Button size="compact-sm" variant="default" disabled={at <= span.from} onClick={() => go(reach('ArrowLeft'))}>
          Previous
        </Button>
        <Button size="compact-sm" variant="default" disabled={at >= span.until} onClick={() => go(reach('ArrowRight'))}>
          Next
        </Button>
        <p className={styles.time}>
          <strong>{timeOfMoment(at)}</strong> {dayOfMoment(at)}
        </p>
      </div>
      <div className={styles.line}>
        <div className={styles.behind} aria-hidden="true">
          {unknown.map(({ from, until, reason }) => (
            <span
              key={`${from} ${reason}`}
              className={styles.unknown}
              title={`Not known: ${reason}`}
              style={{
                left: `${percentAlong(span, from)}%`,
                width: `${percentAlong(span, until) - percentAlong(span, from)}%`,
              }}
            />
          ))}
          {marks.map((mark) => (
            <button
              key={mark.at}
              type="button"
              tabIndex={-1}
              className={styles.mark}
              title={mark.text}
              style={{ left: `${percentAlong(span, mark.at)}%` }}
              onClick={() => go(mark.at)}
            />
          ))}
        </div>
        <input
          className={styles.slider}
          type="range"
          aria-label="Moment"
          aria-valuetext={timeOfMoment(at)}
          min={span.from}
          max={span.until}
          step={1}
          value={at}
          onKeyDown={onKeyDown}
          onChange={({ currentTarget }) => go(instantFromMs(currentTarget.valueAsNumber))}
        />
      </div>
      <Marks marks={marks} at={at} onGo={go} />
      {unknown.length > 0 && (
        <ul className={styles.reasons}>
          {unknown.map(({ from, until, reason }) => (
            <li key={`${from} ${reason}`}>
              <span className={styles.hatch} aria-hidden="true" />
              Not known from {timeOfMoment(from)} to {timeOfMoment(until)}: {reason}
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden">
        {moments.length} moments. The arrow keys step through them
        {marks.length > 0 && ', Page Up and Page Down go from event to event'}.
      </p>
    </div>
  );
}

type MarksProps = { marks: readonly Mark[]; at: Instant; onGo: (at: Instant) => void };

/** The marks of the line as a list, for keyboard and screen reader. */
function Marks({ marks, at, onGo }: MarksProps) {
  if (marks.length === 0) return null;
  const current = marks[0] !== undefined && marks[0].at <= at ? marks[placeAt(marks, at)]?.at : undefined;
  return (
    <ul className={styles.marks} aria-label="Events">
      {marks.map((mark) => (
        <li key={mark.at}>
          <button
            type="button"
            aria-current={mark.at === current ? 'step' : undefined}
            title={timeOfMoment(mark.at)}
            onClick={() => onGo(mark.at)}
          >
            {mark.text}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Moves on as fast as time did, or ten times as fast, until the end. */
function usePlayer({ from, until }: Span, at: Instant, onMove: (at: Instant) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const latest = useRef({ at, onMove });
  useEffect(() => {
    latest.current = { at, onMove };
  });
  useEffect(() => {
    if (!isPlaying) return;
    const begun = { at: latest.current.at, ms: performance.now() };
    const timer = setInterval(() => {
      const next = Math.min(until, Math.round(begun.at + (performance.now() - begun.ms) * speed));
      latest.current.onMove(instantFromMs(next));
      if (next >= until) setPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, until]);
  return {
    isPlaying,
    speed,
    setSpeed,
    pause: () => setPlaying(false),
    play: () => {
      if (at >= until) onMove(from);
      setPlaying(true);
    },
  };
}
