import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DETECTOR_IDS, type AgentId } from '../../../../src/core/model';
import { resolveOptions } from '../../../../src/detect/session/options';
import { showRules } from '../../../../src/editor/commands/rules';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const SETTINGS = { stall: 'off', agents: { codex: { cycle: { warn: 5, stuck: 9 } } } };

function parts(said: readonly object[] = []): CommandParts {
  const view = agentView('s', {}, { agent: 'codex', agentName: 'Codex CLI' });
  return {
    services: { feedback: { list: () => said }, engine: { agent: (key: string) => (key === 's' ? view : undefined) } },
    detectors: (agent: AgentId) => resolveOptions({ preset: 'balanced', detectors: SETTINGS }, agent),
  } as unknown as CommandParts;
}

interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

async function rows(said: readonly object[] = [], argument?: string): Promise<readonly Row[]> {
  await showRules(parts(said), argument);
  return editor.picks.at(-1) as readonly Row[];
}
const limitsOf = (all: readonly Row[], label: string) => all.find((row) => row.label === label)?.description;

describe('Rules…', () => {
  it('lists every rule with its limits as the settings have them', async () => {
    const all = await rows();
    expect(all).toHaveLength(DETECTOR_IDS.length);
    expect(limitsOf(all, 'Same call again')).toBe('warns at 3, stuck at 4');
    expect(limitsOf(all, 'Silence')).toBe('off');
    expect(all.filter((row) => row.detail !== undefined)).toEqual([]);
  });

  it('of an agent is a page of its own', async () => {
    const shown: string[] = [];
    const rules = { show: (session: string) => void shown.push(session) };
    await showRules({ ...parts(), rules }, 's');
    expect(shown).toEqual(['s']);
    expect(editor.picks).toEqual([]);
  });

  it('says of each rule how often people called it wrong here, and puts those first', async () => {
    const all = await rows([
      { detector: 'cycle', subject: 'make' },
      { detector: 'cycle', subject: 'cargo build' },
    ]);
    expect(all[0]).toMatchObject({
      label: 'Results in turn',
      detail: 'You said 2 times that it was wrong here: cargo build, make',
    });
    expect(all.slice(1).some((row) => row.detail !== undefined)).toBe(false);
  });

  it('leads to the settings of the rules, and nowhere where none is picked', async () => {
    await rows();
    expect(editor.commands).toEqual([]);
    editor.answers.push('Silence');
    await rows();
    expect(editor.commands).toEqual([['workbench.action.openSettings', 'unstuck.detectors']]);
  });
});
