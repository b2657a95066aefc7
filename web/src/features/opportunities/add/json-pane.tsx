import { Textarea } from '@mantine/core';
import styles from './json-pane.module.css';
import type { DraftState } from './use-draft.ts';

/** The draft as the text that a client of the API would send. */
export function JsonPane({ state }: { state: DraftState }) {
  const { text, textIsBroken, typeText } = state;
  return (
    <Textarea
      label="Opportunity as JSON"
      description="What the call takes. Only market_combinations is needed."
      rows={18}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => typeText(currentTarget.value)}
      error={textIsBroken ? 'This text is no opportunity yet: the reasons stand beside Create.' : undefined}
      classNames={{ input: styles.text }}
    />
  );
}
