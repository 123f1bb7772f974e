/**
 * Vendors' agents on machine A, installed and offline against a scripted model: one gets stuck, a window on B sees it and nudges it, the
 * agent's own hook takes the message, and its next request to the model has it.
 */
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loopScript, TASK } from '../agents/actions/loop.mjs';
import { claudeCode } from '../agents/agents/claude-code.mjs';
import { codex } from '../agents/agents/codex.mjs';
import { buildParts } from '../agents/support/build.mjs';
import { programOf } from '../agents/support/install.mjs';
import { reaches, temporary, until } from './support/fleet.mjs';
import { namespace } from './support/network.mjs';
import { VendorFleet } from './support/vendor.mjs';

const WORDS = 'Read how src/price.js makes the total, repair it, and run the test once more.';

let scratch;
let built;
beforeAll(async () => {
  scratch = temporary('vendor');
  built = await buildParts(scratch);
});
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** Returns what took a message from the inbox. */
async function takenBy({ workspace }, session, id) {
  const { readReceipts, inboxFolder } = built.parts;
  const receipts = (await readReceipts(inboxFolder(workspace, session))).value;
  return receipts.find((receipt) => receipt.id === id && receipt.state === 'taken')?.by;
}

for (const agent of [claudeCode, codex]) {
  const { program, why } = programOf(agent);
  if (!program) console.log(`skipped ${agent.name} ${agent.version}: ${why}`);

  describe.skipIf(!program)(`${agent.name} ${agent.version} on another machine`, () => {
    let fleet;
    let network;
    let sent;

    beforeAll(async () => {
      network = namespace('v', '10.213.78');
      console.log(
        network ? 'machine A has a network namespace of its own: TLS' : 'no network namespace: all on loopback',
      );
      fleet = await VendorFleet.start({ agent, program, built, network, allow: 'nudge', hooked: true });
    });
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') console.log(fleet?.lastWords());
    });
    afterAll(async () => {
      await fleet?.stop();
      network?.end();
    });

    it('is seen stuck, and can be nudged', async () => {
      fleet.model.play(loopScript(agent, ({ text }) => text.includes(WORDS)));
      fleet.run(agent.command(program, TASK));
      const seen = await until('it is stuck', () => fleet.agent()?.record.state.kind === 'stuck' && fleet.agent());
      expect(seen.record).toMatchObject({ machine: 'alpha', agent: agent.id, accepts: ['nudge'] });
      expect(seen.record.incidents).toHaveLength(1);
      expect(seen.record.incidents[0].evidence.length).toBeGreaterThan(2);
    });

    it('takes a nudge through its own hook: its next request has the words, and the receipts come back', async () => {
      const { key, record } = fleet.agent();
      const clicked = Date.now();
      const message = { machine: 'alpha', key, action: 'nudge', text: WORDS, incident: record.incidents[0].id };
      sent = fleet.window.send(message);
      expect(sent.ok).toBe(true);
      const queued = await reaches(sent.value, 'queued');
      const request = await fleet.model.request('with the nudge', ({ text }) => text.includes(WORDS));
      expect(request.text).toContain(built.parts.markOf(sent.value.id));
      const taken = await reaches(sent.value, 'taken');
      expect(await takenBy(fleet.sandbox, record.session, sent.value.id)).toMatch(/^hook:/);
      const acted = await reaches(sent.value, 'acted');
      expect(sent.value.steps().find(({ state }) => state === 'acted').outcome).toBe('changed');
      const times = `queued ${queued} ms, taken ${taken} ms, in its request ${request.at - clicked} ms`;
      console.log(`${agent.name}: after the click ${times}, acted ${acted} ms`);
    });

    it('is freed, and the nudge gets the credit', async () => {
      const { key } = fleet.agent();
      const { code } = await fleet.sandbox.end(fleet.running);
      expect(code).toBe(0);
      const event = await until('the incident ended by the nudge', async () => {
        const read = await fleet.window.timeline({ machine: 'alpha', key });
        return read.ok && read.value.map((one) => one.event).find((one) => one.incident?.state === 'recovered');
      });
      expect(event.incident).toMatchObject({ outcome: 'nudge', attempts: [{ message: sent.value.id, kind: 'nudge' }] });
      expect(fleet.agent().record.deliveries.map(({ id }) => id)).toEqual([sent.value.id]);
      expect(fleet.sandbox.git('diff', '--stat')).toContain('src/price.js');
    });
  });
}
