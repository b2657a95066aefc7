import { NativeSelect, Tabs, Textarea } from '@mantine/core';
import { ProblemList } from './problem-list.tsx';
import { type DraftState, useDraft } from './use-draft.ts';
import '@mantine/core/styles/Tabs.layer.css';
import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from '../../../calls/api-error.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorBar, Note } from '../../../ui/states.tsx';
import styles from './add-opportunity-dialog.module.css';
import { previewQuery } from './add-queries.ts';
import { CreateButtons } from './create-buttons.tsx';
import { legsOf, nextLeg, toggled } from './draft.ts';
import { MarketSearch } from './market-search.tsx';
import { PositionList } from './position-list.tsx';
import { Terms } from './terms.tsx';
import { Valuation } from './valuation.tsx';

const PREVIEW_DELAY_MS = 300;

type AddOpportunityDialogProps = { opened: boolean; onClose: () => void };

/** Builds an opportunity by picking outcomes, or as JSON, with what it would be worth beside it. */
export function AddOpportunityDialog({ opened, onClose }: AddOpportunityDialogProps) {
  const [unsaved, setUnsaved] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title="Add Opportunity" size="min(1160px, 100%)" unsaved={unsaved}>
      <Builder onClose={onClose} onUnsaved={setUnsaved} />
    </Dialog>
  );
}

type BuilderProps = { onClose: () => void; onUnsaved: (unsaved: boolean) => void };

/** Lives as long as the dialog is open, so that each opening starts with nothing. */
function Builder({ onClose, onUnsaved }: BuilderProps) {
  const state = useDraft();
  const { isTouched } = state;
  const [tab, setTab] = useState<Tab>('search');
  useEffect(() => onUnsaved(isTouched), [isTouched, onUnsaved]);
  return (
    <div className={styles.panes}>
      <Inputs state={state} tab={tab} onTab={setTab} />
      <Outcome state={state} onClose={onClose} onBrokenText={() => setTab('json')} />
    </div>
  );
}

type Tab = 'search' | 'json';

type InputsProps = { state: DraftState; tab: Tab; onTab: (tab: Tab) => void };

/** The two ways to say what is in the set. */
function Inputs({ state, tab, onTab }: InputsProps) {
  const [chosenLeg, setChosenLeg] = useState<number>();
  const { positions } = state.draft;
  const legs = new Set(legsOf(positions).map(({ leg }) => leg));
  const intoLeg = chosenLeg !== undefined && legs.has(chosenLeg) ? chosenLeg : undefined;
  const pick = (market: MarketReply, outcome: string) => {
    state.noteQuestions([market]);
    state.edit((draft) => toggled(draft, { id: market.id, outcome }, intoLeg ?? nextLeg(draft.positions)));
  };
  return (
    <Tabs value={tab} onChange={(chosen) => onTab(chosen === 'json' ? 'json' : 'search')} className={styles.inputs}>
      <Tabs.List>
        <Tabs.Tab value="search">Search</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="search" className={styles.panel}>
        <NativeSelect
          size="xs"
          label="Pick into"
          className={styles.into}
          value={intoLeg ?? ''}
          data={[
            { value: '', label: 'A new leg each' },
            ...[...legs].map((leg) => ({ value: String(leg), label: `Leg ${leg}` })),
          ]}
          onChange={({ currentTarget: { value } }) => setChosenLeg(value === '' ? undefined : Number(value))}
        />
        <MarketSearch state={state} onPick={pick} />
      </Tabs.Panel>
      <Tabs.Panel value="json" className={styles.panel}>
        <JsonPane state={state} />
      </Tabs.Panel>
    </Tabs>
  );
}

type OutcomeProps = { state: DraftState; onClose: () => void; onBrokenText: () => void };

/** What comes of it: the positions, their value, and the button that creates it. */
function Outcome({ state, onClose, onBrokenText }: OutcomeProps) {
  const { data, error, isFetching, isCurrent, refetch } = usePreview(state);
  const preview = state.body === undefined ? undefined : data;
  const { noteQuestions } = state;
  useEffect(() => {
    const answered = data?.positions ?? [];
    noteQuestions(answered.flatMap(({ market_id: id, question }) => (question === null ? [] : [{ id, question }])));
  }, [data, noteQuestions]);
  return (
    <div className={styles.outcome}>
      {state.textIsBroken && (
        <Note
          tone="inactive"
          title="The JSON says no opportunity yet. This is what it said last; a change here replaces it."
        />
      )}
      <PositionList state={state} preview={preview} />
      <Terms state={state} />
      {error && state.body && <ErrorBar text={errorText(error)} onRetry={() => refetch()} retrying={isFetching} />}
      <Valuation preview={preview} isCurrent={isCurrent} />
      <CreateButtons state={state} onClose={onClose} onBrokenText={onBrokenText} />
    </div>
  );
}

function usePreview({ body }: DraftState) {
  const [asked] = useDebouncedValue(body, PREVIEW_DELAY_MS);
  const preview = useQuery(previewQuery(asked));
  return { ...preview, isCurrent: asked === body && !preview.isPlaceholderData };
}

/** The draft as the text that a client of the API would send. */
function JsonPane({ state }: { state: DraftState }) {
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
