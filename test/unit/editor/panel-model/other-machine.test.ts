import { describe, expect, it } from 'vitest';
import { evidenceLabel, evidenceRows } from '../../../../src/editor/webview/evidence-rows';
import { derive } from '../../../../src/editor/webview/panel-model';
import { leadSentence, plain } from '../../../../src/core/words';
import { NOW, remote, remoteHostile, remoteSilent } from '../webview/support/panel-fixtures';

describe('the panel of an agent on another machine', () => {
  it('has the evidence that was sent, and what the machine reported', () => {
    const snapshot = remote();
    expect(snapshot.machine).toMatchObject({ name: 'build-1', presence: 'live' });
    expect(snapshot.reports?.map(({ words }) => words)).toEqual([
      'Working',
      'pytest -q: same result ×6, 8 min',
      'Stuck',
      'Nudge from laptop',
      'Nudge taken',
      'Restart refused: its machine does not allow it',
    ]);
    const { incident } = snapshot;
    const { steps } = derive(snapshot);
    expect(incident && plain(evidenceLabel(incident, steps))).toBe('6 results of pytest -q');
    expect(incident && evidenceRows(incident, steps, false).filter(({ kind }) => kind === 'occurrence')).toHaveLength(
      6,
    );
  });

  it('counts no steps: they are not sent, so it must not claim that any came', () => {
    const working = remote({}, { state: { kind: 'working', since: NOW }, incidents: [] });
    expect(working.lead.kind).toBe('working_there');
    expect(plain(leadSentence(working.lead, NOW))).toBe('Last new result 8 min ago.');
    const recovering = remote({}, { state: { kind: 'recovering', since: NOW } });
    expect(recovering.lead.kind).toBe('incident');
    const quiet = { ...working.lead, kind: 'working_there' as const };
    expect(plain(leadSentence({ kind: quiet.kind }, NOW))).toBe('Working.');
  });

  it('says since when a machine is silent, and what its agent was stuck in then', () => {
    const snapshot = remoteSilent();
    expect(plain(leadSentence(snapshot.lead, NOW))).toMatch(
      /^This machine has not responded for 4 min\. The current state of its agents is unknown\. It was stuck: pytest -q gave /,
    );
    expect(snapshot.message?.reach).toEqual({ kind: 'elsewhere', machine: 'build-1', isLost: true });
  });

  it('treats what it receives as text, and makes hidden characters visible', () => {
    const text = JSON.stringify(remoteHostile());
    expect(text).toContain('<img src=x');
    expect(text).not.toContain('\u202e');
  });
});
