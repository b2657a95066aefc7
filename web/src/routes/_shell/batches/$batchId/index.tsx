import { createFileRoute } from '@tanstack/react-router';
import { ORDER_SLOTS } from '../../../../app/batch-slots.tsx';
import { BatchDetails, type BatchSlots } from '../../../../features/batches/batch-details.tsx';
import { SellAllButton } from '../../../../features/selling/sell-all-button.tsx';
import { UnwindButton } from '../../../../features/selling/unwind-dialog.tsx';
import { lazyPart, PanelInSight } from '../../../../ui/lazy-part.tsx';

export const Route = createFileRoute('/_shell/batches/$batchId/')({
  component: BatchPage,
});

function BatchPage() {
  const { batchId } = Route.useParams();
  return <BatchDetails key={batchId} id={batchId} slots={SLOTS} />;
}

const BatchMoments = lazyPart(() =>
  import('../../../../features/flight-recorder/batch-moments.tsx').then((code) => code.BatchMoments),
);
const BatchResult = lazyPart(() =>
  import('../../../../features/report/batch-result-panel.tsx').then((code) => code.BatchResult),
);

const SLOTS: BatchSlots = {
  ...ORDER_SLOTS,
  books: ({ id }) => (
    // Its place is just below the first screen, which is to be there before its code is fetched.
    <PanelInSight title="Books Then" height={320} marginPx={0}>
      <BatchMoments id={id} />
    </PanelInSight>
  ),
  result: ({ id }) => (
    <PanelInSight title="Predicted and Realised" height={180}>
      <BatchResult id={id} />
    </PanelInSight>
  ),
  sellAll: (batch) => <SellAllButton batch={batch} />,
  unwind: (batch) => <UnwindButton batch={batch} />,
};
