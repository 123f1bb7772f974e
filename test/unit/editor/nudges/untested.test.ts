import { describe, expect, it } from 'vitest';
import { Untested } from '../../../../src/editor/nudges/untested';
import { agentView } from '../support/views';

const RANGE = { oldest: '2.1.278', newest: '2.1.330' };
const SENTENCE =
  'Unstuck was tested with Claude Code 2.1.278 to 2.1.330, not with 2.3.1, so messages may not arrive. Its next call will show.';

function stage(installed: string | null = null) {
  let now = 0;
  let asked = 0;
  let changes = 0;
  const versions = {
    testedOf: (agent: string) => (agent === 'claude-code' ? RANGE : undefined),
    isFound: () => Promise.resolve(true),
    installedOf: () => {
      asked++;
      return Promise.resolve(installed);
    },
  };
  const untested = new Untested(
    versions,
    () => 'Claude Code',
    () => now,
  );
  untested.onDidChange(() => changes++);
  return {
    untested,
    later: (ms: number) => void (now += ms),
    counts: () => [asked, changes],
    answered: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const view = (version?: string) => agentView('s', {}, version === undefined ? {} : { version });

describe('an agent of a release that was not tested', () => {
  it('is recognised by the version in its transcript, without a lookup', () => {
    const { untested, counts } = stage('2.1.300');
    expect(untested.ofView(view('2.3.1'))).toBe(SENTENCE);
    expect(untested.ofView(view('2.1.999'))).toBeNull();
    expect(counts()).toEqual([0, 0]);
  });

  it('is recognised by the installed program if the transcript has no version, once that is known', async () => {
    const { untested, counts, answered } = stage('2.3.1');
    expect(untested.ofView(view())).toBeNull();
    await answered();
    expect(counts()).toEqual([1, 1]);
    expect(untested.ofView(view())).toBe(SENTENCE);
    expect(counts()).toEqual([1, 1]);
  });

  it('is checked again when the agent may have been updated', async () => {
    const { untested, counts, later, answered } = stage('2.3.1');
    untested.ofView(view());
    await answered();
    later(11 * 60_000);
    expect(untested.ofView(view('what is this?'))).toBe(SENTENCE);
    await answered();
    expect(counts()).toEqual([2, 1]);
  });

  it('is not mentioned for agents that take no messages', () => {
    const { untested, counts } = stage('9.9.9');
    expect(untested.ofView({ ...view(), agent: 'aider' })).toBeNull();
    expect(counts()).toEqual([0, 0]);
  });
});

describe('what Connect says before it writes', () => {
  it('is about the session that wrote last, otherwise about the program that would be started', async () => {
    const { untested } = stage('2.4.0');
    const at = (version: string, lastEventAt: number) =>
      agentView('s', {}, { version, health: { ...agentView('s').health, lastEventAt } });
    const older = at('2.1.300', 1);
    const newer = at('2.3.1', 2);
    expect(await untested.versionOf('claude-code', [older, newer])).toBe('2.3.1');
    expect(await untested.sentenceOf('claude-code', [older, newer])).toBe(SENTENCE);
    expect(await untested.versionOf('claude-code', [older])).toBeNull();
    expect(await untested.versionOf('claude-code', [])).toBe('2.4.0');
  });

  it('is nothing if no version is known', async () => {
    expect(await stage(null).untested.sentenceOf('claude-code', [])).toBeNull();
  });
});
