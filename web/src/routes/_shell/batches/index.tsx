import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { BatchList } from '../../../features/batches/batch-list.tsx';
import { type BatchSearch, batchSearchFrom } from '../../../features/batches/batch-search.ts';
import { NEWEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/batches/')({
  validateSearch: (raw: Partial<BatchSearch> & SearchSchemaInput) => batchSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NEWEST_FIRST)] },
  component: BatchList,
});
