/**
 * Stop and restart from another machine. On A the real Claude Code works under `unstuck run`, offline against a scripted model; a window on B
 * restarts it and stops it. A relay that was not started with `--allow restart,stop` refuses both, whoever sends them.
 */
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HISTORY, loopScript, TASK } from '../agents/actions/loop.mjs';
import { claudeCode as agent } from '../agents/agents/claude-code.mjs';
import { programOf } from '../agents/support/install.mjs';
import { CLI, raw, reaches, until } from './support/fleet.mjs';
import { namespace } from './support/network.mjs';
import { VendorFleet } from './support/vendor.mjs';

const { jetstream } = createRequire(import.meta.url)('@nats-io/jetstream');
const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before the next test.';

const { program, why } = programOf(agent);
if (!program) console.log(`skipped ${agent.name} ${agent.version}: ${why}`);

describe.skipIf(!program)(`${agent.name} ${agent.version} under the supervisor of another machine`, () => {
  let fleet;
  let network;
  let supervisor;
  /** Kept, because a relay that was restarted shows no agent until it has read its transcripts. */
  let id;
  /** Actions that the supervisor reported. */
  const said = (event) =>
    supervisor.stderr
      .split('\n')
      .filter((line) => line.includes('"supervisor"'))
      .map((line) => JSON.parse(line))
      .filter((one) => one.event === event);

  beforeAll(async () => {
    network = namespace('s', '10.213.79');
    console.log(
      network ? 'machine A has a network namespace of its own: TLS' : 'no network namespace: all on loopback',
    );
    fleet = await VendorFleet.start({ agent, program, network, allow: 'nudge', hooked: false });
    fleet.model.play(loopScript(agent, () => false));
    const words = ['run', '--agent', agent.id, '--json', ...agent.args.map((word) => `--args=${word}`)];
    const command = [process.execPath, CLI, ...words, '--', ...agent.supervised.command(program)];
    supervisor = fleet.run(command, { input: 'pipe' });
    agent.supervised.begin(supervisor, TASK);
    await until('it is stuck', () => fleet.agent()?.record.state.kind === 'stuck');
    id = { machine: 'alpha', key: fleet.agent().key };
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(fleet?.lastWords());
  });
  afterAll(async () => {
    await fleet?.stop();
    network?.end();
  });

  it('is neither stopped nor restarted if its relay was not started with --allow restart,stop', async () => {
    expect(fleet.window.accepts(id)).toEqual(['nudge']);
    const asked = {
      stop: { action: 'stop', text: 'Stop.' },
      restart: { action: 'restart', text: 'Again.', restart: { mode: 'resume', prompt: WORDS } },
    };
    for (const message of Object.values(asked))
      expect(fleet.window.send({ ...id, ...message })).toEqual({ ok: false, error: 'not_allowed' });

    // A window that does not check what is allowed.
    const me = await raw(fleet.servers, 'me', 'viewer');
    try {
      const answers = [];
      me.subscribe('unstuck.answers.alpha.me', {
        callback: (_, { data }) => answers.push(JSON.parse(Buffer.from(data))),
      });
      const { key, record } = fleet.agent();
      const head = { v: 1, kind: 'message', machine: 'alpha', viewer: 'me', at: Date.now(), expiresInMs: 60_000 };
      const to = { key, session: record.session, agent: agent.id };
      for (const [i, message] of Object.values(asked).entries()) {
        const whole = { ...head, ...to, id: `01JD00000000000000000000D${i}`, ...message };
        await jetstream(me).publish('unstuck.messages.alpha.me', JSON.stringify(whole));
      }
      await until('both are answered', () => answers.length === 2);
      expect(answers.map(({ state, reason }) => `${state} ${reason}`)).toEqual(Array(2).fill('refused not_allowed'));
    } finally {
      await me.close();
    }
    expect(fleet.machine.messages(fleet.agent().record.session, 'new')).toEqual([]);
    expect(supervisor.exited).toBeUndefined();
    expect(said('restarting')).toEqual([]);
  });

  it('is restarted with the given words in the same session, if the relay allows it', async () => {
    await fleet.machine.kill('SIGTERM');
    fleet.machine.allow = 'nudge,stop,restart';
    await fleet.machine.started();
    await until('the window may', () => fleet.window.accepts(id).includes('restart'));
    const { session } = fleet.agent().record;
    const before = said('started').length;
    const clicked = Date.now();
    const restart = { mode: 'resume', prompt: WORDS };
    const sent = fleet.window.send({ ...id, action: 'restart', text: 'Start it again.', restart });
    expect(sent.ok).toBe(true);
    const queued = await reaches(sent.value, 'queued');
    const request = await fleet.model.request('with the words', ({ text }) => text.includes(WORDS));
    expect(request.text).toContain(HISTORY);
    expect(said('restarting')).toMatchObject([{ session, id: sent.value.id }]);
    expect(said('started')).toHaveLength(before + 1);
    const acted = await reaches(sent.value, 'acted');
    expect(fleet.window.agents('alpha').map((one) => one.record.session)).toEqual([session]);
    console.log(`restart: queued ${queued} ms, in its request ${request.at - clicked} ms, acted ${acted} ms`);
  });

  it('is stopped: its process ends, and the receipt comes back', async () => {
    const clicked = Date.now();
    const sent = fleet.window.send({ ...id, action: 'stop', text: 'A person stopped this agent.' });
    expect(sent.ok).toBe(true);
    const { code, signal } = await fleet.sandbox.end(supervisor);
    const ended = Date.now() - clicked;
    const acted = await reaches(sent.value, 'acted');
    expect(sent.value.steps().at(-1)).toMatchObject({ state: 'acted', outcome: 'changed' });
    expect(fleet.sandbox.programs().filter((line) => line.includes(program))).toEqual([]);
    console.log(`stop: ended ${ended} ms after the click with ${code ?? signal}, acted ${acted} ms`);
    await until('the window sees that nothing can be asked of it', () => !fleet.window.accepts(id).includes('restart'));
  });
});
