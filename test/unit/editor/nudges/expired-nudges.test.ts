import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Delivery } from '../../../../src/core/model';
import { ExpiredNudges } from '../../../../src/editor/nudges/expired-nudges';
import { Emitter } from '../../../../src/base/util/emitter';
import { MINUTE, T0 } from '../../history/support/incidents';
import { delivery } from '../webview/support/panel-fixtures';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const expired = (id: string, at = T0): Delivery => delivery(id, 'expired', { expired: at });

/** A window over one agent with these messages. */
function stage(...deliveries: readonly Delivery[]) {
  const changes = new Emitter<readonly string[]>();
  const did: string[] = [];
  let view: AgentView = agentView('s', {}, { title: 'Migrate', deliveries });
  const nudges = new ExpiredNudges(
    { onDidChange: changes.event, agent: (session: string) => (session === 's' ? view : undefined) },
    { show: (session: string) => void did.push(`panel ${session}`) },
    { connect: (whom) => Promise.resolve(did.push(`connect ${whom?.agent}`) > 0) },
    () => T0 + 1_000,
  );
  return {
    nudges,
    did,
    change: async (...sessions: string[]) => {
      changes.fire(sessions);
      await new Promise((resolve) => setImmediate(resolve));
    },
    become: (more: Partial<AgentView>) => void (view = { ...view, ...more }),
  };
}

const texts = () => editor.shown.map(({ text }) => text);

describe('a nudge that was not taken in time', () => {
  it('is reported once', async () => {
    const { change } = stage(expired('A'), delivery('B', 'queued', {}));
    await change('s', 'another');
    await change('s');
    expect(texts()).toEqual(['The nudge for “Migrate” was not taken in 10 min.']);
  });

  it('leads to its panel, or to Connect', async () => {
    const { change, did } = stage(expired('A'), expired('B'), expired('C'));
    editor.answers.push('Show Nudge', 'Connect Agent', undefined);
    await change('s');
    expect(did).toEqual(['panel s', 'connect claude-code']);
  });

  it('is not reported if it expired before this window opened', async () => {
    const { change } = stage(expired('A', T0 + 1_000 - MINUTE), delivery('B', 'expired', {}));
    await change('s');
    expect(texts()).toEqual([]);
  });

  it('is reported within a minute', async () => {
    const { change } = stage(expired('A', T0 + 1_001 - MINUTE));
    await change('s');
    expect(texts()).toHaveLength(1);
  });

  it('is not reported if it was gate feedback for an agent that has ended', async () => {
    const gate = expired('A');
    const { change, become } = stage({ ...gate, message: { ...gate.message, kind: 'gate' } });
    become({ state: { kind: 'finished', since: T0, ended: 'clean' } });
    await change('s');
    expect(texts()).toEqual([]);
    become({ deliveries: [expired('B')] });
    await change('s');
    expect(texts()).toHaveLength(1);
  });

  it('is reported if it was gate feedback for an agent that is still running', async () => {
    const gate = expired('A');
    const { change } = stage({ ...gate, message: { ...gate.message, kind: 'gate' } });
    await change('s');
    expect(texts()).toHaveLength(1);
  });

  it('is not reported once the window closes', async () => {
    const { change, nudges } = stage(expired('A'));
    nudges.dispose();
    await change('s');
    expect(texts()).toEqual([]);
  });
});
