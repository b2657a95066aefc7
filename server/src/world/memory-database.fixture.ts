import { PGlite } from '@electric-sql/pglite';

/** PGlite that lives and dies with the process; `template` is another one's dump to begin with. */
export async function openMemoryDatabase(template?: Blob): Promise<PGlite> {
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'timezone=UTC'];
  return PGlite.create({ startParams, ...(template && { loadDataDir: template }) });
}
