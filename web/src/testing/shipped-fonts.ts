/** Holds every screen to the fonts that the product ships: what another font draws looks otherwise on another machine. */
import { expect } from 'vitest';
import { cdp } from 'vitest/browser';

/** The characters whose font has been looked at, by the list of fonts that they are drawn from. */
const inspected = new Map<string, Set<string>>();

/** Every character of the page is drawn by a font of the product; each is looked at once, however many screens show it. */
export async function expectShippedFonts(what: string): Promise<void> {
  for (const [fonts, text] of textByFonts()) {
    const characters = notYetInspected(fonts, text);
    if (characters.length === 0) continue;
    expect.soft(await drawnByOthers(characters, fonts), `${what}: not drawn by a font of the product`).toEqual([]);
  }
}

function textByFonts(): Map<string, string> {
  const byFonts = new Map<string, string>();
  const add = (element: Element, text: string) => {
    const { fontFamily } = getComputedStyle(element);
    byFonts.set(fontFamily, (byFonts.get(fontFamily) ?? '') + text);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (parentElement?.matches(':not(style, script)')) add(parentElement, textContent ?? '');
  }
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'))
    add(field, field.value + field.placeholder);
  return byFonts;
}

function notYetInspected(fonts: string, text: string): readonly string[] {
  const known = inspected.get(fonts) ?? new Set();
  inspected.set(fonts, known);
  // Spaces are drawn by none.
  const fresh = [...new Set(text.replaceAll(/\s/g, ''))].filter((character) => !known.has(character));
  for (const character of fresh) known.add(character);
  return fresh;
}

/** Which of `characters` are drawn by a font that is not the page's own, and by which: only the inspector of the browser says. */
async function drawnByOthers(characters: readonly string[], fonts: string): Promise<string[]> {
  const probe = document.body.appendChild(document.createElement('p'));
  probe.id = 'font-probe';
  probe.style.fontFamily = fonts;
  probe.append(
    ...characters.map((character) => Object.assign(document.createElement('i'), { textContent: character })),
  );
  // Being measured, they have the files of their fonts loaded.
  probe.getBoundingClientRect();
  await document.fonts.ready;
  const inspector = cdp();
  await inspector.send('DOM.enable');
  await inspector.send('CSS.enable');
  try {
    await inspector.send('DOM.getDocument', { depth: 0 });
    const { result } = await inspector.send('Runtime.evaluate', { expression: FIND_PROBE });
    const { nodeId } = await inspector.send('DOM.requestNode', { objectId: result.objectId ?? '' });
    const { nodeIds } = await inspector.send('DOM.querySelectorAll', { nodeId, selector: 'i' });
    expect(nodeIds).toHaveLength(characters.length);
    const used = await Promise.all(nodeIds.map((id) => inspector.send('CSS.getPlatformFontsForNode', { nodeId: id })));
    return used.flatMap((of, nth) => {
      const others = of.fonts.filter(({ isCustomFont }) => !isCustomFont);
      return others.map(({ familyName }) => `${characters[nth]} of ${fonts}: ${familyName}`);
    });
  } finally {
    await inspector.send('CSS.disable');
    await inspector.send('DOM.disable');
    probe.remove();
  }
}

/** The tests run in a frame, the inspector looks at the page around it. */
const FIND_PROBE = `[...document.querySelectorAll('iframe')]
  .map(({ contentDocument }) => contentDocument.getElementById('font-probe')).find(Boolean)`;
