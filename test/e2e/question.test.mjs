/**
 * A person's question to ten agents of three folders in a real VS Code, of which three are stuck and one waits for permission: which one needs me,
 * why, where, since when? Answered by a script that reads the first picture only, as the text of its accessibility tree.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from './support/session.mjs';
import { writeTenAgents } from './support/ten-agents.mjs';

const soon = { timeout: 60_000 };

/** What somebody can say who hears the rows of the sidebar and the status bar read out, and nothing else. @param {string} tree */
function answersOf(tree) {
  const lines = tree.split('\n');
  const counts = /(?<needing>\d+) needs? you · (?<stuck>\d+) stuck/.exec(tree)?.groups ?? {};
  const rows = lines.flatMap((line) => {
    const label = /treeitem "(?<label>(?:[^"\\]|\\.)*)"/.exec(line)?.groups?.label;
    return label === undefined ? [] : [label];
  });
  const agents = rows.flatMap((label) => {
    const said =
      /^(?<who>.+), (?<state>waits for you|stuck|working), (?:(?<since>\d+ (?:seconds?|minutes?|hours?)), )?(?<agent>Claude Code), (?<where>.+?)(?:, (?<why>[^,]+: .+))?$/.exec(
        label,
      )?.groups;
    return said ? [{ ...said }] : [];
  });
  return { ...counts, agents };
}

describe('Which of ten agents needs me', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const agents = writeTenAgents({ root });
  const session = useVSCode(() => ({ workspace: agents.workspace, home: agents.home }));

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('is answered by the first picture: who, why, where, since when', async () => {
    const { window, host } = session;
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    await window.row('Bump the base image').waitFor();
    agents.goOn();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 needs you · 3 stuck');
    // The rows are drawn a moment after the status bar.
    await expect
      .poll(async () => answersOf(await window.page.locator('body').ariaSnapshot()).agents.length, soon)
      .toBe(10);
    const tree = await window.page.locator('body').ariaSnapshot();
    await window.screenshot('question');
    const answers = answersOf(tree);
    console.log(answers.agents.slice(0, 4));
    expect(answers).toMatchObject({ needing: '1', stuck: '3' });
    const [first, ...others] = answers.agents;
    expect(first).toEqual({
      who: 'Rename the billing tables',
      state: 'waits for you',
      since: expect.stringMatching(/^\d+ (seconds?|minutes?)$/),
      agent: 'Claude Code',
      where: 'billing',
      why: 'Asks: Run the migration on the dev database?',
    });
    const stuck = others.slice(0, 3);
    expect(new Map(stuck.map(({ who, where, why }) => [who, `${where}: ${why?.replace(/\d+/, 'n')}`]))).toEqual(
      new Map([
        ['Fix the flaky checkout test', 'shop, main: npm test -- checkout: same result n times'],
        ['Fix the import error', 'shop, fix-import: pytest -q: same result n times'],
        ['Port the date parser', 'dates: npm run build: same result n times'],
      ]),
    );
    for (const { state, since } of stuck)
      expect({ state, since }).toEqual({ state: 'stuck', since: expect.stringMatching(/^\d+ (seconds?|minutes?)$/) });
    expect(others.slice(3).map(({ state }) => state)).toEqual(Array(6).fill('working'));
  });
});
