import { explainWatched, type WhyAnswer } from '@dutchbook/contract/discovery/census.ts';
import { Box, Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import styles from './why-watched.module.css';

const LENGTH_MAX = 500;

type WhyWatchedProps = { asked: string; onAsk: (asked: string) => void };

/** Says of any event or market why it is watched, or why not. */
export function WhyWatched({ asked, onAsk }: WhyWatchedProps) {
  return (
    <Panel title="Why Is This Watched?">
      <WhyForm key={asked} asked={asked} onAsk={onAsk} />
      {asked !== '' && <Answers asked={asked} />}
    </Panel>
  );
}

function WhyForm({ asked, onAsk }: WhyWatchedProps) {
  const [text, setText] = useState(asked);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(text.trim());
      }}
    >
      <TextInput
        className={styles.field}
        label="Event or market"
        placeholder="Address, ID or text"
        maxLength={LENGTH_MAX}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">Ask</Button>
    </form>
  );
}

function Answers({ asked }: { asked: string }) {
  const read = useQuery(callQuery(['whyWatched', asked], explainWatched, { query: { q: asked } }));
  const { data, error } = read;
  if (error) return <LoadError of={read} text="Error asking why" />;
  if (data === undefined) return <Skeleton height={64} mt={12} />;
  if (data.data.length === 0)
    return (
      <Box component="p" mt={12} className="hint" role="status">
        No event or market that was read matches “{asked}”.
      </Box>
    );
  return (
    <ul className={styles.answers} aria-label="Answers">
      {data.data.map((answer) => (
        <Answer key={`${answer.kind} ${answer.id}`} answer={answer} />
      ))}
    </ul>
  );
}

function Answer({ answer: { kind, id, title, watched, sentence, relation_ids } }: { answer: WhyAnswer }) {
  return (
    <li>
      <p className={styles.head}>
        <StatusBadge tone={watched ? 'success' : 'inactive'}>{watched ? 'Watched' : 'Not watched'}</StatusBadge>
        <strong>{title}</strong>
        <span className="hint">
          {statusWords(kind)} {id}
        </span>
      </p>
      <p>{sentence}</p>
      {relation_ids.length > 0 && (
        <p className={styles.links}>
          {relation_ids.map((relationId, nth) => (
            <Link key={relationId} to="/discover/$relationId" params={{ relationId }} title={relationId}>
              {relation_ids.length === 1 ? 'Its relation' : `Relation ${nth + 1}`}
            </Link>
          ))}
        </p>
      )}
    </li>
  );
}
