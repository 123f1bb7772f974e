import { describe, expect, it } from 'vitest';
import { RECOVERY_ACTIONS } from '../../../../../src/core/model';
import {
  ACTION_DETAILS,
  ACTION_NAMES,
  actionName,
  closeIt,
  helpedWords,
  recommendedName,
  recoveryLabel,
  seenBeforeWords,
  similarCommand,
  waysOut,
} from '../../../../../src/core/words/messages/recovery';

describe('the heading of the ladder', () => {
  it('says what automatic mode does next, rounded up to the second', () => {
    const says = (automatic: Parameters<typeof recoveryLabel>[0]) => recoveryLabel(automatic, 10_000);
    expect(says(null)).toBe('');
    expect(says({ held: true, nextAt: 50_000 })).toBe('automatic, held');
    expect(says({ held: false })).toBe('automatic');
    expect(says({ held: false, nextAt: 49_001 })).toBe('automatic, next in 40 s');
    expect(says({ held: false, nextAt: 10_001 })).toBe('automatic, next in 1 s');
    expect(says({ held: false, nextAt: 10_000 })).toBe('automatic, next now');
  });
});

describe('what helped before', () => {
  it('is said in few words', () => {
    expect(helpedWords({ name: 'Nudge', helped: 1 })).toBe('Nudge helped');
    expect(helpedWords({ name: 'Nudge', helped: 0 })).toBe('Nudge did not help');
    expect(seenBeforeWords(1, [])).toBe('Seen once');
    const ways = [
      { name: 'Nudge', helped: 3, tried: 4 },
      { name: 'Restart', helped: 1, tried: 1 },
    ];
    expect(seenBeforeWords(4, ways)).toBe('Seen 4 times: nudge helped 3 of 4, restart 1 of 1');
    expect([similarCommand(1), similarCommand(3)]).toEqual(['Show 1 Similar Incident', 'Show 3 Similar Incidents']);
  });
});

describe('what can be done', () => {
  it('has a name and a sentence each, all different', () => {
    for (const texts of [Object.values(ACTION_NAMES), Object.values(ACTION_DETAILS)]) {
      expect(new Set(texts).size).toBe(12);
      for (const text of texts) expect(text).toMatch(/^[A-Z].+/);
    }
  });

  it('is listed once, with what is recommended first and what is impossible now apart', () => {
    const offers = RECOVERY_ACTIONS.map((action) => ({
      action,
      possible: action !== 'split' && action !== 'top_model',
    }));
    const listed = (recommended: Parameters<typeof waysOut>[1]) => {
      const { possible, impossible } = waysOut(offers, recommended);
      return [possible, impossible].map((part) => part.map(({ action }) => action).join(' '));
    };
    expect(listed(null)).toEqual(['block resume fork fresh next_model reassign ask stop', 'split top_model']);
    expect(listed('fresh')[0]).toBe('fresh block resume fork next_model reassign ask stop');
    // A nudge has its own button, and a checkpoint is in the other menu.
    expect(listed('nudge')[0]).toBe('nudge block resume fork fresh next_model reassign ask stop');
  });

  it('names the model if it is known', () => {
    expect(actionName('resume')).toBe('Restart with Feedback');
    expect(actionName('next_model', 'opus')).toBe('Restart with opus');
    expect(actionName('top_model', 'opus')).toBe('Restart with opus, More Thinking');
    expect(recommendedName('Nudge', '')).toBe('Recommended: Nudge');
    expect(recommendedName('Nudge', 'helped 2 of 2')).toBe('Recommended: Nudge, helped 2 of 2');
    expect(closeIt('Codex')).toBe('Close Codex in its terminal. It resumes here.');
  });
});
