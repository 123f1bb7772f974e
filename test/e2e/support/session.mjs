/** One VS Code for the tests of a file: started before them, ended after them, with a picture of each failure. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startHost } from '../../support/host.mjs';
import { hostFolder, projectRoot } from '../../support/vscode-host.mjs';
import { workbench } from './workbench.mjs';

/** Passed to the tests. @typedef {{ host: import('../../support/host.mjs').Host, window: import('./workbench.mjs').Workbench }} Session */

/**
 * HOST=minimum runs them on the oldest VS Code; VSIX names a package other than dist/unstuck.vsix.
 * @param {(() => import('../../support/host.mjs').HostOptions | Promise<import('../../support/host.mjs').HostOptions>)} [options]
 *   called once, before the start: the place to write fixtures
 * @returns {Session} filled before the first test
 */
export function useVSCode(options = () => ({})) {
  const session = /** @type {Session} */ ({});
  beforeAll(async () => {
    session.host = await startHost({
      hostDir: hostFolder(process.env.HOST ?? 'current'),
      vsix: process.env.VSIX ?? join(projectRoot, 'dist/unstuck.vsix'),
      ...(await options()),
    });
    session.window = workbench(session.host.page);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || !session.host) return;
    const name = `failed ${task.suite?.name ?? ''} ${task.name}`.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120);
    const picture = await session.host.screenshot(name).catch((error) => `none (${error.message})`);
    console.error(`What it looked like: ${picture}`);
    // There is no picture if only the log is kept.
    for (const frame of session.host.page.frames()) {
      const text = await frame.evaluate(() => document.body.innerText).catch(() => '');
      if (text.trim() !== '')
        console.error(`${frame.url().slice(0, 80)}:\n${text.replace(/\n+/g, '\n').slice(0, 2_000)}`);
    }
  });
  afterAll(() => session.host?.close());
  return session;
}
