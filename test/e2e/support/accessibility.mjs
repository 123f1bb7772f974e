// What axe-core finds in a drawn page. It is run from outside the page, so the page keeps its content policy.
import axe from 'axe-core';

/**
 * Runs all rules of axe-core, its best practices too: one line for each element that breaks one, with what would mend it.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page with its document drawn
 * @returns {Promise<string[]>} empty where nothing is broken
 */
export async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    // A page without anything breaks nothing.
    if (found.passes.length < 10) return [`only ${found.passes.length} rules found anything to look at`];
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}
