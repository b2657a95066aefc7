/** Runs the work once the page has nothing else to do. Returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  // Not every browser tells when it is idle.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const request = window.requestIdleCallback(work);
  return () => window.cancelIdleCallback(request);
}
