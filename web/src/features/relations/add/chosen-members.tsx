import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { ActionIcon } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import styles from './add-relation-dialog.module.css';

/** A market that is to be a member, with what it is called. */
export type Chosen = Pick<MarketReply, 'id' | 'question' | 'event'>;

type ChosenMembersProps = {
  members: readonly Chosen[];
  /** Whether each implies the next. */
  isOrdered: boolean;
  /** What is wrong with them together. */
  error: ReactNode;
  /** What is wrong with one of them, by its id. */
  refusedAt: ReadonlyMap<string, string>;
  onChange: (members: readonly Chosen[]) => void;
};

/** The members as they will be stored; of a ladder the order can be changed. */
export function ChosenMembers({ members, isOrdered, error, refusedAt, onChange }: ChosenMembersProps) {
  const heading = useId();
  const swap = (place: number) => onChange(swapped(members, place));
  return (
    <section aria-labelledby={heading} className={styles.members}>
      <h3 id={heading}>{isOrdered ? 'Members, hardest first: each implies the next' : 'Members'}</h3>
      {members.length === 0 ? (
        <p className={styles.muted}>None yet. Find markets and add two or more, of one event or of several.</p>
      ) : (
        <ol className={styles.chosen}>
          {members.map((member, place) => (
            <li key={member.id}>
              <div className={styles.question}>
                <p>{member.question}</p>
                {member.event && <p className={styles.muted}>{member.event.title}</p>}
                {isOrdered && place < members.length - 1 && <p className={styles.implies}>implies</p>}
                {refusedAt.has(member.id) && (
                  <p className={styles.error} role="alert">
                    {refusedAt.get(member.id)}
                  </p>
                )}
              </div>
              <div className={styles.tools}>
                {isOrdered && (
                  <>
                    <Tool name="Harder" of={member} isIdle={place === 0} onPress={() => swap(place - 1)} />
                    <Tool name="Easier" of={member} isIdle={place === members.length - 1} onPress={() => swap(place)} />
                  </>
                )}
                <Tool
                  name="Remove"
                  of={member}
                  onPress={() => onChange(members.filter(({ id }) => id !== member.id))}
                />
              </div>
            </li>
          ))}
        </ol>
      )}
      {error && refusedAt.size === 0 && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </section>
  );
}

const DRAWN = { Harder: '↑', Easier: '↓' } as const;

type ToolProps = { name: keyof typeof DRAWN | 'Remove'; of: Chosen; isIdle?: boolean; onPress: () => void };

/** One with nothing to do keeps the focus, where a member has reached an end of the list. */
function Tool({ name, of: { question }, isIdle = false, onPress }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${name}: ${question}`}
      title={name}
      aria-disabled={isIdle}
      className={styles.tool}
      onClick={() => {
        if (!isIdle) onPress();
      }}
    >
      {name === 'Remove' ? <Icon name="trash" size={16} /> : <span aria-hidden="true">{DRAWN[name]}</span>}
    </ActionIcon>
  );
}

/** With the member at `place` and the next one changed over. */
function swapped(members: readonly Chosen[], place: number): readonly Chosen[] {
  const next = [...members];
  const moved = next.splice(place, 1);
  next.splice(place + 1, 0, ...moved);
  return next;
}
