import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../../src/core/model';
import { HEALTH, countedList, inARow, nothingListed, tokenWords } from '../../../../../src/core/words/states/health';
import { REPORTS, isStateKind, reportedAgo, reportRow } from '../../../../../src/core/words/states/machine-report';

describe('the health of a session', () => {
  it('counts what comes in a row, and the known tokens', () => {
    expect([inARow(0), inARow(1), inARow(2)]).toEqual(['', '', '2 in a row']);
    expect(tokenWords({})).toBe('');
    expect(tokenWords({ totalTokens: 1_900_000 })).toBe('1.9M in all');
    expect(tokenWords({ contextTokens: 118_000 })).toBe('118k in the context');
    const all = { contextTokens: 118_000, contextWindow: 200_000, totalTokens: 1_900_000 };
    expect(tokenWords(all)).toBe('118k of 200k in the context, 1.9M in all');
  });

  it('is a heading for the list that a number counts', () => {
    const newest = 'newest first. Open which one?';
    expect(countedList('calls', 1, undefined)).toBe(`1 call, ${newest}`);
    expect(countedList('calls', 23, 'Bash')).toBe(`23 calls of Bash, ${newest}`);
    expect(countedList('failures', 2, undefined)).toBe(`2 failed calls, ${newest}`);
    expect(countedList('malformed', 1, undefined)).toBe(`1 malformed call, ${newest}`);
    expect(countedList('claims', 2, undefined)).toBe(`It said it was done 2 times, ${newest}`);
    expect(countedList('blocked', 2, 'Fix it')).toBe(`“Fix it” was blocked 2 times, ${newest}`);
    expect(countedList('blocked', 1, undefined)).toBe(`“” was blocked 1 time, ${newest}`);
    expect(nothingListed()).toBe('None of these can be opened right now.');
  });

  it('names each number', () => {
    expect(Object.values(HEALTH)).toEqual([
      'Loop health',
      'for the whole session; click a number to see what it counts',
      'Calls',
      'Failed calls',
      'Malformed calls',
      'Said it was done',
      'Blocked plan items',
      'Tokens',
      'Read again after compaction',
      'others',
      'none',
      'not recorded by the agent',
    ]);
  });
});

describe('what another machine reported', () => {
  const row = (told: object) => reportRow({ at: 5, ...told } as Parameters<typeof reportRow>[0], 65_000);

  it.each<[AgentState['kind'], string]>([
    ['escalated', 'Needs you'],
    ['recovering', 'Recovering'],
    ['stuck', 'Stuck'],
    ['waiting', 'Waiting'],
    ['stalled', 'No output'],
    ['not_monitored', 'Not monitored'],
    ['working', 'Working'],
    ['finished', 'Finished'],
  ])('is that an agent is %s: %s', (state, words) => {
    expect(row({ kind: 'state', state })).toMatchObject({ at: 5, words, look: { icon: expect.any(String) } });
    expect(isStateKind(state)).toBe(true);
  });

  it('is nothing if a later version reports another state', () => {
    expect(row({ kind: 'state', state: null })).toBeNull();
    expect(isStateKind('later')).toBe(false);
    expect(isStateKind('constructor')).toBe(false);
  });

  it('is who sent a message', () => {
    const told = row({ kind: 'message', action: 'nudge', viewer: 'laptop' });
    expect(told).toMatchObject({ words: 'Nudge from laptop', look: { icon: 'send', tone: 'none' } });
  });

  it.each([
    ['queued', 'Nudge queued'],
    ['taken', 'Nudge taken'],
    ['seen', 'Nudge seen in the transcript'],
    ['acted', 'Nudge acted on'],
    ['expired', 'Nudge expired'],
    ['withdrawn', 'Nudge withdrawn'],
    ['failed', 'Nudge not delivered'],
    ['later', 'Nudge: later'],
  ])('is that a message is %s: %s', (state, words) => {
    expect(row({ kind: 'receipt', action: 'nudge', state, reason: '' })?.words).toBe(words);
  });

  it('is why a message was refused', () => {
    expect(row({ kind: 'receipt', action: 'nudge', state: 'refused', reason: 'x' })?.words).toMatch(
      /^Nudge refused: .+/,
    );
  });

  it('is under a heading that says whose words these are', () => {
    expect([REPORTS.heading(), REPORTS.label('build-1'), reportedAgo('build-1', 3_000)]).toEqual([
      'Timeline',
      'as reported by build-1',
      'Reported by build-1 3 s ago',
    ]);
    expect(REPORTS.none()).toBe('Its machine has reported nothing yet. The steps of an agent stay on its own machine.');
  });
});
