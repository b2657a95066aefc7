import { createOpportunity } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, fieldProblems } from '../../../calls/api-error.ts';
import { call } from '../../../calls/call.ts';
import { useSingleMutation } from '../../../calls/single-mutation.ts';
import { ButtonRow } from '../../../ui/button-row.tsx';
import { Note } from '../../../ui/states.tsx';
import { opportunityListKey } from '../opportunity-queries.ts';
import { previewKey } from './add-queries.ts';
import type { NewOpportunity } from './draft-json.ts';
import { ProblemList } from './problem-list.tsx';
import type { DraftState } from './use-draft.ts';

type CreateButtonsProps = { state: DraftState; onClose: () => void; onBrokenText: () => void };

/**
 * Sends the draft. What stands in its way, here or at the server, is listed, and nothing of the draft is lost; what is
 * wrong with JSON is listed below that, where `onBrokenText` leads.
 */
export function CreateButtons({ state, onClose, onBrokenText }: CreateButtonsProps) {
  const { body, problems, draft, textIsBroken } = state;
  const [pressed, setPressed] = useState(false);
  const { create, sending, refusal } = useCreate(onClose);
  const isEmpty = draft.positions.length === 0 && !textIsBroken;
  const areShown = problems.length > 0 && !textIsBroken && (pressed || draft.positions.length > 0);
  return (
    <div className="stack">
      {areShown && <ProblemList title="It cannot be created like this" problems={problems} />}
      {refusal !== undefined && refusal.body === body && (
        <div role="alert">
          <Note tone="error" title="It was not created" lines={reasonsOf(refusal.error)} />
        </div>
      )}
      <ButtonRow>
        {isEmpty && <span className="hint">Choose what it buys first.</span>}
        <Button variant="default" disabled={sending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant={isEmpty ? 'default' : 'filled'}
          loading={sending}
          onClick={() => {
            setPressed(true);
            if (textIsBroken) onBrokenText();
            if (body !== undefined) create(body);
          }}
        >
          Create
        </Button>
      </ButtonRow>
    </div>
  );
}

function useCreate(onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<{ body: NewOpportunity; error: Error }>();
  const { start, isPending } = useSingleMutation({
    mutationFn: (body: NewOpportunity) => call(createOpportunity, { query: {}, body }),
    onSuccess: ({ id }) => {
      onClose();
      void client.invalidateQueries({ queryKey: opportunityListKey });
      void navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: id } });
    },
    onError: (error, body) => {
      setRefusal({ body, error });
      // Another user may have added it meanwhile: then the preview knows who.
      void client.invalidateQueries({ queryKey: previewKey });
    },
    meta: { success: 'Arbitrage opportunity created successfully' },
  });
  return { create: start, sending: isPending, refusal };
}

function reasonsOf(error: Error): readonly string[] {
  const named = Object.entries(fieldProblems(error)).map(([field, message]) => `${field}: ${message}`);
  return named.length > 0 ? named : [errorText(error)];
}
