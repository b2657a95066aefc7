import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Checkbox, TextInput } from '@mantine/core';
import { Note } from '../../../ui/states.tsx';
import { TARGET_PRICE_RULE } from '../edit-draft.ts';
import type { Problem } from './draft-json.ts';
import styles from './terms.module.css';
import type { DraftState } from './use-draft.ts';
import type { WholeEvent } from './whole-event.ts';

/** What is said of the set as a whole. */
export function Terms({ state }: { state: DraftState }) {
  const { draft, edit, wholeEvent, targetWarning } = state;
  return (
    <div className={styles.terms}>
      {targetWarning && (
        <div className={styles.warning}>
          <Note tone="warning" title="The target price may be too high" lines={[targetWarning]} />
        </div>
      )}
      <TextInput
        label="Target Price"
        inputMode="decimal"
        autoComplete="off"
        value={draft.targetPrice}
        onChange={({ currentTarget: { value } }) => edit((current) => ({ ...current, targetPrice: value }))}
        error={targetPriceProblem(state.problems)}
        description={wholeEvent === undefined ? 'What one set pays in the end' : reasonFor(wholeEvent)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <TextInput
        label="Source"
        autoComplete="off"
        maxLength={200}
        value={draft.source}
        onChange={({ currentTarget: { value } }) => edit((current) => ({ ...current, source: value }))}
      />
      <TextInput
        label="Source Details"
        autoComplete="off"
        maxLength={2_000}
        value={draft.sourceDetails}
        onChange={({ currentTarget: { value } }) => edit((current) => ({ ...current, sourceDetails: value }))}
      />
      <Checkbox
        label="Active: watched and, where that is switched on, placed automatically"
        checked={draft.active}
        onChange={({ currentTarget: { checked } }) => edit((current) => ({ ...current, active: checked }))}
        className={styles.active}
      />
    </div>
  );
}

function reasonFor({ side, outcomes }: WholeEvent): string {
  return side === 'YES' ? `One of ${outcomes} outcomes wins` : `${outcomes - 1} of ${outcomes} outcomes do not win`;
}

function targetPriceProblem(problems: readonly Problem[]): string | undefined {
  return problems.some(({ place }) => place === 'target_price') ? TARGET_PRICE_RULE : undefined;
}
