import { Textarea } from '@mantine/core';
import styles from './json-pane.module.css';
import { ProblemList } from './problem-list.tsx';
import type { DraftState } from './use-draft.ts';

/** The draft as the text that a client of the API would send. */
export function JsonPane({ state }: { state: DraftState }) {
  const { text, textIsBroken, problems, typeText } = state;
  return (
    <div className={styles.pane}>
      <Textarea
        label="Opportunity as JSON"
        description="What the call takes; only market_combinations is needed"
        rows={18}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => typeText(currentTarget.value)}
        error={textIsBroken}
        classNames={{ input: styles.text }}
      />
      {textIsBroken && <ProblemList title="This says no opportunity yet" problems={problems} />}
    </div>
  );
}
