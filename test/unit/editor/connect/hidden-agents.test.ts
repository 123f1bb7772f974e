import { describe, expect, it } from 'vitest';
import { HiddenAgents } from '../../../../src/editor/connect/hidden-agents';
import { agentView } from '../support/views';

const moved = {
  pid: 4711,
  variable: 'CLAUDE_CONFIG_DIR',
  folder: '/home/me/work/.claude',
  ours: '/home/me/.claude',
  settable: true,
};

function stage(views: ReturnType<typeof agentView>[], found = { 'claude-code': moved as typeof moved | null }) {
  const asked: string[] = [];
  const hidden = new HiddenAgents({
    agents: () => [
      { agent: 'claude-code', name: 'Claude Code' },
      { agent: 'codex', name: 'Codex' },
    ],
    views: () => views,
    folders: () => ['/home/me/shop'],
    elsewhere: (agent) => {
      asked.push(agent);
      return agent === 'codex' ? Promise.reject(new Error('no /proc here')) : Promise.resolve(found['claude-code']);
    },
  });
  return { hidden, asked, found };
}

describe('an agent that keeps its files where the window does not look', () => {
  it('is named with its folder, whatever the check for another agent returned', async () => {
    const { hidden } = stage([]);
    expect(await hidden.look()).toBe(true);
    expect(hidden.list()).toEqual([{ agent: 'claude-code', name: 'Claude Code', folder: moved.folder }]);
    expect(await hidden.look(), 'nothing new').toBe(false);
  });

  it('is no longer named once it has ended', async () => {
    const { hidden, found } = stage([]);
    await hidden.look();
    found['claude-code'] = null;
    expect(await hidden.look()).toBe(true);
    expect(hidden.list()).toEqual([]);
  });

  it('is not looked for while one of its kind is listed, unless that one has finished', async () => {
    const listed = stage([agentView('s')]);
    await listed.hidden.look();
    expect([listed.asked, listed.hidden.list()]).toEqual([['codex'], []]);
    const finished = stage([agentView('s', { kind: 'finished' })]);
    await finished.hidden.look();
    expect(finished.hidden.list()).toHaveLength(1);
  });

  it('is not offered if no setting can make the window look there', async () => {
    const { hidden } = stage([], { 'claude-code': { ...moved, settable: false } });
    expect(await hidden.look()).toBe(false);
  });
});
