/** Ends the browser's present task: whatever waits for the page, as its input and its paint, comes before what follows. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
