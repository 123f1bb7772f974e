import { describe, expect, it } from 'vitest';
import { Rereads } from '../../../../src/engine/session/reread';

/** Plays a session drawn as a line: `a` looks at a, `!` runs or edits something, `|` is a compaction. */
function cost(story: string) {
  const rereads = new Rereads();
  for (const sign of story) {
    if (sign === '|') rereads.compacted();
    else rereads.step({ kind: sign === '!' ? 'ran' : 'looked', subject: `Read ${sign}`, target: sign });
  }
  return rereads.share;
}

describe('what a compaction costs', () => {
  it.each([
    ['abc!', null],
    ['abc|', null],
    ['abc|abd!', { n: 2, of: 4 }],
    ['abc|!!!!', { n: 0, of: 4 }],
  ])('is the share of steps after it that read again what was read before: %s', (story, share) => {
    expect(cost(story)).toEqual(share);
  });

  it('counts a thing once for each compaction: what is read twice after it would have been read twice anyway', () => {
    expect(cost('a|aaa')).toEqual({ n: 1, of: 3 });
    expect(cost('a|a|a')).toEqual({ n: 2, of: 2 });
    // Something read only before the first one and again after the second one was forgotten too.
    expect(cost('ab|b|a')).toEqual({ n: 2, of: 2 });
  });
});
