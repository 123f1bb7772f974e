import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { descriptorOf } from '../../../src/agents/registry';
import { type AgentId, isTested } from '../../../src/core/model';

interface RealAgent {
  readonly id: AgentId;
  readonly version: string;
  readonly oldest?: string;
}

/** The agents of `npm run test:agents`, whose versions show what was tested. */
const { AGENTS, chosenAgents } = (await import(
  pathToFileURL(join(__dirname, '../../agents/agents/index.mjs')).href
)) as { AGENTS: readonly RealAgent[]; chosenAgents: (names: string[], oldest: boolean) => readonly RealAgent[] };

describe('the versions of real agents', () => {
  it.each(AGENTS.map((agent) => [agent.id, agent] as const))(
    'of %s are those that the documentation calls tested',
    (id, agent) => {
      const tested = descriptorOf(id)?.tested;
      if (!tested) throw new Error(`${id} names no versions`);
      expect(isTested(agent.version, tested)).toBe(true);
      if (agent.oldest !== undefined) expect(agent.oldest).toBe(tested.oldest);
    },
  );

  it('are chosen by name, or all at their oldest', () => {
    expect(chosenAgents([], false)).toBe(AGENTS);
    expect(chosenAgents(['codex', 'codex@0.157.0'], false).map(({ version }) => version)).toEqual([
      '0.169.0',
      '0.157.0',
    ]);
    expect(chosenAgents([], true).map(({ id, version }) => `${id} ${version}`)).toEqual([
      'codex 0.157.0',
      'claude-code 2.1.278',
    ]);
    expect(() => chosenAgents(['kodex'], false)).toThrow('there is no agent "kodex"');
  });
});
