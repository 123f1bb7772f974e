// What axe-core finds in a drawn page. It runs from outside the page, so the page keeps its content policy.
import axe from 'axe-core';

/**
 * Runs all rules of axe-core, its best practices too: one line for each element that breaks one, with how to fix it.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page with its document drawn
 * @param {'all' | 'colour'} [rules] `colour`: only those that a theme can break
 * @returns {Promise<string[]>} empty if nothing is broken
 */
export async function violations(page, rules = 'all') {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (wanted) => {
    const found = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
      ...(wanted === 'colour' && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
    });
    // An empty page breaks nothing.
    if (found.passes.length < (wanted === 'all' ? 10 : 1))
      return [`only ${found.passes.length} rules found anything to look at`];
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }, rules);
}
